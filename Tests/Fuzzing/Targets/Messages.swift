import TelecapRecording
import TelecapWire

extension FuzzTarget {
  /// Payloads of each protocol, in each of its versions.
  static let messages = Known.protocols.map { one in
    FuzzTarget(one.name, seeds: { try Seeds.payloads(of: one) }) { bytes in
      var isTaken = false
      for dialect in one.dialects { isTaken = try decode(bytes, as: dialect) || isTaken }
      return isTaken
    }
  }

  /// A stream of any protocol version, whole and in pieces. The first byte chooses the version, the second the size of
  /// pieces.
  static let framing = FuzzTarget("framing", seeds: { try Seeds.streams() }) { bytes in
    var input = FuzzBytes(bytes)
    let dialect = input.choice(Known.dialects)
    let size = Int(input.byte()) + 1
    let stream = Array(input.rest)
    let whole = events([stream], dialect)
    let pieces = stride(from: 0, to: stream.count, by: size).map { Array(stream[$0..<min($0 + size, stream.count)]) }
    // Without framing a piece is a message by itself.
    if dialect.framing != .none {
      try hold(events(pieces, dialect) == whole, "\(dialect.name): pieces of \(size) bytes are other messages")
    }
    return whole.contains { $0.event == .message }
  }

  /// Whether it is valid.
  private static func decode(_ bytes: [UInt8], as dialect: Dialect) throws -> Bool {
    let span = bytes.span.bytes
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(span, as: dialect, findings: &findings)
    let error = findings.first { $0.severity == .error }?.rule
    let checked = MessageDecoder.check(span, as: dialect)
    try hold(checked.kind == kind && checked.error == error, "\(dialect.name): check says other than decode of \(kind)")
    for finding in findings {
      let isInside = finding.range.lowerBound >= 0 && finding.range.upperBound <= bytes.count
      try hold(isInside, "\(dialect.name): \(finding) is about \(finding.range) of \(bytes.count) bytes")
      try hold(!finding.description.isEmpty, "\(dialect.name): a finding without words")
    }
    for field in kind.layout.fields {
      _ = field.value(in: span)
      try hold(field.range(in: span).upperBound <= bytes.count, "\(kind.name).\(field.name) ends behind the message")
    }
    try hold(Message(keeping: bytes, as: dialect).bytes == bytes, "\(dialect.name): kept bytes are others")
    return error == nil
  }

  private struct Event: Equatable {
    var event: FrameEvent
    var bytes: [UInt8]
  }

  private static func events(_ pieces: [[UInt8]], _ dialect: Dialect) -> [Event] {
    var framer = MessageFramer(dialect)
    var events: [Event] = []
    for piece in pieces { framer.receive(piece.span.bytes) { events.append(Event(event: $0, bytes: $1.array)) } }
    framer.finish { events.append(Event(event: $0, bytes: $1.array)) }
    return events
  }
}
