import TelecapRecording

/// Writes a pcapng file of sent and received payloads, each with its time. The file always contains everything older
/// than 250 ms.
public final class ReplayRecorder {
  private let path: String
  /// Called after each write, when the file is complete.
  private let keep: () throws -> Void
  private var writer: PcapngWriter
  private var frames = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []
  /// Frames that are loaded but not sent.
  private var waiting = PacketBatch()
  private var packets = 0
  /// The number of packets that are in the file for certain.
  private var written = 0
  private let clock = ContinuousClock()
  private var flushed = ContinuousClock.now
  /// The addresses that are replaced in the file: our own peers listen on ports that the system chose, and readers of
  /// the file expect the protocol's ports.
  public var aliases: [Endpoint: Endpoint] = [:]

  /// Creates the file, or replaces an existing one.
  ///
  /// - Parameters:
  ///   - path: the final path, as errors name it.
  ///   - workingPath: the path while it is written; `keep` moves it to its final path.
  ///   - tool: the program that writes it, with its version.
  ///   - ports: the ports at non-standard numbers, by their ids.
  ///   - keep: called after each write with packets, and at the end, when the file is complete.
  public init(
    path: String, at workingPath: String? = nil, tool: String, comment: String, ports: [String: UInt16] = [:],
    keep: @escaping () throws -> Void = {}
  ) throws(CaptureFileError) {
    (self.path, self.keep) = (path, keep)
    writer = try PcapngWriter(path: workingPath ?? path, named: path, tool: tool, comment: comment, ports: ports)
    try writer.add(Interface(name: "replay", linkType: frames.link.linkType))
    try writer.finish()
  }

  /// Loads a payload that is sent next.
  ///
  /// - Throws: `UnframedError`
  public func load(_ flow: Flow, _ bytes: RawSpan) throws {
    try build(flow, bytes)
    let built = frame
    waiting.append(PacketHeader(number: 0, time: .zero, originalLength: built.count, linkType: 0), built.span.bytes)
  }

  /// Records that all loaded payloads were sent at this time.
  ///
  /// - Throws: `CaptureFileError`
  public func sent(at now: Timestamp) throws {
    // Take the batch out while it is read, because writing changes this recorder.
    var batch = PacketBatch()
    swap(&batch, &waiting)
    try batch.forEach { _, bytes in try write(bytes, at: now) }
    batch.removeAll()
    swap(&batch, &waiting)
  }

  /// Records a payload that was sent at this time when the replay ended early. Loaded payloads are discarded, because
  /// they will not be sent.
  ///
  /// - Throws: `UnframedError` or `CaptureFileError`
  public func recordTeardown(_ flow: Flow, _ bytes: RawSpan, at time: Timestamp) throws {
    waiting.removeAll()
    try replied(flow, bytes, at: time)
  }

  /// Records a payload that was received at this time.
  ///
  /// - Throws: `UnframedError` or `CaptureFileError`
  public func replied(_ flow: Flow, _ bytes: RawSpan, at time: Timestamp) throws {
    try build(flow, bytes)
    let built = frame
    try write(built.span.bytes, at: time)
  }

  /// Writes the buffer if the last write is at least `flushInterval` ago; call it at least every 50 ms. The file is
  /// complete after each write, so a crash loses at most the last 250 ms.
  ///
  /// - Throws: `CaptureFileError`, or any error of `keep`.
  public func flushIfDue() throws {
    let now = clock.now
    guard now - flushed >= ReplayRecorder.flushInterval else { return }
    flushed = now
    try flush()
    if packets > 0 { try keep() }
  }

  /// Half of the promised 250 ms; the other half is for the disk.
  private static let flushInterval = Duration.milliseconds(125)

  /// Writes the buffer.
  ///
  /// - Throws: `CaptureFileError`
  public func finish() throws {
    try flush()
    try keep()
  }

  private func flush() throws {
    try saying { () throws(CaptureFileError) in try writer.finish() }
    written = packets
  }

  /// Runs `body`. If the file cannot be written, the error has the number of packets in it.
  private func saying(_ body: () throws(CaptureFileError) -> Void) throws {
    do {
      try body()
    } catch .cannotWrite(_, _, let reason) {
      // The written packets may not be at the final path yet.
      if written > 0 { try keep() }
      throw RecordingStopped(path: path, packets: written, reason: reason)
    }
  }

  private func build(_ flow: Flow, _ bytes: RawSpan) throws(UnframedError) {
    frame.removeAll(keepingCapacity: true)
    let named = Flow(
      flow.carrier, from: aliases[flow.source] ?? flow.source, to: aliases[flow.destination] ?? flow.destination)
    do {
      try frames.append(bytes, named, to: &frame)
    } catch {
      throw UnframedError(path: path, reason: error)
    }
  }

  private func write(_ bytes: RawSpan, at time: Timestamp) throws {
    packets += 1
    let header = PacketHeader(
      number: packets, time: time, originalLength: bytes.byteCount, linkType: frames.link.linkType)
    try saying { () throws(CaptureFileError) in try writer.write(header, bytes) }
  }
}

/// The file of a replay cannot be written any more.
public struct RecordingStopped: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The minimum number of its packets that are in the file.
  public let packets: Int
  /// The system's error.
  public let reason: ErrnoError

  /// The problem, and the packets in the file.
  public var description: String {
    packets == 0
      ? "\(path): \(reason); the incomplete file was removed: make room and run it again"
      : "\(path): \(reason); the first \(packets) packets are in the file and can be read"
  }
}

/// A payload for a recording that cannot be framed.
public struct UnframedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the recording.
  public let path: String
  /// The reason.
  public let reason: FrameBuilder.Failure

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }
}
