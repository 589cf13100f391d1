import TelecapRecording

/// A pcapng file of what was sent and what came back, each with the time at which that was. It holds at any moment what it was
/// given 250 ms ago.
public final class ReplayRecorder {
  private let path: String
  /// Called behind each write: the file is whole then.
  private let keep: () throws -> Void
  private var writer: PcapngWriter
  private var frames = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []
  /// Frames that are loaded and not sent.
  private var waiting = PacketBatch()
  private var packets = 0
  /// How many of them are in the file for sure.
  private var written = 0
  private let clock = ContinuousClock()
  private var flushed = ContinuousClock.now
  /// The ends that stand in the file under another name: one of our own peers listens on a port that the system chose,
  /// and the file shall be read as what it is.
  public var aliases: [Endpoint: Endpoint] = [:]

  /// Creates the file, in place of one that is there.
  ///
  /// - Parameters:
  ///   - path: where it goes, as errors say it.
  ///   - workingPath: where it is written; `keep` brings it to its place.
  ///   - tool: the program that writes it, with its version.
  ///   - ports: the numbers of ports that are not as the documents say, by their ids.
  ///   - keep: is called behind each write with packets, and at the end: the file is whole then.
  public init(
    path: String, at workingPath: String? = nil, tool: String, comment: String, ports: [String: UInt16] = [:],
    keep: @escaping () throws -> Void = {}
  ) throws(CaptureFileError) {
    (self.path, self.keep) = (path, keep)
    writer = try PcapngWriter(path: workingPath ?? path, named: path, tool: tool, comment: comment, ports: ports)
    try writer.add(Interface(name: "replay", linkType: frames.link.linkType))
    try writer.finish()
  }

  /// A payload that is sent next.
  ///
  /// - Throws: `UnframedError`
  public func load(_ flow: Flow, _ bytes: RawSpan) throws {
    try build(flow, bytes)
    let built = frame
    waiting.append(PacketHeader(number: 0, time: .zero, originalLength: built.count, linkType: 0), built.span.bytes)
  }

  /// All that was loaded has been sent, at this time.
  ///
  /// - Throws: `CaptureFileError`
  public func sent(at now: Timestamp) throws {
    // The batch leaves its place while it is read: writing changes this recorder.
    var batch = PacketBatch()
    swap(&batch, &waiting)
    try batch.forEach { _, bytes in try write(bytes, at: now) }
    batch.removeAll()
    swap(&batch, &waiting)
  }

  /// A payload that was sent at this time before the replay ended early. What was loaded meanwhile never will be sent.
  ///
  /// - Throws: `UnframedError` or `CaptureFileError`
  public func recordTeardown(_ flow: Flow, _ bytes: RawSpan, at time: Timestamp) throws {
    waiting.removeAll()
    try replied(flow, bytes, at: time)
  }

  /// A payload that came back at this time.
  ///
  /// - Throws: `UnframedError` or `CaptureFileError`
  public func replied(_ flow: Flow, _ bytes: RawSpan, at time: Timestamp) throws {
    try build(flow, bytes)
    let built = frame
    try write(built.span.bytes, at: time)
  }

  /// Writes what waits, when what was written last is `flushInterval` or more ago: call it at least every 50 ms. The file is
  /// whole behind each write, so that the end of the process at any moment loses no more than the last 250 ms.
  ///
  /// - Throws: `CaptureFileError`; what `keep` throws.
  public func flushIfDue() throws {
    let now = clock.now
    guard now - flushed >= ReplayRecorder.flushInterval else { return }
    flushed = now
    try flush()
    if packets > 0 { try keep() }
  }

  /// Half of what is promised; the other half is for the disk.
  private static let flushInterval = Duration.milliseconds(125)

  /// Writes what waits.
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

  /// Runs `body`; where the file takes nothing more, the error says what it holds.
  private func saying(_ body: () throws(CaptureFileError) -> Void) throws {
    do {
      try body()
    } catch .cannotWrite(_, _, let reason) {
      // What was written may not have come to its place yet.
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

/// The file of a replay takes nothing more.
public struct RecordingStopped: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// So many of its packets are in it, or a few more.
  public let packets: Int
  /// What the system said.
  public let reason: ErrnoError

  /// What is wrong, and what is left.
  public var description: String {
    packets == 0
      ? "\(path): \(reason); nothing of it is left: make room and run it again"
      : "\(path): \(reason); the first \(packets) packets are in the file and can be read"
  }
}

/// A payload for a recording of which there is no frame.
public struct UnframedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file that it was for.
  public let path: String
  /// Why there is none.
  public let reason: FrameBuilder.Failure

  /// Both, in a sentence.
  public var description: String { "\(path): \(reason)" }
}
