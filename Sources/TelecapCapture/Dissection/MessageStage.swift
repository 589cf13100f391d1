import TelecapRecording
import TelecapWire

/// The second half of a dissection: payloads and stream bytes become messages.
struct MessageStage {
  let ports: Ports
  /// The protocols of contested flows of datagrams.
  var contested = ContestedFlows()
  var tracker = SessionTracker()
  var lastTime = Timestamp.zero
  /// The findings of the message at hand; the memory is used again.
  private var findings: [Finding] = []
  /// The open streams, by their numbers.
  private var streams: [Int: OpenStream] = [:]

  /// A stream whose bytes are being put into messages.
  private struct OpenStream {
    var carried: StreamProtocol
    /// There once its protocol is decided.
    var framer: StreamFramer?
    /// Its first bytes may stand in the middle of a message.
    var isLost: Bool
    /// The packet that brought its latest bytes: what is found at its end is said about that one.
    var latest: PacketHeader
  }

  init(ports: Ports) { self.ports = ports }

  /// Reads the message in `bytes` and passes it on. What the layers know of it stands in `message`; its kind, direction,
  /// session and validity are filled in here. (It is built once and not copied: this is the hot path.)
  mutating func receive(
    _ bytes: RawSpan, _ message: inout DissectedMessage, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    if !findings.isEmpty { findings.removeAll(keepingCapacity: true) }
    message.kind = MessageDecoder.decode(bytes, as: message.dialect, findings: &findings)
    message.isValid = findings.isEmpty || !findings.contains { $0.severity == .error }
    if message.direction == .unknown { message.direction = message.kind.layoutDirection }
    message.session = tracker.receive(
      message.kind, bytes, in: message.datagram, going: message.direction, isValid: message.isValid,
      findings: &findings)
    try sink.message(message, bytes, findings)
    try tracker.tellUnanswered { try sink.lateFinding($0, $1) }
  }

  /// What happens to a stream goes through its framer. A segment may move other streams than its own: it acknowledges,
  /// and it may take the place of a connection that was silent.
  ///
  /// - Parameters:
  ///   - header: the packet at hand; nil when the capture has ended.
  ///   - frame: its bytes, in which `bytes` may lie.
  mutating func receive(
    _ event: TCPEvent, _ bytes: RawSpan, _ header: PacketHeader?, _ frame: FrameBounds,
    to sink: inout some DissectionSink & ~Copyable
  ) throws {
    if case .opened(let isPickedUp) = event.kind {
      guard let header, let carried = StreamProtocol(event.flow, by: ports) else { return }
      streams[event.stream] = OpenStream(carried: carried, isLost: isPickedUp, latest: header)
      return
    }
    // The stream leaves its place while it is at work, so that it is changed where it stands and not copied.
    guard var stream = streams.removeValue(forKey: event.stream) else { return }
    var isOpen = true
    if case .closed = event.kind { isOpen = false }
    defer { if isOpen { streams[event.stream] = stream } }
    if isOpen { stream.latest = header ?? stream.latest }
    let latest = stream.latest
    if case .missing(let range) = event.kind {
      try sink.packetFinding(Finding(.streamGap, 0..<0, .count(Int(clamping: range.count))), latest)
    }
    var (framer, isLost) = (stream.framer.take(), stream.isLost)
    defer { (stream.framer, stream.isLost) = (framer, isLost) }
    try stream.carried.receive(event, bytes) { kind, match, bytes in
      var working = framer.take() ?? StreamFramer(match.dialect, isLost: isLost)
      defer { framer = working }
      switch kind {
      case .opened: return
      case .data: try working.receive(bytes) { try found($0, $1, match, event.flow, latest, frame, &sink) }
      case .missing: try working.gap { try found($0, $1, match, event.flow, latest, frame, &sink) }
      case .closed: try working.finish { try found($0, $1, match, event.flow, latest, frame, &sink) }
      }
    }
    if framer == nil, case .missing = event.kind { isLost = true }
  }

  private mutating func found(
    _ event: FrameEvent, _ bytes: RawSpan, _ match: PortMatch, _ flow: Flow, _ header: PacketHeader,
    _ frame: FrameBounds, _ sink: inout some DissectionSink & ~Copyable
  ) throws {
    if event == .message {
      let datagram = Datagram(packet: header.number, time: header.time, flow: flow)
      var message = DissectedMessage(match, datagram, offset: frame.offset(of: bytes))
      try receive(bytes, &message, to: &sink)
    } else if let finding = event.finding(match.dialect.owner.rules) {
      // It is about the stream, not about a place in a message.
      try sink.packetFinding(Finding(finding.rule, 0..<0, finding.detail), header)
    }
  }
}

/// Where a frame lies in memory, to tell the bytes that lie in it from those that were kept from earlier frames.
struct FrameBounds {
  private let start: UInt
  private let count: UInt

  init(_ frame: RawSpan) {
    start = frame.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    count = UInt(frame.byteCount)
  }

  /// Where `bytes` begin in the frame; nil when they lie elsewhere.
  func offset(of bytes: RawSpan) -> Int? {
    let offset = bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } &- start
    return bytes.byteCount > 0 && offset < count ? Int(offset) : nil
  }
}
