import TelecapCapture
import TelecapRecording
import TelecapTransport

/// `--record`: a pcapng file of what was sent and what came back, each with the time at which that was.
final class ReplayRecorder {
  private let path: String
  private var writer: PcapngWriter
  private var frames = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []
  /// Frames that are loaded and not sent.
  private var waiting = PacketBatch()
  private var packets = 0
  /// The ends that stand in the file under another name: one of our own peers listens on a port that the system chose,
  /// and the file shall be read as what it is.
  var aliases: [Endpoint: Endpoint] = [:]

  /// Creates the file.
  init(path: String, force: Bool, comment: String) throws {
    if !force, Console.exists(path) {
      throw Failure(.cannotCreate, "\(path): exists already", advice: "give another name, or --force to replace it")
    }
    self.path = path
    writer = try Self.create(path, comment, Interface(name: "replay", linkType: frames.link.linkType))
  }

  private static func create(_ path: String, _ comment: String, _ interface: Interface) throws -> PcapngWriter {
    do {
      var writer = try PcapngWriter(path: path, tool: "telecap \(Telecap.versionText)", comment: comment)
      try writer.add(interface)
      return writer
    } catch {
      throw Failure(.cannotCreate, "\(error)")
    }
  }

  /// A payload that is sent next.
  func load(_ flow: Flow, _ bytes: RawSpan) throws {
    try build(flow, bytes)
    let built = frame
    waiting.append(PacketHeader(number: 0, time: .zero, originalLength: built.count, linkType: 0), built.span.bytes)
  }

  /// All that was loaded has been sent.
  func sent() throws {
    let now = WallClock.now()
    // The batch leaves its place while it is read: writing changes this recorder.
    var batch = PacketBatch()
    swap(&batch, &waiting)
    try batch.forEach { _, bytes in try write(bytes, at: now) }
    batch.removeAll()
    swap(&batch, &waiting)
  }

  /// A payload that came back.
  func replied(_ reply: Reply, _ bytes: RawSpan) throws {
    try build(reply.flow, bytes)
    let built = frame
    try write(built.span.bytes, at: reply.time)
  }

  /// Writes what waits.
  func finish() throws { try writer.finish() }

  private func build(_ flow: Flow, _ bytes: RawSpan) throws {
    frame.removeAll(keepingCapacity: true)
    let named = Flow(
      flow.carrier, from: aliases[flow.source] ?? flow.source, to: aliases[flow.destination] ?? flow.destination)
    do {
      try frames.append(bytes, named, to: &frame)
    } catch {
      throw Failure(.data, "\(path): \(error)")
    }
  }

  private func write(_ bytes: RawSpan, at time: Timestamp) throws {
    packets += 1
    let header = PacketHeader(
      number: packets, time: time, originalLength: bytes.byteCount, linkType: frames.link.linkType)
    try writer.write(header, bytes)
  }
}
