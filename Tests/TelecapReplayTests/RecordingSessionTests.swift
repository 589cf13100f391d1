import TelecapCapture
import TelecapFiles
import TelecapPlatform
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapReplay

@Suite struct RelayRecorderTests {
  private let flow = Flow(
    .tcp, from: Endpoint(IPAddress(v4: 0xc000_0207), port: 40_000),
    to: Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000))

  /// The payloads of all frames that were offered.
  private func payloads(_ body: (RelayRecorder) -> Void) throws -> [[UInt8]] {
    let queue = PacketQueue()
    body(RelayRecorder(queue))
    var batch = PacketBatch()
    queue.take(&batch)
    var payloads: [[UInt8]] = []
    batch.forEach { header, frame in
      guard case .payload(let payload) = FrameDecoder.decode(frame, header) else { return }
      payloads.append(frame.extracting(payload.range).withUnsafeBytes { Array($0) })
    }
    return payloads
  }

  @Test("A piece of a stream that no packet holds becomes several, and no byte is lost")
  func longPiece() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let frames = try payloads { $0.relayed(bytes.span.bytes, flow: flow, time: .zero) }
    #expect(frames.count == 2 && Array(frames.joined()) == bytes)
  }

  @Test("A connection is opened by both sides, and closed; an empty datagram is one")
  func connection() throws {
    let frames = try payloads { recorder in
      recorder.connection(.opened, flow: flow, time: .zero)
      recorder.relayed(([1, 2] as [UInt8]).span.bytes, flow: flow, time: .zero)
      recorder.connection(.finished, flow: flow, time: .zero)
      recorder.connection(.closed, flow: flow, time: .zero)
    }
    #expect(frames == [[], [], [1, 2], []])
    let datagram = Flow(.udp, from: flow.source, to: flow.destination)
    #expect(try payloads { $0.relayed(RawSpan(), flow: datagram, time: .zero) } == [[]])
  }
}

@Suite struct RecordingSessionTests {
  private let folder: Folder
  private let sink: Socket
  private var capture: String { folder["x.telecap"] }

  init() throws { (folder, sink) = (try Folder(), try Socket.udp()) }

