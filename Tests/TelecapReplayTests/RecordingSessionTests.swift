import TelecapCapture
import TelecapFiles
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
    _ = queue.take(&batch, after: 0)
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
  @Test("A relay records until its limit, and says so before it begins")
  func relay() async throws {
    let folder = try Folder()
    let sink = try Socket.udp()
    let told = Locked<[String]>([])
    let session = RecordingSession(
      into: folder["x.telecap"], force: false, ports: .standard,
      limits: RecordingLimits(duration: 300_000_000, stop: StopFlag()), files: .builtIn,
      tell: { line in told.with { $0.append(line) } })
    let free = try Socket.udp().port
    let spec = try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(sink.port)")
    let summary = try await session.relay([spec])
    #expect(summary.packets == 0 && summary.nanoseconds >= 300_000_000 && summary.dropped.total == 0)
    #expect(told.with { $0 }.map { $0.prefix(9) } == ["relaying ", "recording"])
    let info = try RecordingFiles.builtIn.reader(folder["x.telecap"]).info()
    #expect(info.source.hasPrefix("relay udp:") && info.clock == "system clock, ns" && info.ended != nil)
  }
}
