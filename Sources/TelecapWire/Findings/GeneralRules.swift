import TelecapRecording

/// The rules of every protocol. A protocol states them in its own texts (`RuleBook`).
extension Rule {
  // MARK: - Messages

  /// Nobody defined this code.
  public static let unknownType = Rule("header.type", .error) { finding in
    guard case .found(let bits) = finding.detail else { return nil }
    return "nobody defined message type \(bits)"
  }
  /// Nobody defined this text for a type.
  public static let unknownTypeText = Rule("header.type", .error) { _ in "nobody defined a message that begins so" }
  /// The message is shorter than its fields.
  public static let truncated = Rule("length.truncated", .error) { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    return "truncated: needed \(needed) bytes, had \(had)"
  }
  /// Bytes follow the last field.
  public static let trailing = Rule("length.trailing", .warning) { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    return "\(Finding.plural(had - needed, "trailing byte")) after the message of \(needed)"
  }
  /// A payload that is longer than its message, where that is no message.
  public static let tooLong = Rule("length.too-long", .error) { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    return "\(Finding.plural(had, "byte")); the message has \(needed)"
  }
  /// A message in the form that it has over another transport.
  public static let otherForm = Rule("message.form", .note) { finding in
    guard case .kind(let kind) = finding.detail else { return nil }
    let names = kind.owner.dialects.filter { kind.layout.dialects.contains($0.name) }.map(\.name)
    return
      "\(kind.name) in the form of \(names.joined(separator: ", ")), \(Finding.plural(kind.layout.fixedSize, "byte"))"
  }
  /// A checksum that is not the message's.
  public static let checksum = Rule("header.checksum", .error) { finding in
    guard case .checksum(let found, let computed) = finding.detail else { return nil }
    let count = max(1, finding.range.count)
    return
      "the checksum is 0x\(Finding.number(found, count)); that of these bytes is 0x\(Finding.number(computed, count))"
  }

  // MARK: - Fields

  /// A number outside its range.
  public static let outOfRange = ofField("value.out-of-range") { field, value, _ in
    switch field.rule {
    case .finite: "\(field.name) is \(value); it must be finite"
    case .equal(let right): "\(field.name) is \(value); it must be \(Finding.text(right, as: field))"
    default: "\(field.name) is \(value); it must be in \(field.rule)"
    }
  }
  /// A NaN.
  public static let notANumber = ofField("value.not-a-number") { field, _, _ in
    field.type.isDecimal
      ? "\(field.name) is not a number in decimal digits that fits into 32 bits"
      : "\(field.name) is not a number (NaN)"
  }
  /// Digits with more places than the field has.
  public static let rounded = ofField("value.rounded", .note) { field, value, _ in
    "\(field.name) has more digits after the point than \(field.type.places ?? 0), and is rounded to \(value)"
  }
  /// A code that nobody defined.
  public static let unknownCode = ofField("value.unknown-code") { field, value, _ in
    "\(field.name) is \(value); known: \(field.rule)"
  }
  /// A reserved byte or bit that is not 0.
  public static let reserved = ofField("reserved.nonzero") { field, value, bits in
    field.rule == .reserved
      ? "\(field.name) is \(value); it is reserved and always 0"
      : "\(field.name) is 0x\(Finding.number(bits, max(1, field.type.numberSize))); reserved bits are set (\(field.rule))"
  }
  /// Text with characters that it must not have.
  public static let badText = ofField("value.bad-text") { field, _, _ in
    guard case .equal(let right) = field.rule else { return "\(field.name) is not \(field.rule)" }
    return "\(field.name) is not \"\(FieldRule.letters(right))\""
  }

  /// A rule of a field's value, whose source is the field's row.
  public static func ofField(
    _ id: String, _ severity: Severity = .warning,
    words: @escaping @Sendable (_ field: FieldRow, _ value: String, _ bits: UInt64) -> String
  ) -> Rule {
    Rule(id, severity) { finding in
      guard let found = finding.detail.field else { return nil }
      var field = found.row
      field.name = found.name
      return words(field, Finding.text(found.bits, as: field), found.bits)
    }
  }

