import TelecapRecording
import TelecapWire

/// The iPhone mouse: a phone acts as a computer mouse, over WiFi and Bluetooth (mouse.md).
public enum Mouse {
  /// The protocol as a value.
  public static let wire: WireProtocol = WireProtocol(
    "mouse", title: "the iPhone mouse protocol",
    messages: [MousePacket.movement, MousePacket.control, MouseReport.layout, MouseReport.short],
    malformed: MouseMalformed.layout,
    dialects: [
      DialectDeclaration(
        "wifi", over: "WiFi",
        framing: .fixed(size: MousePacket.size, heads: [MousePacket.movementHeader, MousePacket.controlHeader])),
      DialectDeclaration(
        "hid", over: "Bluetooth",
        characteristics: [Characteristic(MouseReport.characteristic, carries: MouseReport.layout.name)]),
    ],
    ports: [
      PortRow("mouse-udp", .udp, 8_888, dialect: "wifi", help: "UDP port of mouse movement."),
      PortRow("mouse-tcp", .tcp, 8_889, dialect: "wifi", help: "TCP port of mouse control."),
    ],
    recognition: [
      "wifi": Recognition(
        header: 1, shortest: MousePacket.size, code: MousePacket.fields.header.row, unknownCode: .mouseHeader,
        isExact: true, tooLong: .mouseLength),
      // The size distinguishes the two forms of a report.
      "hid": Recognition(header: 0, isExact: true, tooLong: .mouseLength),
    ],
    rules: .mouse, session: SessionRules(.anyMessage),
    streams: [
      StreamRules(
        "pointer", of: "MOVEMENT", also: ["CONTROL", "REPORT"], values: ["delta_x", "delta_y"], merge: .sum,
        events: EventNames(
          "pointer", [.value("x", at: 0), .value("y", at: 1)], rule: "pointer", isState: true,
          meaning: "where its pointer is")),
      StreamRules(
        "scroll", of: "MOVEMENT", also: ["CONTROL", "REPORT"], values: ["scroll"], merge: .sum,
        events: EventNames(
          "scroll", [.value("scroll", at: 0)], rule: "scroll", isState: true, meaning: "how far it has scrolled")),
      StreamRules(
        "buttons", of: "MOVEMENT", also: ["CONTROL", "REPORT"], values: ["buttons"], neutral: ["buttons": 0],
        events: EventNames(
          "buttons", [.value("buttons", at: 0)], rule: "buttons", parts: ["left", "right", "middle"],
          isState: true, meaning: "which buttons are down")),
    ], sides: ("mouse", "mouse-host"))
}

extension Role {
  /// The phone as a computer mouse, which sends movement and clicks.
  public static let mouse = Role(Mouse.wire, .client)
  /// The computer with the pointer.
  public static let mouseHost = Role(Mouse.wire, .host)
}

extension Dialect {
  /// Mouse packets of five bytes, over UDP and TCP.
  public static let mouse = Mouse.wire.dialect("wifi")
  /// Mouse HID reports of six bytes (or five), over Bluetooth.
  public static let mouseHID = Mouse.wire.dialect("hid")
}

extension MessageKind {
  /// Mouse 0xAA.
  public static let mouseMovement = Mouse.wire.kind(MousePacket.movement)
  /// Mouse 0xBB.
  public static let mouseControl = Mouse.wire.kind(MousePacket.control)
  /// A mouse's HID report.
  public static let mouseHID = Mouse.wire.kind(MouseReport.layout)
  /// A mouse's HID report without its scroll byte.
  public static let mouseHIDShort = Mouse.wire.kind(MouseReport.short)
  /// A payload on a mouse port that is not a mouse packet.
  public static let mouseMalformed = Mouse.wire.kind(MouseMalformed.layout)
}

/// The rules for the mouse's own messages.
extension Rule {
  /// A mouse packet that is longer than its five bytes, or six over Bluetooth.
  public static let mouseLength = Rule(
    "mouse.length", .error, text: "Mouse, Receiver rule 1", requirement: "mouse.length.wrong"
  ) { finding in
    guard case .lengths(let needed, let had) = finding.detail else { return nil }
    return "\(had) bytes; a mouse packet has \(needed)"
  }
  /// A mouse packet whose first byte is neither 0xAA nor 0xBB.
  public static let mouseHeader = Rule(
    "mouse.header", .error, text: "Mouse, WiFi packet", requirement: "mouse.header.unknown"
  ) { finding in
    guard case .found(let bits) = finding.detail else { return nil }
    return "header 0x\(Finding.hex(bits, 1)); a mouse packet begins with 0xaa (movement) or 0xbb (control)"
  }
  /// −128 in an int8 field of the mouse.
  public static let minus128 = Rule(
    "mouse.minus-128", .warning, text: "Mouse, Sender rule 1", requirement: "mouse.clamp.never-minus-128"
  ) { finding in
    guard case .field(let kind, let index, _) = finding.detail else { return nil }
    return "\(kind.layout.fields[Int(index)].name) is -128; a mouse sends -127 to 127"
  }
}

extension RuleBook {
  /// The general rules with the wording of the mouse's documents.
  static let mouse: RuleBook = {
    var book = RuleBook()
    book.truncated = Rule.truncated.stated(in: "Mouse, Receiver rule 1", requirement: "mouse.length.wrong")
    book.reserved = Rule.reserved.stated(in: nil, requirement: "mouse.buttons.reserved")
    book.transport = Rule.transport.stated(in: "Mouse, WiFi packet; HID report over Bluetooth")
    book.direction = Rule.direction.stated(in: "Mouse, WiFi packet; HID report over Bluetooth")
    book.streamSkipped = Rule.streamSkipped.stated(in: "Mouse, WiFi packet")
    book.streamEnd = Rule.streamEnd.stated(in: "Mouse, WiFi packet")
    book.client = "phone"
    book.lengths = [.mouseLength, .mouseHeader]
    book.values = [.minus128]
    return book
  }()
}

extension Ports {
  /// The port of mouse movement.
  public var mouseUDP: UInt16 { self["mouse-udp"] ?? 8_888 }
  /// The port of mouse control.
  public var mouseTCP: UInt16 { self["mouse-tcp"] ?? 8_889 }
}
