import TelecapRecording
import TelecapWire

/// The rules for TELE's own messages.
extension Rule {
  /// The message does not start with TELE.
  public static let magic = Rule(
    "header.magic", .error, text: "TELE, Common header", requirement: "tele.header.magic"
  ) { finding in
    guard case .found(let bits) = finding.detail else { return nil }
    return "the message begins with \(Finding.bytes(bits, 4)), not with TELE (54 45 4c 45)"
  }
  /// The version is not 1.
  public static let version = Rule(
    "header.version", .error, text: "TELE, Common header", requirement: "tele.header.version"
  ) { finding in
    guard case .found(let bits) = finding.detail else { return nil }
    return "version \(bits); the only one there is is 1"
  }
  /// The msg_type is unknown.
  public static let type = Rule(
    "header.type", .error, text: "TELE, Common header", requirement: "tele.header.type"
  ) { finding in
    guard case .found(let bits) = finding.detail else { return nil }
    return "nobody defined message type \(bits); 1 to 9 are known"
  }
  /// A code that is not exactly six of A–Z 0–9.
  public static let codeCharacters = Rule.ofField("hello.code-characters") { field, _, _ in
    "\(field.name) is not exactly six of A–Z and 0–9"
  }
  /// A beacon's name with other characters.
  public static let beaconName = Rule.ofField("beacon.name") { field, _, _ in
    "\(field.name) is not 1 to 20 of A–Z a–z 0–9 _ -"
  }
  /// A CONFIG whose text is not a JSON object in UTF-8.
  public static let configJSON = Rule.ofField("config.json") { field, _, _ in
    "\(field.name) is not a JSON object in UTF-8"
  }
  /// An ACK in the form of the other protocol version.
  public static let ackDialect = Rule(
    "ack.dialect", .note, text: "TELE, Messages: the variant of an ACK is known only by its size and its transport"
  ) { finding in
    guard case .kind(let kind) = finding.detail else { return nil }
    return kind == .ackTCP
      ? "the 12-byte ACK of tcp-v1, over a transport of udp-v1" : "the 8-byte ACK of udp-v1, over TCP"
  }
  /// A HELLO without an answer.
  public static let helloWithoutAck = Rule(
    "hello.no-ack", .warning, text: "TELE, Session rule 2", requirement: "tele.hello.ack-every"
  ) { finding in
    guard case .packet(let packet) = finding.detail else { return nil }
    return "the HELLO in packet \(packet) got no ACK"
  }
  /// A HAPTIC outside a session.
  public static let hapticOutsideSession = Rule("haptic.outside-session", .warning, text: "TELE, Session rule 8") { _ in
    "HAPTIC while no session is open: the phone plays nothing"
  }

  /// Missing sequence numbers of poses.
  static let poseGap = Rule(
    "seq.gap", .note, text: "TELE, Messages: POSE; semantics, Latest value wins"
  ) { finding in
    guard case .sequence(let seq, let newest, let missing) = finding.detail else { return nil }
    return "seq \(seq) after \(newest): \(Finding.plural(missing, "pose")) missing"
  }
}

extension RuleBook {
  /// The general rules with the wording of TELE's documents.
  static let tele: RuleBook = {
    var book = RuleBook()
    book.truncated = Rule.truncated.stated(in: "TELE, Messages", requirement: "tele.header.truncated")
    book.trailing = Rule.trailing.stated(in: "TELE, Messages", requirement: "tele.header.trailing")
    book.reserved = Rule.reserved.stated(in: nil, requirement: "tele.reserved.nonzero")
    book.transport = Rule.transport.stated(in: "TELE, Messages")
    book.direction = Rule.direction.stated(in: "TELE, Messages")
    book.seqGap = .poseGap
    let poses = "TELE, Messages: POSE; semantics, Latest value wins"
    book.seqDuplicate = Rule.seqDuplicate.stated(in: poses, requirement: "tele.pose.duplicate")
    book.seqReordered = Rule.seqReordered.stated(in: poses, requirement: "tele.pose.latest-value-wins")
    book.silence = Rule.silence.stated(in: "TELE, Session rule 5", requirement: "tele.session.timeout")
    book.frameLength = Rule.frameLength.stated(in: "TELE, Transports: framing", requirement: "tele.tcp.bad-length")
    book.streamSkipped = Rule.streamSkipped.stated(in: "TELE, Transports: framing; Mouse, WiFi packet")
    book.streamEnd = Rule.streamEnd.stated(in: "TELE, Transports: framing; Mouse, WiFi packet")
    book.client = "phone"
    book.headers = [.magic, .version, .type]
    book.quaternion = Rule.quaternion.stated(in: "TELE, Messages: POSE", requirement: "tele.pose.quaternion")
    book.forms = [book.quaternion, .codeCharacters, .beaconName, .configJSON, .ackDialect]
    book.conversations = [.helloWithoutAck, .hapticOutsideSession]
    return book
  }()
}

extension FieldRule {
  /// Exactly six of A–Z and 0–9.
  static let pairingCode = FieldRule.form(
    TextForm(
      "six of A–Z 0–9", .codeCharacters,
      .characters(PairingCode.allowed, count: PairingCode.size...PairingCode.size)))
  /// 1 to 20 of A–Z a–z 0–9 _ -.
  static let beaconName = FieldRule.form(
    TextForm("1–20 of A–Z a–z 0–9 _ -", .beaconName, .characters(BeaconName.allowed, count: BeaconName.sizes)))
  /// A JSON object in UTF-8.
  static let jsonObject = FieldRule.form(.jsonObject(.configJSON))
}

/// The six characters that a host shows and a phone sends (TELE, Messages: HELLO).
public enum PairingCode {
  /// The number of bytes of a code.
  public static let size = 6

  /// A–Z and 0–9.
  static let allowed: [ClosedRange<UInt8>] = [65...90, 48...57]

  /// A–Z and 0–9.
  public static func isAllowed(_ byte: UInt8) -> Bool { allowed.contains { $0.contains(byte) } }

  /// The bytes of a code for a message.
  /// - Throws: `WireError.badText` unless it is exactly six of A–Z and 0–9.
  static func bytes(of code: String, in message: String) throws(WireError) -> [UInt8] {
    let text = Array(code.utf8)
    guard text.count == size, text.allSatisfy(isAllowed) else {
      throw WireError.badText(message: message, field: "code", text: code, rule: .pairingCode)
    }
    return text
  }
}

/// The name in a beacon (TELE, Messages: BEACON).
public enum BeaconName {
  /// The possible numbers of bytes of a name.
  static let sizes = 1...20

  /// A–Z, a–z, 0–9, `_` and `-`.
  static let allowed: [ClosedRange<UInt8>] = PairingCode.allowed + [97...122, 95...95, 45...45]

  /// A–Z, a–z, 0–9, `_` and `-`.
  public static func isAllowed(_ byte: UInt8) -> Bool { allowed.contains { $0.contains(byte) } }

  /// Whether this name is valid in a beacon: 1 to 20 of these characters.
  public static func isRight(_ name: String) -> Bool {
    sizes.contains(name.utf8.count) && name.utf8.allSatisfy(isAllowed)
  }
}
