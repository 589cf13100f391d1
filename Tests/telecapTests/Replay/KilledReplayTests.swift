import Foundation
import TelecapTestSupport
import Testing

@Suite(.real("runs telecap")) struct KilledReplayTests {
  @Test("A replay that is killed leaves what it recorded until 250 ms before")
  func killed() throws {
    let folder = try Folder()
    let capture = folder["session.pcapng"]
    try RecordedSession.poses(capture, 22)
    let sink = try Socket.udp()
    let sent = folder["sent.pcapng"]
    let program = try Program.start(["replay", capture, "--to", sink.address, "--loop", "0", "--record", sent])
    for _ in 0..<30 { _ = try sink.receive() }
    let end = ContinuousClock.now + .milliseconds(260)
    var more = 0
    while ContinuousClock.now < end {
      _ = try sink.receive()
      more += 1
    }
    program.signal(SIGKILL)
    #expect(try program.finish().status == 128 + SIGKILL)
    let left = try Program.run(["dissect", sent, "--summary", "--format", "json", "--tele-udp", "\(sink.port)"])
    #expect(left.status == 0, "\(left.errors)")
    let messages = try #require(try left.json().first?["messages"] as? Int)
    #expect(messages >= 30 && messages <= 30 + more + 100)
  }
}
