import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@Suite("record as a relay, without root", .serialized, .real("runs telecap"))
struct RecordRelayTests {
  let folder: Folder
  var capture: String { folder["session.telecap"] }

  init() throws { folder = try Folder() }

  @Test("Datagrams pass both ways and are recorded")
  func datagramsPassBothWaysAndAreRecorded() throws {
    let host = try Socket.udp()
    let phone = try Socket.udp()
    let port = try freePort()
    let program = try Program.start([
      "record", "-o", capture, "--relay", "udp:\(port)=127.0.0.1:\(host.port)", "--tele-udp", "\(host.port)",
    ])
    try program.wait(for: "recording relay")
    #expect(program.errors.hasPrefix("relaying udp 127.0.0.1:\(port) to 127.0.0.1:\(host.port)\n"))
    for bytes in [Bytes.hello, Bytes.pose(1)] {
      try phone.send(bytes, to: port)
      let got = try host.receive()
      #expect(got.bytes == bytes)
      try host.send(Bytes.ack, to: got.from)
      let answer = try phone.receive()
      #expect(answer.bytes == Bytes.ack)
      #expect(answer.from.port == port)
    }
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.hasPrefix("\(capture): 4 packets, "))
    #expect(
      try sql(capture, "SELECT type, direction, session FROM message") == [
        ["HELLO", "client-to-server", "NULL"], ["ACK", "server-to-client", "1"], ["POSE", "client-to-server", "1"],
        ["ACK", "server-to-client", "1"],
      ])
    try expectValidFrames()
  }

  @Test("A TCP conversation passes both ways and is recorded", arguments: [SIGTERM, SIGHUP])
  func aTCPConversationPassesBothWaysAndIsRecorded(_ signal: Int32) throws {
    let listener = try Socket.listener()
    let port = try freePort()
    let program = try Program.start([
      "record", "-o", capture, "--relay", "tcp:\(port)=127.0.0.1:\(listener.port)", "--tele-tcp", "\(listener.port)",
    ])
    try program.wait(for: "recording relay")
    let phone = try Socket.connected(to: port)
    let host = try listener.accepted()
    try phone.send(Bytes.framed(Bytes.hello))
    #expect(try host.receive(20) == Bytes.framed(Bytes.hello))
    try host.send(Bytes.framed(Bytes.ackTCP))
    #expect(try phone.receive(14) == Bytes.framed(Bytes.ackTCP))
    program.signal(signal)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      try sql(capture, "SELECT type, direction, carrier FROM dissection") == [
        ["HELLO", "client-to-server", "tcp"], ["ACK", "server-to-client", "tcp"],
      ])
    #expect(try sql(capture, "SELECT rule FROM finding") == [])
    try expectValidFrames()
  }

  @Test("A port that is taken is said, and no file is left")
  func aPortThatIsTakenIsSaidAndNoFileIsLeft() throws {
    let taken = try Socket.listener()
    let end = try Program.run(["record", "-o", capture, "--relay", "tcp:\(taken.port)=127.0.0.1:9"])
    #expect(end.status == 69)
    #expect(end.errors.hasPrefix("telecap: cannot listen on tcp 127.0.0.1:\(taken.port): "))
    #expect(folder.names == [])
  }

  /// Every frame is an IPv4 packet as long as its header says, whose header checksum comes out right (RFC 791, 3.1).
  private func expectValidFrames() throws {
    let frames = try sql(capture, "SELECT hex(frame) FROM packet").map { hex($0[0]) }
    #expect(!frames.isEmpty)
    for frame in frames {
      #expect(frame[0] == 0x45)
      #expect(Int(frame[2]) << 8 | Int(frame[3]) == frame.count)
      let sum = stride(from: 0, to: 20, by: 2).reduce(0) { $0 + Int(frame[$1]) << 8 + Int(frame[$1 + 1]) }
      #expect((sum & 0xffff) + sum >> 16 == 0xffff)
    }
  }
}
