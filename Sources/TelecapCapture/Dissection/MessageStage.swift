import TelecapRecording
import TelecapWire

/// The second half of a dissection: payloads and stream bytes become messages.
struct MessageStage {
  var tracker = SessionTracker()
  var lastTime = Timestamp.zero
  private let decoder = MessageDecoder()
  /// The findings of the message at hand; the memory is used again.
  private var findings: [Finding] = []
  /// The framer of each open stream, by the stream's number.
  private var framers: [Int: StreamFramer] = [:]

  /// Reads the message in `bytes` and passes it on. What the layers know of it stands in `message`; its kind, direction,
  /// session and validity are filled in here. (It is built once and not copied: this is the hot path.)
  mutating func receive(
    _ bytes: RawSpan, _ message: inout DissectedMessage, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    findings.removeAll(keepingCapacity: true)
    message.kind = decoder.decode(bytes, as: message.dialect, findings: &findings)
    message.isValid = findings.isEmpty || !findings.contains { $0.severity == .error }
    if message.direction == .unknown { message.direction = message.kind.layoutDirection }
    message.session = tracker.receive(
      message.kind, bytes, in: message.datagram, going: message.direction, isValid: message.isValid,
      findings: &findings)
    try sink.message(message, bytes, findings)
  }

  /// Stream bytes go through the stream's framer.
  ///
  /// - Parameter offset: where the segment's payload begins in the frame.
  mutating func receive(
    _ event: TCPEvent, _ bytes: RawSpan, _ match: PortMatch, _ header: PacketHeader, offset: Int?,
    to sink: inout some DissectionSink & ~Copyable
  ) throws {
    let datagram = Datagram(packet: header.number, time: header.time, flow: event.flow)
    switch event.kind {
    case .opened:
      framers[event.stream] = StreamFramer(match.dialect)
    case .data:
      // The framer leaves its place while it works, so that it is changed where it stands and not copied.
      var framer = framers.removeValue(forKey: event.stream) ?? StreamFramer(match.dialect)
      defer { framers[event.stream] = framer }
      try framer.receive(bytes) { try found($0, $1, match, datagram, header, &sink) }
    case .missing(let range):
      try sink.packetFinding(Finding(.streamGap, 0..<0, .count(Int(clamping: range.count))), header)
      var framer = framers.removeValue(forKey: event.stream) ?? StreamFramer(match.dialect)
      defer { framers[event.stream] = framer }
      try framer.finish { try found($0, $1, match, datagram, header, &sink) }
    case .closed:
      guard var framer = framers.removeValue(forKey: event.stream) else { return }
      try framer.finish { try found($0, $1, match, datagram, header, &sink) }
    }
  }

  private mutating func found(
    _ event: FrameEvent, _ bytes: RawSpan, _ match: PortMatch, _ datagram: Datagram, _ header: PacketHeader,
    _ sink: inout some DissectionSink & ~Copyable
  ) throws {
    switch event {
    case .message:
      var message = DissectedMessage(match, datagram, offset: nil)
      try receive(bytes, &message, to: &sink)
    case .badLength(let length):
      try sink.packetFinding(Finding(.frameLength, 0..<0, .count(length)), header)
    case .skipped(let count):
      try sink.packetFinding(Finding(.streamSkipped, 0..<0, .count(count)), header)
    case .incomplete(let needed, let had):
      try sink.packetFinding(Finding(.streamEnd, 0..<0, .lengths(needed: needed, had: had)), header)
    }
  }
}

/// The framing that a stream's dialect asks for.
enum StreamFramer {
  case tele(TeleFramer)
  case mouse(MouseFramer)

  init(_ dialect: Dialect) { self = dialect == .mouse ? .mouse(MouseFramer()) : .tele(TeleFramer()) }

  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    switch self {
    case .tele(var framer):
      self = .mouse(MouseFramer())
      defer { self = .tele(framer) }
      try framer.receive(bytes, emit)
    case .mouse(var framer):
      self = .tele(TeleFramer())
      defer { self = .mouse(framer) }
      try framer.receive(bytes, emit)
    }
  }

  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    switch self {
    case .tele(var framer):
      defer { self = .tele(framer) }
      try framer.finish(emit)
    case .mouse(var framer):
      defer { self = .mouse(framer) }
      try framer.finish(emit)
    }
  }
}
