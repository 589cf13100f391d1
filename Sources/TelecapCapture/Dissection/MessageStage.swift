import TelecapRecording
import TelecapWire

/// The second half of a dissection: decodes messages from payloads and stream bytes.
struct MessageStage {
  let ports: Ports
  /// The protocols of contested flows of datagrams.
  var contested = ContestedFlows()
  var tracker = SessionTracker()
  var lastTime = Timestamp.zero
  /// The findings of the current message; the memory is reused.
  private var findings: [Finding] = []
  /// The open streams by number.
  private var streams: [Int: OpenStream] = [:]

  /// A stream that is being decoded.
  private struct OpenStream {
    var carried: StreamProtocol
    /// The framer, once the protocol is decided.
    var framer: StreamFramer?
    /// Whether the first bytes may be in the middle of a message.
    var isLost: Bool
    /// The packet with its latest bytes, to which findings at its end belong.
    var latest: PacketHeader
  }

  init(ports: Ports) { self.ports = ports }

  /// Decodes the message in `bytes` and emits it. `message` contains the data of the layers; its kind, direction,
  /// session and validity are set here. (It is built once and not copied, because this is the hot path.)
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

  /// Decodes the messages of a datagram that may contain several.
  @inline(never)
  mutating func receive(
    _ bytes: RawSpan, _ match: PortMatch, _ datagram: Datagram, offset: Int?,
    to sink: inout some DissectionSink & ~Copyable
  ) throws {
    try match.dialect.eachMessageRange(of: bytes) { part in
      var message = DissectedMessage(match, datagram, offset: offset.map { $0 + part.lowerBound })
      try receive(bytes.extracting(part), &message, to: &sink)
    }
  }

  /// Passes an event of a stream to its framer. A segment may affect other streams than its own: it acknowledges data,
  /// and it may evict a silent connection.
  ///
  /// - Parameters:
  ///   - header: the current packet; nil at the end of the capture.
  ///   - frame: its bytes, which may contain `bytes`.
  mutating func receive(
    _ event: TCPEvent, _ bytes: RawSpan, _ header: PacketHeader?, _ frame: FrameBounds,
    to sink: inout some DissectionSink & ~Copyable
  ) throws {
    if case .opened(let isPickedUp) = event.kind {
      guard let header, let carried = StreamProtocol(event.flow, by: ports) else { return }
      streams[event.stream] = OpenStream(carried: carried, isLost: isPickedUp, latest: header)
      return
    }
    // Take the stream out of the dictionary while it is used, so that it is changed in place and not copied.
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
      // The finding is about the stream, not about bytes of a message.
      try sink.packetFinding(Finding(finding.rule, 0..<0, finding.detail), header)
    }
  }
}

/// The memory range of a frame, to distinguish its bytes from those that were stored from earlier frames.
struct FrameBounds {
  private let start: UInt
  private let count: UInt

  init(_ frame: RawSpan) {
    start = frame.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    count = UInt(frame.byteCount)
  }

  /// The offset of `bytes` in the frame; nil if they are outside.
  func offset(of bytes: RawSpan) -> Int? {
    let offset = bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } &- start
    return bytes.byteCount > 0 && offset < count ? Int(offset) : nil
  }
}