  /// Four numbers that are no unit quaternion.
  public static let quaternion = Rule("pose.quaternion", .warning) { finding in
    guard case .norm(let norm) = finding.detail else { return nil }
    return "qx, qy, qz, qw have norm \(norm); a unit quaternion has 1 within 0.001"
  }

  // MARK: - Conversations

  /// A message over a transport that is not meant to carry it.
  public static let transport = Rule("message.transport", .note) { finding in
    guard case .kind(let kind) = finding.detail else { return nil }
    let names = kind.owner.dialects.filter { kind.layout.dialects.contains($0.name) }.map(\.transport)
    return "\(kind.name) is not meant for this transport; it travels over \(names.joined(separator: ", "))"
  }
  /// A message that travels the wrong way.
  public static let direction = Rule("message.direction", .warning) { finding in
    guard case .kind(let kind) = finding.detail else { return nil }
    let client = kind.owner.rules.client
    return
      "\(kind.name) travels from \(kind.layout.direction == .serverToClient ? "host to \(client)" : "\(client) to host")"
  }
  /// A request for a session without an answer.
  public static let unanswered = Rule("session.no-answer", .warning, text: "the protocol's sessions") { finding in
    guard case .packet(let packet) = finding.detail else { return nil }
    return "the request for a session in packet \(packet) got no answer"
  }
  /// A message that needs a session, and has none.
  public static let outsideSession = Rule("message.outside-session", .warning, text: "the protocol's sessions") { _ in
    "the message is valid only in a session, and none is open"
  }
  /// Sequence numbers are missing.
  public static let seqGap = Rule("seq.gap", .note, text: "the protocol's numbering") { finding in
    guard case .sequence(let seq, let newest, let missing) = finding.detail else { return nil }
    return "seq \(seq) after \(newest): \(missing) missing"
  }
  /// A sequence number came twice.
  public static let seqDuplicate = Rule("seq.duplicate", .note, text: "the protocol's numbering") { finding in
    guard case .sequence(let seq, _, _) = finding.detail else { return nil }
    return "seq \(seq) came before; a receiver drops the duplicate"
  }
  /// A sequence number came late.
  public static let seqReordered = Rule("seq.reordered", .note, text: "the protocol's numbering") { finding in
    guard case .sequence(let seq, let newest, _) = finding.detail else { return nil }
    return "seq \(seq) came after \(newest): out of order; a receiver drops it"
  }
  /// Numbers that lack in one stream came in another: one counter of the sender for both.
  public static let seqShared = Rule("seq.shared", .note, text: "the protocol's numbering") { finding in
    guard case .sequence(let seq, let newest, let count) = finding.detail else { return nil }
    return
      "seq \(seq) after \(newest): \(count) between came in other streams of the sender, which has one counter for all; "
      + "such gaps are no losses"
  }
  /// A number of a stream that is not followed, because there are too many.
  public static let seqNotFollowed = Rule("seq.not-followed", .note, text: "a limit of telecap") { finding in
    guard case .kind(let kind) = finding.detail else { return nil }
    return
      "\(kind.name) has more than \(KeyedSequences.most) streams here; gaps, duplicates and late arrivals of the others "
      + "are not found"
  }
  /// A conversation that is not followed, because there are too many.
  public static let notFollowed = Rule("session.not-followed", .note, text: "a limit of telecap") { finding in
    guard case .kind = finding.detail else { return nil }
    return
      "there are more than \(SessionTracker.mostPairs) pairs of endpoints at a time, or \(SessionTracker.mostSessions) "
      + "sessions: this one and others are not followed, so findings about several of their messages are missing"
  }
  /// A long time without a sign of life.
  public static let silence = Rule("session.silence", .note, text: "the protocol's sessions") { finding in
    guard case .silence(let kind, let from, let time) = finding.detail else { return nil }
    let gone = kind.owner.session?.timeout.map { "; after \(Finding.time($0)) each side considers the session lost" }
    // Where a session is asked for, the host's answers are its signs of life, whatever else it sends.
    let host = kind.owner.asking == nil ? "of silence from the host" : "without an answer from the host"
    return
      "\(Finding.elapsed(time)) \(from == .serverToClient ? host : "of silence from the \(kind.owner.rules.client)")"
      + (gone ?? "")
  }

