import TelecapRecording
import TelecapWire

/// TELE, the teleoperation protocol: a phone streams its pose to a robot's PC, which sends haptic strength back (tele.md).
public enum Tele {
  /// The protocol as a value.
  public static let wire: WireProtocol = WireProtocol(
    "tele", title: "TELE, the teleoperation protocol",
    messages: [
      Hello.layout, Ack.layout, AckTCP.layout, Pose.layout, Bye.layout, Cmd.layout, Heartbeat.layout, Haptic.layout,
      Beacon.layout, Config.layout, BLEAuth.layout,
    ],
    unknown: TeleUnknown.layout, malformed: TeleMalformed.layout,
    dialects: [
      DialectDeclaration("udp-v1", over: "UDP"),
      DialectDeclaration("tcp-v1", over: "TCP", framing: .length(.uint16(shortest: Header.size))),
      // Six raw bytes over Bluetooth are a code, even the code TELE42, and not a header without a message.
      DialectDeclaration(
        "ble", over: "Bluetooth", bare: BLEAuth.layout.name,
        characteristics: BLECharacteristic.allCases.map { Characteristic($0.uuid, carries: $0.layout.name) }),
    ],
    ports: [
      PortRow("tele-udp", .udp, 50_000, dialect: "udp-v1", help: "UDP port of TELE udp-v1."),
      PortRow("tele-tcp", .tcp, 50_000, dialect: "tcp-v1", help: "TCP port of TELE tcp-v1."),
      PortRow("tele-beacon", .udp, 50_001, dialect: "udp-v1", end: .listener, help: "UDP port of TELE beacons."),
    ],
    recognition: ["udp-v1": recognition, "tcp-v1": recognition, "ble": bluetooth],
    rules: .tele,
    session: SessionRules(
      .answer(
        .init(
          "HELLO", id: "session_id", code: "code", answers: ["ACK"], accepts: ("status", UInt64(AckStatus.ok.rawValue)),
          rejects: .init(code: UInt64(AckStatus.badCode.rawValue), busy: UInt64(AckStatus.busy.rawValue)), clients: 1,
          unanswered: .helloWithoutAck,
          // Over Bluetooth HELLO, ACK and BYE are not used (TELE, Transports). The code alone is the request, a session
          // opens at the first HEARTBEAT (derived), and the end of the link closes it.
          instead: .init(BLEAuth.layout.name, life: Heartbeat.layout.name, every: heartbeatInterval))),
      closing: ("BYE", "session_id"), timeout: timeout, outside: ["BEACON"], needed: ["HAPTIC": .hapticOutsideSession]),
    streams: [
      StreamRules(
        "pose", of: "POSE", order: .sequence("seq"),
        values: ["x", "y", "z", "qx", "qy", "qz", "qw", "timestamp_us", "flags"], inSession: true,
        events: poseEvents),
      StreamRules(
        "haptic", of: "HAPTIC", values: ["intensity"], range: 0...1, inSession: true, notFinite: .clampedOrDropped,
        neutral: ["intensity": 0],
        events: EventNames(
          "haptic-applied", [.value("intensity", at: 0)], rule: "strength", isState: true,
          meaning: "how strongly its motor runs")),
      StreamRules(
        "cmd", of: "CMD", key: ["cmd_type"], values: ["value"], merge: .event,
        events: EventNames(
          "cmd", [.key("cmd_type", at: 0), .value("value", at: 0)], rule: "command", change: "changed",
          meaning: "which commands it applies")),
    ], sides: ("phone", "host"))

  /// The timeout after which each side considers the other gone (TELE, Session rule 5), in ns.
  public static let timeout: Nanoseconds = 3_000_000_000

  /// The interval of HEARTBEAT over Bluetooth (TELE, Transports: liveness), in ns.
  public static let heartbeatInterval: Nanoseconds = 500_000_000

  private static let poseEvents = EventNames(
    "pose-applied",
    [.number("seq"), .value("timestamp_us", at: 7), .bit("movement_start", UInt64(Pose.movementStart), at: 8)]
      + ["x", "y", "z", "qx", "qy", "qz", "qw"].enumerated().map { .value($0.element, at: $0.offset) },
    rule: "pose", meaning: "which poses it applies")

  private static let recognition = Recognition(
    header: Header.size, identity: [.init(Header.fields.magic.row, .magic)], code: Header.fields.type.row,
    unknownCode: .type, constants: [.init(Header.fields.version.row, .version)], otherForm: .ackDialect)

  /// Neither form of an ACK is used over Bluetooth.
  private static let bluetooth = Recognition(
    header: Header.size, identity: [.init(Header.fields.magic.row, .magic)], code: Header.fields.type.row,
    unknownCode: .type, constants: [.init(Header.fields.version.row, .version)])
}

extension Role {
  /// The mobile app: sends HELLO and poses, plays haptics.
  public static let phone = Role(Tele.wire, .client)
  /// The robot's PC: answers HELLO, receives poses, sends haptics.
  public static let host = Role(Tele.wire, .host)
}

extension Dialect {
  /// TELE udp-v1: one message a datagram.
  public static let teleUDP = Tele.wire.dialect("udp-v1")
  /// TELE tcp-v1: each message after its uint16 length (the length is not part of the message).
  public static let teleTCP = Tele.wire.dialect("tcp-v1")
  /// TELE over Bluetooth: one message a write or notification.
  public static let teleBLE = Tele.wire.dialect("ble")
}

extension MessageKind {
  /// TELE 1: a phone requests a session and keeps it alive.
  public static let hello = Tele.wire.kind(Hello.layout)
  /// TELE 2 in udp-v1, 8 bytes.
  public static let ack = Tele.wire.kind(Ack.layout)
  /// TELE 2 in tcp-v1, 12 bytes.
  public static let ackTCP = Tele.wire.kind(AckTCP.layout)
  /// TELE 3.
  public static let pose = Tele.wire.kind(Pose.layout)
  /// TELE 4.
  public static let bye = Tele.wire.kind(Bye.layout)
  /// TELE 5.
  public static let cmd = Tele.wire.kind(Cmd.layout)
  /// TELE 6.
  public static let heartbeat = Tele.wire.kind(Heartbeat.layout)
  /// TELE 7.
  public static let haptic = Tele.wire.kind(Haptic.layout)
  /// TELE 8.
  public static let beacon = Tele.wire.kind(Beacon.layout)
  /// TELE 9.
  public static let config = Tele.wire.kind(Config.layout)
  /// The six raw bytes of the Bluetooth auth characteristic.
  public static let bleAuth = Tele.wire.kind(BLEAuth.layout)
  /// A TELE header with an unknown type.
  public static let teleUnknown = Tele.wire.kind(TeleUnknown.layout)
  /// A payload on a TELE port without a TELE header.
  public static let teleMalformed = Tele.wire.kind(TeleMalformed.layout)
}

extension Ports {
  /// TELE udp-v1.
  public var teleUDP: UInt16 { self["tele-udp"] ?? 50_000 }
  /// TELE tcp-v1.
  public var teleTCP: UInt16 { self["tele-tcp"] ?? 50_000 }
  /// TELE beacons.
  public var teleBeacon: UInt16 { self["tele-beacon"] ?? 50_001 }
}
