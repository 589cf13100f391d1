import TelecapMouse
import TelecapRecording
import TelecapTele
@testable import TelecapWire
import TelecapTestSupport
import Testing

/// Every rule of this room, raised, with its severity, its bytes and its exact sentence.
@Suite struct RuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let severity: Severity
    let range: Range<Int>
    let sentence: String
    let raise: @Sendable () -> [Finding]
    var testDescription: String { "\(rule.id): \(sentence)" }

    init(
      _ rule: Rule, _ severity: Severity, _ range: Range<Int>, _ sentence: String,
      _ raise: @escaping @Sendable () -> [Finding]
    ) {
      (self.rule, self.severity, self.range, self.sentence, self.raise) = (rule, severity, range, sentence, raise)
    }

    /// The bytes of one payload.
    init(
      _ hexadecimal: String, _ dialect: Dialect, _ rule: Rule, _ severity: Severity, _ range: Range<Int>,
      _ sentence: String
    ) {
      self.init(rule, severity, range, sentence) { decode(hex(hexadecimal), as: dialect).findings }
    }
  }

  static let payloads = [
    Row(
      "54454c4607010000003f0000", .teleUDP, .magic, .error, 0..<4,
      "the message begins with 54 45 4c 46, not with TELE (54 45 4c 45)"),
    Row("54454c4507020000003f0000", .teleUDP, .version, .error, 5..<6, "version 2; the only one there is is 1"),
    Row("54454c452a01", .teleUDP, .type, .error, 4..<5, "nobody defined message type 42; 1 to 9 are known"),
    Row("54454c450001", .teleTCP, .type, .error, 4..<5, "nobody defined message type 0; 1 to 9 are known"),
    Row("54454c450701", .teleUDP, .truncated, .error, 0..<6, "truncated: needed 12 bytes, had 6"),
    Row("", .teleUDP, .truncated, .error, 0..<0, "truncated: needed 6 bytes, had 0"),
    Row("", .mouse, .truncated, .error, 0..<0, "truncated: needed 5 bytes, had 0"),
    Row("54454c4505010101ff", .teleUDP, .trailing, .warning, 8..<9, "1 trailing byte after the message of 8"),
    Row("54454c4505010101ffff", .teleUDP, .trailing, .warning, 8..<10, "2 trailing bytes after the message of 8"),
    Row("aa0000000000", .mouse, .mouseLength, .error, 5..<6, "6 bytes; a mouse packet has 5"),
    Row("00000000000000", .mouseHID, .mouseLength, .error, 6..<7, "7 bytes; a mouse packet has 6"),
    Row(
      "ac00000000", .mouse, .mouseHeader, .error, 0..<1,
      "header 0xac; a mouse packet begins with 0xaa (movement) or 0xbb (control)"),
    Row(
      "54454c4507010000c03f0000", .teleUDP, .outOfRange, .warning, 6..<10, "intensity is 1.5; it must be in 0…1"),
    Row(
      "54454c4507010000807f0000", .teleUDP, .outOfRange, .warning, 6..<10, "intensity is inf; it must be in 0…1"),
    Row("54454c4505010102", .teleUDP, .outOfRange, .warning, 7..<8, "value is 2; it must be in 0…1"),
    Row(
      pose("0000807f", at: 18), .teleUDP, .outOfRange, .warning, 18..<22, "x is inf; it must be finite"),
    Row("54454c4507010000c07f0000", .teleUDP, .notANumber, .warning, 6..<10, "intensity is not a number (NaN)"),
    Row(pose("0100a0ff", at: 26), .teleUDP, .notANumber, .warning, 26..<30, "z is not a number (NaN)"),
    Row(
      "54454c4502010900", .teleUDP, .unknownCode, .warning, 6..<7,
      "status is 9; known: 0 OK, 1 BAD_CODE, 2 BUSY, 3 VERSION_UNSUPPORTED"),
    Row(
      "54454c450501c801", .teleUDP, .unknownCode, .warning, 6..<7,
      "cmd_type is 200; known: 1 RECORDING, 2 KEEP_RECORDING"),
    Row("aa00800000", .mouse, .minus128, .warning, 2..<3, "delta_x is -128; a mouse sends -127 to 127"),
    Row("000000000080", .mouseHID, .minus128, .warning, 5..<6, "scroll is -128; a mouse sends -127 to 127"),
    Row(
      "54454c4507010000003f0100", .teleUDP, .reserved, .warning, 10..<11,
      "channel is 1; it is reserved and always 0"),
    Row(
      "54454c450101040302014142433132330001", .teleUDP, .reserved, .warning, 16..<18,
      "reserved is 256; it is reserved and always 0"),
    Row(
      "aa09000000", .mouse, .reserved, .warning, 1..<2,
      "buttons is 0x09; reserved bits are set (only bits 0x7)"),
    Row(
      pose("02", at: 16), .teleUDP, .reserved, .warning, 16..<17,
      "flags is 0x02; reserved bits are set (only bits 0x1)"),
    Row(
      pose("00000040", at: 42), .teleUDP, .quaternion, .warning, 30..<46,
      "qx, qy, qz, qw have norm 2.0; a unit quaternion has 1 within 0.001"),
    Row(
      pose("00000000", at: 42), .teleUDP, .quaternion, .warning, 30..<46,
      "qx, qy, qz, qw have norm 0.0; a unit quaternion has 1 within 0.001"),
    Row(
      "54454c450101040302014142433132000000", .teleUDP, .codeCharacters, .warning, 10..<16,
      "code is not exactly six of A–Z and 0–9"),
    Row("616263313233", .teleBLE, .codeCharacters, .warning, 0..<6, "code is not exactly six of A–Z and 0–9"),
    Row(
      "54454c45080150c30300c3a4c3", .teleUDP, .beaconName, .warning, 10..<13,
      "name is not 1 to 20 of A–Z a–z 0–9 _ -"),
    Row("54454c45090102005b5d", .teleTCP, .configJSON, .warning, 8..<10, "config is not a JSON object in UTF-8"),
    Row("54454c4502010000", .teleTCP, .ackDialect, .note, 0..<8, "the 8-byte ACK of udp-v1, over TCP"),
    Row(
      "54454c450201000001010000", .teleUDP, .ackDialect, .note, 0..<12,
      "the 12-byte ACK of tcp-v1, over a transport of udp-v1"),
    Row(
      "54454c4502010000", .teleBLE, .transport, .note, 0..<8,
      "ACK is not meant for this transport; it travels over UDP"),
    Row(
      "54454c45060107000000ac0d0000", .teleUDP, .transport, .note, 0..<14,
      "HEARTBEAT is not meant for this transport; it travels over Bluetooth"),
    Row(
      "54454c45090102007b7d", .teleUDP, .transport, .note, 0..<10,
      "CONFIG is not meant for this transport; it travels over TCP, Bluetooth"),
  ]

  static let streams = [
    Row(.frameLength, .error, 0..<0, "frame length 5; a message has 6 bytes or more") {
      findings(.teleTCP, "0500")
    },
    Row(.streamSkipped, .warning, 0..<0, "1 byte skipped until the next message begins") {
      findings(.mouse, "00aa00000000")
    },
    Row(.streamEnd, .note, 0..<3, "the stream ends inside a message: needed 14 bytes, had 3") {
      findings(.teleTCP, "0c0054")
    },
  ]

  static let conversations = [
    Row(.direction, .warning, 0..<6, "POSE travels from phone to host") {
      var story = Conversation()
      return story.host(.pose(1), at: 0).findings
    },
    Row(.direction, .warning, 0..<6, "HAPTIC travels from host to phone") {
      var story = Conversation()
      return story.phone(.haptic(1), at: 0).findings
    },
    Row(.seqGap, .note, 6..<8, "seq 2 after 65535: 2 poses missing") { poses(65_535, 2) },
    Row(.seqGap, .note, 6..<8, "seq 3 after 1: 1 pose missing") { poses(1, 3) },
    Row(.seqDuplicate, .note, 6..<8, "seq 5 came before; a receiver drops the duplicate") { poses(5, 5) },
    Row(.seqReordered, .note, 6..<8, "seq 4 came after 5: out of order; a receiver drops it") { poses(5, 4) },
    Row(.helloWithoutAck, .warning, 0..<18, "the HELLO in packet 1 got no ACK") {
      var story = Conversation()
      story.phone(.hello(7), at: 0)
      return story.phone(.hello(7), at: 1).findings
    },
    Row(.hapticOutsideSession, .warning, 0..<12, "HAPTIC while no session is open: the phone plays nothing") {
      var story = Conversation()
      return story.host(.haptic(1), at: 0).findings
    },
    Row(
      .silence, .note, 0..<46, "3.2 s of silence from the phone; after 3 s each side considers the session lost"
    ) {
      var story = Conversation()
      story.host(.ack(.ok), at: 0)
      return story.phone(.pose(1), at: 3.29).findings
    },
    Row(
      .silence, .note, 0..<46, "4.0 s without an answer from the host; after 3 s each side considers the session lost"
    ) {
      var story = Conversation()
      story.host(.ack(.ok), at: 0)
      story.phone(.pose(1), at: 2)
      return story.phone(.pose(2), at: 4).findings
    },
    Row(
      .notFollowed, .note, 0..<18,
      "there are more than 65536 pairs of endpoints at a time, or 262144 sessions: this one and others are not followed, "
        + "so findings about several of their messages are missing"
    ) {
      var story = Conversation(tracker: SessionTracker(mostPairs: 0, mostSessions: 0))
      return story.phone(.hello(7), at: 0).findings
    },
  ]

  @Test(
    "A broken rule is the only finding, with this range and sentence", arguments: payloads + streams + conversations)
  func raised(_ row: Row) {
    let findings = row.raise()
    #expect(findings.map(\.rule) == [row.rule])
    #expect(findings.map(\.severity) == [row.severity])
    #expect(findings.map(\.range) == [row.range])
    #expect(findings.map(\.description) == [row.sentence])
  }

  /// Raised by TelecapCapture, which reads the layers below, and where keys are many, as no built-in protocol's are.
  static let ofOtherRooms: [Rule: (Finding, Severity, String)] = [
    .seqShared: (
      Finding(.seqShared, 6..<8, .sequence(9, newest: 6, missing: 2)), .note,
      "seq 9 after 6: 2 between came in other streams of the sender, which has one counter for all; such gaps are no losses"
    ),
    .seqNotFollowed: (
      Finding(.seqNotFollowed, 6..<8, .kind(.pose)), .note,
      "POSE has more than 256 streams here; gaps, duplicates and late arrivals of the others are not found"
    ),
    .streamGap: (
      Finding(.streamGap, 0..<0, .count(1_460)), .note, "1460 bytes of the stream are not in the capture"
    ),
    .fragment: (
      Finding(.fragment, 0..<0, .lengths(needed: 3_000, had: 1_480)), .note,
      "a fragmented IP datagram is incomplete: 1480 of 3000 bytes captured"
    ),
    .fragmentLimit: (
      Finding(.fragmentLimit, 0..<0, .count(8)), .note,
      "reassembly of an IP datagram was dropped for newer ones: 8 bytes captured, the last fragment is missing"
    ),
    .fragmentOverlap: (
      Finding(.fragmentOverlap, 0..<0), .warning, "overlapping fragments: the IP datagram is not reassembled"
    ),
    .packetDamaged: (
      Finding(.packetDamaged, 0..<0, .lengths(needed: 20, had: 3)), .warning,
      "the packet is cut short: needed 20 bytes, had 3"
    ),
    .clockStep: (
      Finding(.clockStep, 0..<0, .nanoseconds(3_599_950_000_000)), .warning,
      "packet times go back by 3599.9 s: the clock was set back, or another recording was appended; later times continue from the packet "
        + "before"
    ),
  ]

  @Test("Every rule of this module has a row")
  func allRules() {
    let raised = Set((RuleTests.payloads + RuleTests.streams + RuleTests.conversations).map(\.rule))
    #expect(raised.isDisjoint(with: RuleTests.ofOtherRooms.keys))
    #expect(raised.union(RuleTests.ofOtherRooms.keys) == Set(Rule.all))
  }

  @Test("The rules of the lower layers have their sentences here, too")
  func otherRooms() {
    for (rule, (finding, severity, sentence)) in RuleTests.ofOtherRooms {
      #expect(finding.rule == rule)
      #expect(finding.severity == severity)
      #expect(finding.description == sentence)
    }
    #expect(Finding(.packetDamaged, 0..<0).description == "the packet's headers contradict each other")
  }

  @Test("The ids of rules never change, and each rule has a source")
  func ids() {
    #expect(
      Rule.all.map(\.id) == [
        "header.magic", "header.version", "header.type", "length.truncated", "length.trailing", "mouse.length",
        "mouse.header", "value.out-of-range", "value.not-a-number", "value.unknown-code", "mouse.minus-128",
        "reserved.nonzero", "pose.quaternion", "hello.code-characters", "beacon.name", "config.json", "ack.dialect",
        "message.transport", "message.direction", "seq.gap", "seq.duplicate", "seq.reordered", "seq.shared",
        "seq.not-followed",
        "hello.no-ack", "haptic.outside-session", "session.silence", "session.not-followed", "frame.length",
        "stream.skipped", "stream.gap",
        "stream.end",
        "packet.fragment", "packet.fragment-limit", "packet.fragment-overlap", "packet.damaged", "clock.step",
      ])
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    #expect(Rule.all.allSatisfy { !$0.source.isEmpty })
    #expect(Rule.magic.source == "TELE, Common header; requirement tele.header.magic")
    let framing = "TELE, Transports: framing"
    #expect(
      RuleTests.streams.flatMap { $0.raise() }.map(\.source) == [
        framing + "; requirement tele.tcp.bad-length", "Mouse, WiFi packet", framing + "; Mouse, WiFi packet",
      ])
    #expect(Severity.note < .warning && Severity.warning < .error)
    #expect(Severity.allCases.map(\.name) == ["note", "warning", "error"])
  }

  @Test("A finding that was made by hand with an unknown field still prints")
  func noSuchField() {
    #expect(Finding(.outOfRange, 0..<1, .field(.haptic, index: 200, bits: 0)).description == "value.out-of-range")
  }

  @Test("Several errors are several findings, in the order of the table")
  func several() {
    let (kind, findings) = decode(hex("aaff808081"), as: .mouse)
    #expect(kind == .mouseMovement)
    #expect(findings.map(\.rule) == [.reserved, .minus128, .minus128])
    #expect(findings.map(\.range) == [1..<2, 2..<3, 3..<4])
  }

  @Test(
    "The norm of a quaternion is 1 within 1e-3, also where floats overflow",
    arguments: [
      (0.9989, true), (0.9991, false), (1, false), (1.0009, false), (1.0011, true), (3.4e38, true), (0, true),
    ] as [(Float, Bool)])
  func quaternion(_ norm: Float, _ isWrong: Bool) {
    var pose = Message.pose(1)
    pose.edit(as: Pose.self) { $0[Pose.fields.qw] = norm }
    #expect(decode(pose.bytes, as: .teleUDP).findings.map(\.rule) == (isWrong ? [.quaternion] : []))
    pose.edit(as: Pose.self) {
      $0[Pose.fields.qw] = 0
      $0[Pose.fields.qx] = -norm
    }
    #expect(decode(pose.bytes, as: .teleUDP).findings.map(\.rule) == (isWrong ? [.quaternion] : []))
  }

  @Test("Four huge components overflow a Float's norm and are found; an infinite one is found once")
  func hugeQuaternion() {
    var pose = Message.pose(1)
    for field in [Pose.fields.qx, Pose.fields.qy, Pose.fields.qz, Pose.fields.qw] {
      pose.edit(as: Pose.self) { $0[field] = .greatestFiniteMagnitude }
    }
    #expect(decode(pose.bytes, as: .teleUDP).findings.map(\.rule) == [.quaternion])
    pose.edit(as: Pose.self) { $0[Pose.fields.qz] = .nan }
    #expect(decode(pose.bytes, as: .teleUDP).findings.map(\.rule) == [.notANumber])
  }

  @Test("A beacon's name has 1 to 20 bytes; else its length and the name are findings", arguments: [0, 1, 20, 21])
  func beaconNameLength(_ count: Int) throws {
    let beacon = try Message(.beacon, fields: ["name": .text(String(repeating: "a", count: count))])
    let expected = [
      Finding(.outOfRange, 8..<9, .field(.beacon, index: 4, bits: UInt64(count))),
      Finding(.beaconName, 10..<10 + count, .field(.beacon, index: 6, bits: 0)),
    ]
    #expect(decode(beacon.bytes, as: .teleUDP).findings == ((1...20).contains(count) ? [] : expected))
  }

  @Test("Six raw bytes over Bluetooth are a code, also the code that begins with TELE")
  func codeThatBeginsLikeAHeader() {
    #expect(decode(Array("TELE42".utf8), as: .teleBLE) == (.bleAuth, []))
    #expect(
      decode(hex("54454c450701"), as: .teleBLE)
        == (.haptic, [Finding(.truncated, 0..<6, .lengths(needed: 12, had: 6))]))
  }

  // MARK: - Raising

  private static func pose(_ change: String, at offset: Int) -> String {
    let text = Array(Hex.text(Message.pose(1).bytes))
    return String(text[..<(2 * offset)]) + change + String(text[(2 * offset + change.count)...])
  }

  private static func findings(_ dialect: Dialect, _ text: String) -> [Finding] {
    FramerVerifier { MessageFramer(dialect) }.events([hex(text)]).compactMap { $0.event.finding(dialect.owner.rules) }
  }

  private static func poses(_ numbers: UInt16...) -> [Finding] {
    var story = Conversation()
    return numbers.flatMap { story.phone(.pose($0), at: 0).findings }
  }
}