  // MARK: - Streams and packets

  /// A frame's length that no message has.
  public static let frameLength = Rule("frame.length", .error, text: "the protocol's framing") { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    let size = Finding.plural(needed, "byte")
    return "frame length \(had); a message has \(had < needed ? "\(size) or more" : "at most \(size)")"
  }
  /// Bytes of a stream that belong to no packet.
  public static let streamSkipped = Rule("stream.skipped", .warning, text: "the protocol's framing") { finding in
    guard case .count(let count) = finding.detail else { return nil }
    return "\(Finding.plural(count, "byte")) skipped until the next message begins"
  }
  /// Bytes of a stream that the capture does not have.
  public static let streamGap = Rule("stream.gap", .note, text: "RFC 9293, 3.4 Sequence Numbers") { finding in
    guard case .count(let count) = finding.detail else { return nil }
    return "\(Finding.plural(count, "byte")) of the stream are not in the capture"
  }
  /// A stream that ends inside a message.
  public static let streamEnd = Rule("stream.end", .note, text: "the protocol's framing") { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    return "the stream ends inside a message: needed \(needed) bytes, had \(had)"
  }
  /// Fragments of an IP datagram of which others did not come in time, or not at all.
  public static let fragment = Rule("packet.fragment", .note, text: "RFC 791, 3.2; RFC 8200, 4.5") { finding in
    incomplete(finding).map { "a fragmented IP datagram is incomplete: \($0)" }
  }
  /// Fragments of an IP datagram that were given up for newer ones.
  public static let fragmentLimit = Rule("packet.fragment-limit", .note, text: "RFC 791, 3.2; RFC 8200, 4.5") {
    finding in
    incomplete(finding).map { "reassembly of an IP datagram was dropped for newer ones: \($0)" }
  }
  /// Fragments that contradict each other: their datagram is not read.
  public static let fragmentOverlap = Rule("packet.fragment-overlap", .warning, text: "RFC 5722, 4") { _ in
    "overlapping fragments: the IP datagram is not reassembled"
  }

  /// How much of a datagram came, where its length is known and where it is not.
  private static func incomplete(_ finding: Finding) -> String? {
    switch finding.detail {
    case .lengths(let needed, let had): "\(had) of \(needed) bytes captured"
    case .count(let had): "\(Finding.plural(had, "byte")) captured, the last fragment is missing"
    default: nil
    }
  }
  /// A packet whose layers are broken or cut short.
  public static let packetDamaged = Rule(
    "packet.damaged", .warning, text: "RFC 791, RFC 8200, RFC 768, RFC 9293"
  ) { finding in
    switch finding.detail {
    case .lengths(let needed, let had): "the packet is cut short: needed \(needed) bytes, had \(had)"
    case .range(let bytes): invalidFragment(bytes)
    default: "the packet's headers contradict each other"
    }
  }

  /// The reason why no fragment may have these bytes of a datagram.
  private static func invalidFragment(_ bytes: Range<Int>) -> String {
    let reason =
      if bytes.isEmpty { "it is empty" } else if bytes.upperBound > 65_535 { "it ends after byte 65535" } else {
        "not a multiple of 8"
      }
    return "fragment of \(Finding.plural(bytes.count, "byte")) at offset \(bytes.lowerBound): \(reason)"
  }

  /// A packet that is dated much earlier than the one before it.
  public static let clockStep = Rule("clock.step", .warning, text: "the recording's own times") { finding in
    guard case .nanoseconds(let step) = finding.detail else { return nil }
    return
      "packet times go back by \(Finding.elapsed(step)): the clock was set back, or another recording was appended; later times "
      + "continue from the packet before"
  }

  /// The rules about streams and packets of every protocol.
  public static let ofStreams = [
    frameLength, streamSkipped, streamGap, streamEnd, fragment, fragmentLimit, fragmentOverlap, packetDamaged,
    clockStep,
  ]
}
