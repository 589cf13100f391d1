import TelecapRecording

/// A pcapng file of what was sent and what came back, each with the time at which that was. It is written at its place, and holds
/// at any moment what it was given 250 ms ago.
public final class ReplayRecorder {
  private let path: String
  private var writer: PcapngWriter
  private var frames = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []
  /// Frames that are loaded and not sent.
  private var waiting = PacketBatch()
  private var packets = 0
  private let clock = ContinuousClock()
  private var flushed = ContinuousClock.now
  /// The ends that stand in the file under another name: one of our own peers listens on a port that the system chose,
  /// and the file shall be read as what it is.
  public var aliases: [Endpoint: Endpoint] = [:]

  /// Creates the file, in place of one that is there.
  ///
  /// - Parameter tool: the program that writes it, with its version.
  public init(path: String, tool: String, comment: String) throws(CaptureFileError) {
    self.path = path
    writer = try PcapngWriter(path: path, tool: tool, comment: comment)
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
  /// - Throws: `CaptureFileError`
  public func flushIfDue() throws {
    let now = clock.now
    guard now - flushed >= ReplayRecorder.flushInterval else { return }
    flushed = now
    try writer.finish()
  }

  /// Half of what is promised; the other half is for the disk.
  private static let flushInterval = Duration.milliseconds(125)

  /// Writes what waits.
  public func finish() throws { try writer.finish() }

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
    try writer.write(header, bytes)
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
