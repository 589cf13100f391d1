import TelecapRecording
import TelecapText

/// Everything that can be found about a message, each with its id, which never changes.
public enum Rule: UInt8, Sendable, CaseIterable {
  /// The message does not begin with TELE.
  case magic
  /// The version is not 1.
  case version
  /// Nobody defined this msg_type.
  case type
  /// The message is shorter than its fields.
  case truncated
  /// Bytes follow the last field.
  case trailing
  /// A mouse packet that is longer than its five bytes, or six over Bluetooth.
  case mouseLength
  /// A mouse packet that begins with neither 0xAA nor 0xBB.
  case mouseHeader
  /// A number outside its range.
  case outOfRange
  /// A NaN.
  case notANumber
  /// A code that nobody defined.
  case unknownCode
  /// −128 in an int8 of the mouse.
  case minus128
  /// A reserved byte or bit that is not 0.
  case reserved
  /// Four numbers that are no unit quaternion.
  case quaternion
  /// A code that is not six of A–Z 0–9.
  case codeCharacters
  /// A beacon's name with other characters.
  case beaconName
  /// CONFIG's text is no JSON object in UTF-8.
  case configJSON
  /// An ACK in the other dialect's form.
  case ackDialect
  /// A message over a transport that is not meant to carry it.
  case transport
  /// A message that travels the wrong way.
  case direction
  /// Sequence numbers are missing.
  case seqGap
  /// A sequence number came twice.
  case seqDuplicate
  /// A sequence number came late.
  case seqReordered
  /// A HELLO that nobody answered.
  case helloWithoutAck
  /// HAPTIC while no session is open.
  case hapticOutsideSession
  /// More than 3 s without a sign of life.
  case silence
  /// A frame's length that no message has.
  case frameLength
  /// Bytes of a stream that belong to no packet.
  case streamSkipped
  /// Bytes of a stream that the capture does not have.
  case streamGap
  /// A stream that ends inside a message.
  case streamEnd
  /// An IP fragment: its message cannot be read.
  case fragment
  /// A packet whose layers are broken or cut short.
  case packetDamaged

  /// The rule's name, the same for ever: `value.not-a-number`.
  public var id: String {
    switch self {
    case .magic: "header.magic"
    case .version: "header.version"
    case .type: "header.type"
    case .truncated: "length.truncated"
    case .trailing: "length.trailing"
    case .mouseLength: "mouse.length"
    case .mouseHeader: "mouse.header"
    case .outOfRange: "value.out-of-range"
    case .notANumber: "value.not-a-number"
    case .unknownCode: "value.unknown-code"
    case .minus128: "mouse.minus-128"
    case .reserved: "reserved.nonzero"
    case .quaternion: "pose.quaternion"
    case .codeCharacters: "hello.code-characters"
    case .beaconName: "beacon.name"
    case .configJSON: "config.json"
    case .ackDialect: "ack.dialect"
    case .transport: "message.transport"
    case .direction: "message.direction"
    case .seqGap: "seq.gap"
    case .seqDuplicate: "seq.duplicate"
    case .seqReordered: "seq.reordered"
    case .helloWithoutAck: "hello.no-ack"
    case .hapticOutsideSession: "haptic.outside-session"
    case .silence: "session.silence"
    case .frameLength: "frame.length"
    case .streamSkipped: "stream.skipped"
    case .streamGap: "stream.gap"
    case .streamEnd: "stream.end"
    case .fragment: "packet.fragment"
    case .packetDamaged: "packet.damaged"
    }
  }

  /// Its place among all rules, from 0: for counters.
  public var index: Int { Int(rawValue) }

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

  /// The text that the rule comes from; nil where it is the row of the field that a finding is about.
  public var text: String? {
    switch self {
    case .magic, .version, .type: "TELE, Common header"
    case .truncated, .trailing: "TELE, Messages; Mouse, Receiver rule 1"
    case .mouseLength: "Mouse, Receiver rule 1"
    case .mouseHeader: "Mouse, WiFi packet"
    case .outOfRange, .notANumber, .unknownCode, .reserved, .codeCharacters, .beaconName, .configJSON: nil
    case .minus128: "Mouse, Sender rule 1"
    case .quaternion: "TELE, Messages: POSE"
    case .ackDialect: "TELE, Messages: an ACK's dialect is known only by its size and its transport"
    case .transport, .direction: "TELE, Messages"
    case .seqGap, .seqDuplicate, .seqReordered: "TELE, Messages: POSE; semantics, Latest value wins"
    case .helloWithoutAck: "TELE, Session rule 2"
    case .hapticOutsideSession: "TELE, Session rule 8"
    case .silence: "TELE, Session rule 5"
    case .frameLength: "TELE, Transports: framing"
    case .streamSkipped, .streamEnd: "TELE, Transports: framing; Mouse, WiFi packet"
    case .streamGap: "RFC 9293, 3.4 Sequence Numbers"
    case .fragment: "RFC 791, 3.2; RFC 8200, 4.5"
    case .packetDamaged: "RFC 791, RFC 8200, RFC 768, RFC 9293"
    }
  }

  /// The requirement that a conformance suite tests it by; nil where there is none.
  public var requirement: String? {
    switch self {
    case .magic: "tele.header.magic"
    case .version: "tele.header.version"
    case .type: "tele.header.type"
    case .truncated: "tele.header.truncated"
    case .trailing: "tele.header.trailing"
    case .mouseLength: "mouse.length.wrong"
    case .mouseHeader: "mouse.header.unknown"
    case .minus128: "mouse.clamp.never-minus-128"
    case .reserved: "tele.reserved.nonzero"
    case .quaternion: "tele.pose.quaternion"
    case .seqDuplicate: "tele.pose.duplicate"
    case .seqReordered: "tele.pose.latest-value-wins"
    case .helloWithoutAck: "tele.hello.ack-every"
    case .silence: "tele.session.timeout"
    case .frameLength: "tele.tcp.bad-length"
    case .outOfRange, .notANumber, .unknownCode, .codeCharacters, .beaconName, .configJSON, .ackDialect, .transport,
      .direction, .seqGap, .hapticOutsideSession, .streamSkipped, .streamEnd, .streamGap, .fragment, .packetDamaged:
      nil
    }
  }

  /// Where the rule comes from, in words: its text and its requirement.
  public var source: String { source(from: text ?? "the message's table") }

  /// The same, with the text that a finding names.
  func source(from text: String) -> String { requirement.map { "\(text); requirement \($0)" } ?? text }
}
