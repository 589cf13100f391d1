import TelecapRecording

/// Every message there is, and the shapes of what is none.
public enum MessageKind: UInt8, Sendable, CaseIterable {
  /// TELE 1: the phone asks for a session and keeps it alive.
  case hello
  /// TELE 2 in udp-v1, 8 bytes.
  case ack
  /// TELE 2 in tcp-v1, 12 bytes.
  case ackTCP
  /// TELE 3.
  case pose
  /// TELE 4.
  case bye
  /// TELE 5.
  case cmd
  /// TELE 6.
  case heartbeat
  /// TELE 7.
  case haptic
  /// TELE 8.
  case beacon
  /// TELE 9.
  case config
  /// The six raw bytes of the Bluetooth auth characteristic.
  case bleAuth
  /// A TELE header with a type that nobody defined.
  case teleUnknown
  /// On a TELE port, and no TELE header.
  case teleMalformed
  /// Mouse 0xAA.
  case mouseMovement
  /// Mouse 0xBB.
  case mouseControl
  /// A mouse's HID report.
  case mouseHID
  /// A mouse's HID report without its scroll byte.
  case mouseHIDShort
  /// On a mouse port, and no mouse packet.
  case mouseMalformed

  /// The message's table.
  public var layout: Layout { MessageKind.layouts[Int(rawValue)] }
  /// The name in the documents: `POSE`.
  public var name: String { layout.name }

  /// The kind of a TELE message whose header has this type (tele.md, Messages).
  public init(teleType: UInt8, dialect: Dialect) {
    switch teleType {
    case 1: self = .hello
    case 2: self = dialect == .teleTCP ? .ackTCP : .ack
    case 3: self = .pose
    case 4: self = .bye
    case 5: self = .cmd
    case 6: self = .heartbeat
    case 7: self = .haptic
    case 8: self = .beacon
    case 9: self = .config
    default: self = .teleUnknown
    }
  }

  /// The type in the header of a TELE message; nil for what has none or any.
  public var teleType: UInt8? {
    switch self {
    case .hello: 1
    case .ack, .ackTCP: 2
    case .pose: 3
    case .bye: 4
    case .cmd: 5
    case .heartbeat: 6
    case .haptic: 7
    case .beacon: 8
    case .config: 9
    default: nil
    }
  }

  /// The same as `layout.direction`, for the packet path: one byte out of a flat list.
  public var layoutDirection: Direction { MessageKind.directions[Int(rawValue)] }

  /// Whether it is a mouse's.
  public var isMouse: Bool {
    switch self {
    case .mouseMovement, .mouseControl, .mouseHID, .mouseHIDShort, .mouseMalformed: true
    default: false
    }
  }

  private static let directions = layouts.map(\.direction)

  private static let layouts: [Layout] = allCases.map { kind in
    switch kind {
    case .hello: Hello.layout
    case .ack: Ack.layout
    case .ackTCP: AckTCP.layout
    case .pose: Pose.layout
    case .bye: Bye.layout
    case .cmd: Cmd.layout
    case .heartbeat: Heartbeat.layout
    case .haptic: Haptic.layout
    case .beacon: Beacon.layout
    case .config: Config.layout
    case .bleAuth: BLEAuth.layout
    case .teleUnknown: TeleUnknown.layout
    case .teleMalformed: TeleMalformed.layout
    case .mouseMovement: MousePacket.movement
    case .mouseControl: MousePacket.control
    case .mouseHID: MouseReport.layout
    case .mouseHIDShort: MouseReport.short
    case .mouseMalformed: MouseMalformed.layout
    }
  }
}
