import TelecapRecording
import TelecapWire

/// The second half of a dissection: payloads and stream bytes become messages.
struct MessageStage {
  let ports: Ports
  var tracker = SessionTracker()
  var lastTime = Timestamp.zero
  /// The findings of the message at hand; the memory is used again.
  private var findings: [Finding] = []
  /// The open streams, by their numbers.
  private var streams: [Int: OpenStream] = [:]

  /// A stream whose bytes are being put into messages.
  private struct OpenStream {
    private(set) var match: PortMatch
    var framer: StreamFramer
    /// Several protocols have one of its ports: its first bytes decide.
    var isContested: Bool
    /// The packet that brought its latest bytes: what is found at its end is said about that one.
    var latest: PacketHeader

    /// Its first bytes have come, which belong to this protocol.
    mutating func decide(_ match: PortMatch) {
      isContested = false
      guard match != self.match else { return }
      self.match = match
      framer = StreamFramer(match.dialect, isLost: false)
    }
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
      guard let header, let match = ports.match(event.flow) else { return }
      let framer = StreamFramer(match.dialect, isLost: isPickedUp)
      streams[event.stream] = OpenStream(
        match: match, framer: framer, isContested: ports.isContested(event.flow), latest: header)
      return
    }
    // The stream leaves its place while it is at work, so that it is changed where it stands and not copied.
    guard var stream = streams.removeValue(forKey: event.stream) else { return }
    if case .closed = event.kind {
      let (match, latest) = (stream.match, stream.latest)
      return try stream.framer.finish { try found($0, $1, match, event.flow, latest, frame, &sink) }
    }
    defer { streams[event.stream] = stream }
    stream.latest = header ?? stream.latest
    if stream.isContested, case .data = event.kind, let match = ports.match(event.flow, bytes) { stream.decide(match) }
    let (match, latest) = (stream.match, stream.latest)
    if case .missing(let range) = event.kind {
      try sink.packetFinding(Finding(.streamGap, 0..<0, .count(Int(clamping: range.count))), latest)
      try stream.framer.gap { try found($0, $1, match, event.flow, latest, frame, &sink) }
    } else {
      try stream.framer.receive(bytes) { try found($0, $1, match, event.flow, latest, frame, &sink) }
    }
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