  /// Relays to the sink until a limit; each of `datagrams` is sent once it is told that recording has begun.
  private func relay(
    _ datagrams: [[UInt8]], _ limits: RecordingLimits
  ) async throws -> (summary: RecordSummary, told: [String]) {
    let told = Locked<[String]>([])
    let free = try freePort()
    let phone = try Socket.udp()
    let session = RecordingSession(into: capture, force: false, ports: .standard, limits: limits, files: .builtIn) {
      line in
      told.with { $0.append(line) }
      guard line.hasPrefix("recording") else { return }
      for bytes in datagrams { #expect(throws: Never.self) { try phone.send(bytes, to: free) } }
    }
    let summary = try await session.relay([try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")])
    return (summary, told.with { $0 })
  }

  @Test("A relay passes on and records as many packets as were asked for, and says so before it begins")
  func relay() async throws {
    let sent = [Bytes.hello, Bytes.pose(1), Bytes.pose(2)]
    let limits = RecordingLimits(packets: sent.count, duration: 600_000_000_000, stop: StopFlag())
    let (summary, told) = try await relay(sent, limits)
    #expect(summary.packets == 3 && summary.nanoseconds < 600_000_000_000 && summary.dropped.total == 0)
    // A busy machine may let the relay stand still, which it says.
    #expect(told.filter { !$0.contains("stopped or starved") }.map { $0.prefix(9) } == ["relaying ", "recording"])
    #expect(sink.received() == sent)
    #expect(try payloads() == sent)
    let info = try RecordingFiles.builtIn.reader(capture).info()
    #expect(info.source.hasPrefix("relay udp:") && info.clock == "system clock, ns" && info.ended != nil)
  }

  @Test("A relay that nobody uses ends when its time is over")
  func unused() async throws {
    let limits = RecordingLimits(packets: 1, duration: 300_000_000, stop: StopFlag())
    let summary = try await relay([], limits).summary
    #expect(summary.packets == 0 && summary.nanoseconds >= 300_000_000 && summary.dropped.total == 0)
  }

  @Test(
    "That the system clock was set is told and kept beside the packets, whose times go on",
    arguments: [-1, 1] as [Int64])
  func clockStep(sign: Int64) async throws {
    let (looks, told) = (Locked(0), Locked<[String]>([]))
    let (free, phone) = (try freePort(), try Socket.udp())
    let limits = RecordingLimits(packets: 1, stop: StopFlag())
    var session = RecordingSession(into: capture, force: false, ports: .standard, limits: limits, files: .builtIn) {
      line in
      told.with { $0.append(line) }
    }
    // The clock is set between the first look and the second; then a packet ends the recording. However late this machine is, no time
    // passes.
    session.stamps.steady = { 0 }
    session.stamps.shift = {
      looks.with { $0 += 1 }
      if looks.with({ $0 }) == 3 { #expect(throws: Never.self) { try phone.send(Bytes.hello, to: free) } }
      return looks.with { $0 } < 2 ? 0 : sign * 3_600_000_000_000
    }
    let before = WallClock.now()
    _ = try await session.relay([try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")])
    let line =
      "the system clock was set \(sign < 0 ? "back" : "forward") by 3600.000 s; packet times are not affected"
    #expect(told.with { $0 }.filter { $0.contains("clock") } == ["\(capture): \(line)"])
    let reader = try RecordingFiles.builtIn.reader(capture)
    let comment = try reader.interfaces()[0].comment
    #expect(comment.hasSuffix(" UTC: \(line)") && comment.split(separator: "\n").count == 2)
    var times: [Timestamp] = []
    try reader.forEachPacket { header, _ in times.append(header.time) }
    #expect(times.count == 1 && times.allSatisfy { (before...WallClock.now()).contains($0) })
  }

  @Test("That the relay stood still is told and kept beside the packets that it dated late")
  func standstill() async throws {
    let (looks, told) = (Locked<Int64>(0), Locked<[String]>([]))
    let (free, phone) = (try freePort(), try Socket.udp())
    let limits = RecordingLimits(packets: 1, stop: StopFlag())
    var session = RecordingSession(into: capture, force: false, ports: .standard, limits: limits, files: .builtIn) {
      line in
      told.with { $0.append(line) }
    }
    // 10 s pass between the first two looks and none after them; then a packet ends the recording. Nobody sets the clock.
    session.stamps.shift = { 0 }
    session.stamps.steady = {
      looks.with { $0 += 1 }
      if looks.with({ $0 }) == 3 { #expect(throws: Never.self) { try phone.send(Bytes.hello, to: free) } }
      return looks.with { $0 } < 2 ? 0 : 10_000_000_000
    }
    _ = try await session.relay([try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")])
    let line =
      "telecap was stopped or starved for 10.000 s: packets of that time have the time at which they were read"
    #expect(told.with { $0 }.filter { $0.contains("starved") } == ["\(capture): \(line)"])
    let comment = try RecordingFiles.builtIn.reader(capture).interfaces()[0].comment
    #expect(comment.hasSuffix(" UTC: \(line)"))
  }

  @Test("While another program holds the lock of its file a relay goes on, and its end waits for the lock only so long")
  func locked() async throws {
    var limits = RecordingLimits(packets: 3, stop: StopFlag())
    limits.lockPatience = 300_000_000
    var other: Database?
    defer { withExtendedLifetime(other) {} }
    let (free, phone) = (try freePort(), try Socket.udp())
    let session = RecordingSession(into: capture, force: false, ports: .standard, limits: limits, files: .builtIn) {
      [capture] line in
      guard line.hasPrefix("recording") else { return }
      #expect(throws: Never.self) { other = try Database(locking: capture) }
      for number in 1...3 { #expect(throws: Never.self) { try phone.send(Bytes.pose(UInt16(number)), to: free) } }
    }
    let specs = [try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")]
    await #expect(throws: StoreError.locked(path: capture, packets: 0, lost: 3)) { try await session.relay(specs) }
    #expect(sink.received() == (1...3).map { Bytes.pose(UInt16($0)) })
  }

  @Test("The comment of the interface says how long a lock lasted that was let go during the end of the recording")
  func lockedAtTheEnd() async throws {
    let (other, phone, free) = (Locked<Database?>(nil), try Socket.udp(), try freePort())
    let told = Locked<[String]>([])
    let limits = RecordingLimits(packets: 3, stop: StopFlag())
    let session = RecordingSession(into: capture, force: false, ports: .standard, limits: limits, files: .builtIn) {
      [capture] line in
      told.with { $0.append(line) }
      if line.contains("waiting up to") { other.with { $0 = nil } }
      guard line.hasPrefix("recording") else { return }
      #expect(throws: Never.self) { try other.with { $0 = try Database(locking: capture) } }
      for number in 1...3 { #expect(throws: Never.self) { try phone.send(Bytes.pose(UInt16(number)), to: free) } }
    }
    _ = try await session.relay([try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")])
    #expect(try payloads().count == 3)
    let comment = try RecordingFiles.builtIn.reader(capture).interfaces()[0].comment
    let line = try #require(comment.split(separator: "\n").last)
    #expect(line.contains(": another program held the write lock for ") && line.hasSuffix("; no packet was dropped"))
    #expect(told.with { $0 }.contains { $0.hasPrefix("\(capture): another program held the write lock for ") })
    #expect(try RecordingFiles.builtIn.reader(capture).info().ended != nil)
  }

  /// What the packets of the capture hold.
  private func payloads() throws -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    var input = try RecordingFiles.builtIn.recording(capture).open()
    try input.forEach { header, frame in
      guard case .payload(let payload) = FrameDecoder.decode(frame, header) else { return }
      payloads.append(frame.extracting(payload.range).withUnsafeBytes { Array($0) })
    }
    return payloads
  }
}
