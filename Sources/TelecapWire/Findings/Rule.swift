/// Everything that can be found about a message, each with its id, which never changes.
public enum Rule: String, Sendable, CaseIterable {
  /// The message does not begin with TELE.
  case magic = "header.magic"
  /// The version is not 1.
  case version = "header.version"
  /// Nobody defined this msg_type.
  case type = "header.type"
  /// The message is shorter than its fields.
  case truncated = "length.truncated"
  /// Bytes follow the last field.
  case trailing = "length.trailing"
  /// A mouse packet that is longer than its five bytes, or six over Bluetooth.
  case mouseLength = "mouse.length"
  /// A mouse packet that begins with neither 0xAA nor 0xBB.
  case mouseHeader = "mouse.header"
  /// A number outside its range.
  case outOfRange = "value.out-of-range"
  /// A NaN.
  case notANumber = "value.not-a-number"
  /// A code that nobody defined.
  case unknownCode = "value.unknown-code"
  /// −128 in an int8 of the mouse.
  case minus128 = "mouse.minus-128"
  /// A reserved byte or bit that is not 0.
  case reserved = "reserved.nonzero"
  /// Four numbers that are no unit quaternion.
  case quaternion = "pose.quaternion"
  /// A code that is not six of A–Z 0–9.
  case codeCharacters = "hello.code-characters"
  /// A beacon's name with other characters.
  case beaconName = "beacon.name"
  /// CONFIG's text is no JSON object in UTF-8.
  case configJSON = "config.json"
  /// An ACK in the other dialect's form.
  case ackDialect = "ack.dialect"
  /// A message over a transport that is not meant to carry it.
  case transport = "message.transport"
  /// A message that travels the wrong way.
  case direction = "message.direction"
  /// Sequence numbers are missing.
  case seqGap = "seq.gap"
  /// A sequence number came twice.
  case seqDuplicate = "seq.duplicate"
  /// A sequence number came late.
  case seqReordered = "seq.reordered"
  /// A HELLO that nobody answered.
  case helloWithoutAck = "hello.no-ack"
  /// HAPTIC while no session is open.
  case hapticOutsideSession = "haptic.outside-session"
  /// More than 3 s without a sign of life.
  case silence = "session.silence"
  /// A frame's length that no message has.
  case frameLength = "frame.length"
  /// Bytes of a stream that belong to no packet.
  case streamSkipped = "stream.skipped"
  /// Bytes of a stream that the capture does not have.
  case streamGap = "stream.gap"
  /// A stream that ends inside a message.
  case streamEnd = "stream.end"
  /// An IP fragment: its message cannot be read.
  case fragment = "packet.fragment"
  /// A packet whose layers are broken or cut short.
  case packetDamaged = "packet.damaged"

  /// The rule's name, the same for ever: `value.not-a-number`.
  public var id: String { rawValue }

  /// How bad it is.
  public var severity: Severity {
    switch self {
    case .magic, .version, .type, .truncated, .mouseLength, .mouseHeader, .frameLength: .error
    case .trailing, .outOfRange, .notANumber, .unknownCode, .minus128, .reserved, .quaternion, .codeCharacters,
      .beaconName, .configJSON, .direction, .helloWithoutAck, .hapticOutsideSession, .streamSkipped, .packetDamaged:
      .warning
    case .ackDialect, .transport, .seqGap, .seqDuplicate, .seqReordered, .silence, .streamGap, .streamEnd, .fragment:
      .note
    }
  }

  /// The text that the rule comes from.
  public var source: String {
    switch self {
    case .magic, .version, .type: "TELE, Common header; requirement tele.header.\(rawValue.dropFirst(7))"
    case .truncated: "TELE, Messages; requirement tele.header.truncated; Mouse, Receiver rule 1"
    case .trailing: "TELE, Messages; requirement tele.header.trailing"
    case .mouseLength: "Mouse, Receiver rule 1; requirement mouse.length.wrong"
    case .mouseHeader: "Mouse, WiFi packet; requirement mouse.header.unknown"
    case .outOfRange, .notANumber: "the field's row; what receivers do: semantics, Clamping and what is not a number"
    case .unknownCode: "the field's row"
    case .minus128: "Mouse, Sender rule 1; requirement mouse.clamp.never-minus-128"
    case .reserved: "the field's row; requirement tele.reserved.nonzero"
    case .quaternion: "TELE, Messages: POSE; requirement tele.pose.quaternion"
    case .codeCharacters: "TELE, Messages: HELLO"
    case .beaconName: "TELE, Messages: BEACON"
    case .configJSON: "TELE, Messages: CONFIG"
    case .ackDialect: "TELE, Messages: an ACK's dialect is known only by its size and its transport"
    case .transport, .direction: "TELE, Messages"
    case .seqGap, .seqDuplicate, .seqReordered: "TELE, Messages: POSE seq; semantics, Latest value wins"
    case .helloWithoutAck: "TELE, Session rule 2; requirement tele.hello.ack-every"
    case .hapticOutsideSession: "TELE, Session rule 8"
    case .silence: "TELE, Session rule 5; requirement tele.session.timeout"
    case .frameLength: "TELE, Transports: framing; requirement tele.tcp.bad-length"
    case .streamSkipped, .streamEnd: "TELE, Transports: framing; Mouse, WiFi packet: resynchronising"
    case .streamGap: "RFC 9293, 3.4 Sequence Numbers"
    case .fragment: "RFC 791, 3.2; RFC 8200, 4.5"
    case .packetDamaged: "RFC 791, RFC 8200, RFC 768, RFC 9293"
    }
  }
}
