import Foundation
import TelecapCapture
import TelecapImpairment
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@Suite(.real("runs telecap")) struct ReplayCommandTests {
  private let folder: Folder
  private let capture: String

  init() throws {
    folder = try Folder()
    capture = folder["session.pcapng"]
  }

  /// The payloads of a plan's deliveries, in the order of (due, packet, copy).
  private func expected(_ plan: String, _ payloads: [Int: [UInt8]]) throws -> [[UInt8]] {
    var reader = PlanReader()
    var deliveries: [(due: Int64, packet: Int, flips: [UInt32])] = []
    func take(_ line: PlanLine) { for due in line.due { deliveries.append((due, line.packet, Array(line.flips))) } }
    try reader.read(Array(plan.utf8).span.bytes) { take($0) }
    try reader.finish { take($0) }
    deliveries.sort { ($0.due, $0.packet) < ($1.due, $1.packet) }
    return try deliveries.map { delivery in
      var bytes = try #require(payloads[delivery.packet])
      for bit in delivery.flips { bytes[Int(bit / 8)] ^= 0x80 >> UInt8(bit % 8) }
      return bytes
    }
  }

  @Test("What arrives is the plan in its order")
  func whatArrivesIsThePlanInItsOrder() throws {
    let session = try RecordedSession.poses(capture, 100)
    let asked = [
      "--loss", "10%", "--duplicate", "10%", "--corrupt", "10%", "--delay", "10ms", "--jitter", "8ms", "--reorder",
      "10%,3", "--seed", "5",
    ]
    let plan = try Program.run(["plan", capture] + asked)
    let sink = try Socket.udp()
    let replay = try Program.run(["replay", capture, "--to", sink.address] + asked)
    #expect(replay.status == 0)
    let received = sink.received()
    #expect(received == (try expected(plan.output, session.payloads)))
    #expect(received != session.payloads.sorted { $0.key < $1.key }.map(\.value))
  }

  @Test("Without impairments everything arrives as it was recorded")
  func withoutImpairmentsEverythingArrivesAsItWasRecorded() throws {
    let session = try RecordedSession(capture)
    let odd: [[UInt8]] = [[], [0xff], Array("TELE".utf8), Array(repeating: 7, count: 1400), Array("GET /".utf8)]
    for (index, bytes) in odd.enumerated() { try session.datagram(bytes, at: Int64(index)) }
    try session.finish()
    let sink = try Socket.udp()
    #expect(try Program.run(["replay", capture, "--to", sink.address, "--speed", "max"]).status == 0)
    #expect(sink.received() == odd)
  }

  @Test("Lost packets are counted")
  func lostPacketsAreCounted() throws {
    try RecordedSession.poses(capture, 50)
    let sink = try Socket.udp()
    let replay = try Program.run([
      "replay", capture, "--to", sink.address, "--loss", "100%", "--speed", "max", "--format", "json",
    ])
    #expect(sink.received().isEmpty)
    let report = try #require(try replay.json().first)
    #expect((report["sent"] as? [String: Any])?["datagrams"] as? Int == 0)
    let rate = try #require((report["rates"] as? [[String: Any]])?.first)
    #expect(rate["impairment"] as? String == "loss" && rate["count"] as? Int == 50 && rate["total"] as? Int == 50)
  }

  @Test("A plan that was edited by hand is obeyed")
  func aPlanThatWasEditedByHandIsObeyed() throws {
    let session = try RecordedSession.poses(capture, 4)
    let path = folder["a.plan"]
    var lines = try Program.run(["plan", capture, "--seed", "1"]).output.split(separator: "\n").map(String.init)
    lines[1] = #"{"packet":1,"verdict":"deliver","due":[30000000,1000000],"flip":[15]}"#
    lines[2] = #"{"packet":2,"verdict":"drop"}"#
    lines.remove(at: 3)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let sink = try Socket.udp()
    let replay = try Program.run(["replay", capture, "--to", sink.address, "--plan", path])
    #expect(replay.status == 0)
    var first = try #require(session.payloads[1])
    first[1] ^= 1
    #expect(sink.received() == [first, try #require(session.payloads[4]), first])
    #expect(replay.output.contains("dropped by the edited plan: 2"))
  }

  @Test("A plan that is due centuries later is refused")
  func aPlanThatIsDueCenturiesLaterIsRefused() throws {
    try RecordedSession.poses(capture, 4)
    let path = folder["a.plan"]
    var lines = try Program.run(["plan", capture, "--seed", "1"]).output.split(separator: "\n").map(String.init)
    lines[2] = #"{"packet":2,"verdict":"deliver","due":[1000000,9000000000000000000]}"#
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let replay = try Program.run(["replay", capture, "--to", "model:host", "--plan", path])
    #expect(replay.status == 65)
    #expect(replay.errors.contains("packet 2 is due 8,999,999,99"), "\(replay.errors)")
  }

  @Test("A line that cannot be carried out is named and not those behind it")
  func aLineThatCannotBeCarriedOutIsNamedAndNotThoseBehindIt() throws {
    try RecordedSession.poses(capture, 4)
    let path = folder["a.plan"]
    var lines = try Program.run(["plan", capture, "--seed", "1"]).output.split(separator: "\n").map(String.init)
    lines[2] = #"{"packet":2,"verdict":"deliver","set":{"intensity":1.5},"due":[1000000]}"#
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let replay = try Program.run(["replay", capture, "--to", "model:host", "--plan", path])
    #expect(replay.status == 65)
    #expect(replay.errors.contains("the plan's line of packet 2: "), "\(replay.errors)")
  }

  @Test("A plan of another capture is refused")
  func aPlanOfAnotherCaptureIsRefused() throws {
    try RecordedSession.poses(capture, 4)
    let path = folder["a.plan"]
    #expect(try Program.run(["plan", capture, "-o", path]).status == 0)
    let other = folder["other.pcapng"]
    try RecordedSession.poses(other, 5)
    let sink = try Socket.udp()
    let replay = try Program.run(["replay", other, "--to", sink.address, "--plan", path])
    #expect(replay.status == 65)
    #expect(replay.errors.contains("made for other packets"))
    #expect(replay.errors.contains("telecap plan"))
    #expect(sink.received().isEmpty)
    #expect(try Program.run(["replay", capture, "--plan", path, "--loss", "5%"]).status == 64)
  }

  @Test(
    "Nobody sends to many at once",
    arguments: ["224.0.0.1", "255.255.255.255:50000", "127.255.255.255", "[ff02::1]:50000", "0.0.0.0:50000"])
  func nobodySendsToManyAtOnce(_ address: String) throws {
    try RecordedSession.poses(capture, 2)
    let replay = try Program.run(["replay", capture, "--to", address])
    #expect(replay.status == 64)
    #expect(replay.errors.contains("send to one host"))
  }

  @Test("Another machine is reached only when named")
  func anotherMachineIsReachedOnlyWhenNamed() throws {
    try RecordedSession.poses(capture, 2)
    let dry = try Program.run(["replay", capture, "--dry-run"])
    #expect(dry.lines.count == 2)
    #expect(dry.lines.allSatisfy { $0.hasSuffix("to udp 127.0.0.1:50000") })
    let named = try Program.run(["replay", capture, "--dry-run", "--to", "192.0.2.99:7"])
    #expect(named.lines.allSatisfy { $0.hasSuffix("to udp 192.0.2.99:7") })
  }

  @Test("A dry run sends nothing")
  func aDryRunSendsNothing() throws {
    try RecordedSession.poses(capture, 3)
    let sink = try Socket.udp()
    let dry = try Program.run(["replay", capture, "--to", sink.address, "--dry-run", "--format", "json"])
    #expect(dry.status == 0)
    #expect(dry.lines.count == 3)
    let second = try dry.values()[1]
    #expect(second["due_ns"] == 5_000_000 && second["packet"] == 2 && second["what"] == "POSE", "\(second)")
    #expect(sink.received().isEmpty)
  }

  @Test("What is recorded is what was sent")
  func whatIsRecordedIsWhatWasSent() throws {
    try RecordedSession.poses(capture, 30)
    let (sink, record) = (try Socket.udp(), folder["sent.pcapng"])
    let arguments = ["replay", capture, "--to", sink.address, "--duplicate", "20%", "--record", record, "--seed", "2"]
    #expect(try Program.run(arguments).status == 0)
    var sent: [[UInt8]] = []
    var reader = try CaptureFileReader(path: record)
    try reader.forEach { header, frame in
      guard case .payload(let payload) = FrameDecoder.decode(frame, header) else { return }
      #expect(payload.flow.destination.description == sink.address)
      sent.append(frame.extracting(payload.range).withUnsafeBytes { Array($0) })
    }
    #expect(sent.count > 30)
    #expect(sink.received() == sent)
    #expect(try Program.run(arguments).status == 73)
  }

  @Test("Credentials are written into hello and bye")
  func credentialsAreWrittenIntoHelloAndBye() throws {
    _ = try RecordedSession.teleoperation(capture)
    let sink = try Socket.udp()
    let replay = try Program.run([
      "replay", capture, "--to", sink.address, "--code", "ABC123", "--session-id", "3735928559", "--speed", "max",
    ])
    #expect(replay.status == 0)
    let messages = sink.received().compactMap { Message(decoding: $0, as: .teleUDP) }
    let hellos = messages.filter { $0.kind == .hello }
    #expect(hellos.count == 4)
    #expect(hellos.allSatisfy { $0.value(of: "code") == .text("ABC123") })
    #expect(hellos.allSatisfy { Typed<Hello>($0)?[Hello.fields.sessionID] == 0xdead_beef })
    #expect(messages.filter { $0.kind == .bye }.compactMap { Typed<Bye>($0)?[Bye.fields.sessionID] } == [0xdead_beef])
    #expect(messages.filter { $0.kind == .pose }.count == 200)
    #expect(try Program.run(["replay", capture, "--code", "abc"]).status == 64)
  }

  @Test("Poses are numbered and timed anew")
  func posesAreNumberedAndTimedAnew() throws {
    let session = try RecordedSession(capture)
    for seq in [500, 700, 900] { try session.datagram(try RecordedSession.pose(seq), at: Int64(seq)) }
    try session.finish()
    let sink = try Socket.udp()
    let replay = try Program.run(["replay", capture, "--to", sink.address, "--restamp", "--speed", "4x"])
    #expect(replay.status == 0)
    let poses = sink.received().compactMap { Message(decoding: $0, as: .teleUDP) }
    #expect(poses.map { Typed<Pose>($0)?[Pose.fields.seq] } == [0, 1, 2])
    #expect(poses.map { Typed<Pose>($0)?[Pose.fields.timestamp] } == [0, 50_000, 100_000])
    #expect(poses.map { Typed<Pose>($0)?[Pose.fields.x] } == [500, 700, 900])
  }

  @Test("A loop sends the recording again")
  func aLoopSendsTheRecordingAgain() throws {
    let session = try RecordedSession.poses(capture, 5)
    let sink = try Socket.udp()
    let replay = try Program.run([
      "replay", capture, "--to", sink.address, "--loop", "3", "--speed", "max", "--restamp",
    ])
    #expect(replay.output.contains("3 times"))
    let poses = sink.received().compactMap { Message(decoding: $0, as: .teleUDP) }
    #expect(poses.compactMap { Typed<Pose>($0)?[Pose.fields.seq] } == Array(0..<15))
    #expect(session.payloads.count == 5)
  }

  @Test("Streams are opened anew and keep their bytes")
  func streamsAreOpenedAnewAndKeepTheirBytes() async throws {
    _ = try RecordedSession.dragging(capture)
    let (sink, server) = (try Socket.udp(), try await StreamSink.start())
    let replay = try Program.run([
      "replay", capture, "--role", "mouse", "--to", sink.address, "--tcp-port", String(server.port), "--loss", "100%",
      "--corrupt", "100%", "--reorder", "100%",
    ])
    #expect(replay.status == 0)
    #expect(sink.received().isEmpty)
    #expect(try await server.stop() == [[0xbb, 1, 0, 0, 0, 0xbb, 0, 0, 0, 0]])
    #expect(replay.output.contains("1 TCP stream, 10 bytes"))
  }

  @Test("Credentials in a stream are found wherever it is cut")
  func credentialsInAStreamAreFoundWhereverItIsCut() async throws {
    let session = try RecordedSession(capture)
    let (phone, host) = (RecordedSession.phone, RecordedSession.host)
    let frame = try Message.hello(sessionID: 1, code: "OLDONE").framed(as: .teleTCP)
    try session.open(phone, host, at: 0)
    for (index, byte) in frame.enumerated() { try session.stream([byte], phone, host, at: Int64(index)) }
    try session.stream([8, 0] + Message.cmd(Cmd.recording, true).bytes, phone, host, at: 50)
    try session.finish()
    let server = try await StreamSink.start()
    let replay = try Program.run([
      "replay", capture, "--to", "127.0.0.1:\(server.port)", "--code", "NEWONE", "--session-id", "2",
    ])
    #expect(replay.status == 0)
    let expected = try Message.hello(sessionID: 2, code: "NEWONE").framed(as: .teleTCP)
    #expect(try await server.stop() == [expected + [8, 0] + Message.cmd(Cmd.recording, true).bytes])
  }

  @Test("Nobody at a streams port is unavailable")
  func nobodyAtAStreamsPortIsUnavailable() throws {
    _ = try RecordedSession.dragging(capture)
    let sink = try Socket.udp()
    let replay = try Program.run([
      "replay", capture, "--role", "mouse", "--to", sink.address, "--tcp-port", "1",
    ])
    #expect(replay.status == 69)
    #expect(replay.errors.contains("127.0.0.1:1"))
  }

  @Test("Lateness beyond the limit is a failed check")
  func latenessBeyondTheLimitIsAFailedCheck() throws {
    try RecordedSession.poses(capture, 20)
    let sink = try Socket.udp()
    #expect(try Program.run(["replay", capture, "--to", sink.address, "--fail-if-late", "0"]).status == 1)
    #expect(try Program.run(["replay", capture, "--to", sink.address, "--fail-if-late", "60s"]).status == 0)
    #expect(
      try Program.run(["replay", capture, "--to", sink.address, "--fail-if-late", "1s", "--speed", "max"]).status == 64)
  }

  @Test("A damaged recording is sent as far as it goes")
  func aDamagedRecordingIsSentAsFarAsItGoes() throws {
    try RecordedSession.poses(capture, 5)
    let bytes = try Data(contentsOf: URL(filePath: capture))
    try bytes.dropLast(30).write(to: URL(filePath: capture))
    let sink = try Socket.udp()
    let replay = try Program.run(["replay", capture, "--to", sink.address, "--speed", "max"])
    #expect(replay.status == 65)
    #expect(sink.received().count == 4)
    #expect(replay.errors.contains("at byte 560"))
  }

  @Test("Ctrl-C ends it with its report: well where it has no other end, else as broken off", arguments: [0, 9_000])
  func controlCEndsItWithItsReport(_ times: Int) throws {
    try RecordedSession.poses(capture, 100)
    let sink = try Socket.udp()
    let running = try Program.start(["replay", "-v", capture, "--to", sink.address, "--loop", "\(times)"])
    try sink.waitForFirst()
    running.signal(SIGINT)
    let replay = try running.finish()
    #expect(replay.status == (times == 0 ? 0 : 130))
    #expect(replay.output.contains(", stopped"))
    #expect(replay.output.contains("timing    error p50"))
  }

  @Test(
    "A code beside one that the system has is refused, wherever that stands",
    arguments: ["udp://127.0.0.1:9?role=host&code=XYZ789", "coded.yaml"])
  func codes(_ system: String) throws {
    let folder = try Folder()
    let file = "role: host\ncommand: [none]\ncode: XYZ789\naddresses: { udp: free }\n"
    let path = try folder.write(Array(file.utf8), to: "coded.yaml")
    let capture = Project.file("Captures/teleoperation.pcapng").path
    let to = system.hasPrefix("udp") ? system : path
    let end = try Program.run(["replay", capture, "--to", to, "--code", "ABC123"])
    #expect(end.status == 64)
    #expect(end.errors.hasPrefix("telecap: --code ABC123 has no effect: "), "\(end.errors)")
    #expect(end.errors.hasSuffix(" says that the code is XYZ789\n  leave out one of the two\n"), "\(end.errors)")
  }

  @Test("The command that repeats a run has its seed in front of --, behind which no word is an option")
  func repeats() throws {
    let capture = Project.file("Captures/teleoperation.pcapng").path
    // Who is there says nothing: nothing can be judged, of which is told how to repeat it.
    let silent = try Socket.udp()
    defer { withExtendedLifetime(silent) {} }
    let system = "udp://127.0.0.1:\(silent.port)?role=host"
    let end = try Program.run(["replay", "--to", system, "--speed", "20x", "--", capture])
    #expect(end.status == 1)
    let line = try #require(end.lines.first { $0.hasPrefix("  repeat    ") })
    let command = try #require(line.firstMatch(of: /repeat    telecap (.* --seed (\d+) -- .*)/))
    #expect(end.errors.contains("seed \(command.2)"))
    let again = try Program.shell("\"$telecap\" \(command.1)")
    #expect(again.lines.contains(line), "\(again.errors)")
  }

  @Test("An option that has no effect on what the recording turns out to hold is refused as one that never has")
  func form() throws {
    let drag = Project.file("Captures/mouse-drag.pcapng").path
    let end = try Program.run("replay \(drag) --restamp")
    #expect(end.status == 64)
    #expect(
      end.errors == """
        Error: --restamp requires packets of a phone: a mouse sends no poses
        Usage: telecap replay [<options>] <capture>
          See 'telecap replay --help' for more information.

        """)
  }
}
