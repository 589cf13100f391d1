import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapReport
@testable import TelecapWeb

@Suite("A capture whose clock was set back by an hour during a session") struct ClockStepTests {
  private let folder: Folder
  private let recording: Recording

  /// A phone that sends 200 poses, 10 ms apart, of which the second half is dated an hour earlier.
  init() throws {
    folder = try Folder()
    let up = Flow(
      .udp, from: Endpoint(IPAddress(v4: 0xc000_0207), port: 40_000),
      to: Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000))
    let hour: Int64 = 3_600_000_000_000
    var list = PacketList(interface: "test")
    try list.add(Bytes.hello, up, at: Timestamp(nanoseconds: hour))
    try list.add(Bytes.ack, up.reversed, at: Timestamp(nanoseconds: hour + 1_000_000))
    for number in 1...200 {
      let time = Timestamp(nanoseconds: (number > 100 ? 0 : hour) + Int64(number) * 10_000_000)
      try list.add(Bytes.pose(UInt16(number)), up, at: time)
      guard number % 50 == 25 else { continue }
      try list.add(Bytes.hello, up, at: time)
      try list.add(Bytes.ack, up.reversed, at: time)
    }
    let path = folder["a.telecap"]
    try RecordingFiles.builtIn.importing(.packets(list), into: path, force: true, ports: .standard)
    recording = try RecordingFiles.builtIn.recording(path)
  }

  @Test("The session stays one, with the rates of its streams and one finding")
  func summary() throws {
    let summary = try recording.summary().summary
    #expect(summary.findings.map(\.rule).filter { $0 == "clock.step" } == ["clock.step"])
    #expect(summary.findings.first { $0.rule == "clock.step" }?.firstPacket == 107)
    #expect(summary.span.map { $0.upperBound.nanoseconds(since: $0.lowerBound) } == 2_000_000_000)
    #expect(summary.sessions.count == 1)
    let poses = try #require(summary.types.first { $0.type == "POSE" })
    #expect(poses.arrivals.perSecond == 100 && poses.arrivals.largestGap == 10_000_000)
  }

  @Test("A time after the step leads to the packets of that time")
  func moments() throws {
    _ = try recording.withCapture { reader in
      var messages: [Int: StoredMessage] = [:]
      try reader.forEachMessage { message, _ in messages[message.id] = message }
      let start = try #require(messages[1]).time
      for milliseconds in [Int64(0), 500, 1_500, 1_990] {
        let time = start.advanced(byNanoseconds: milliseconds * 1_000_000)
        let first = try #require(try reader.firstMessage(since: time))
        #expect(try #require(messages[first]).time >= time)
        #expect(first == 1 || messages[first - 1].map { $0.time < time } == true)
      }
      #expect(try reader.firstMessage(since: start.advanced(byNanoseconds: 3_000_000_000)) == nil)
    }
  }

  @Test("The step is not drawn as an outage")
  func picture() throws {
    _ = try recording.withCapture { reader in
      let picture = try CapturePicture(of: reader, in: recording, named: "a")
      #expect(Incident.all(picture).map(\.kind) == [])
      #expect(picture.timeline.grid.length < 3_000_000_000)
    }
  }
}
