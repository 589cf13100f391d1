import TelecapRecording

/// How messages of a protocol are carried, which decides how some of them look: a handle on the row that the protocol
/// declared (`MessageKind` says how long such a row lives).
public struct Dialect: Hashable, Sendable {
  @usableFromInline let handle: Unmanaged<DialectRow>

  init(_ row: DialectRow) { handle = .passRetained(row) }

  @inline(__always)
  var row: DialectRow { handle._withUnsafeGuaranteedRef { $0 } }

  /// Its name: `udp-v1`, `tcp-v1`, `ble`, `wifi`, `hid`.
  public var name: String { row.declaration.name }
  /// The transport of its messages: `UDP`, `TCP`, `Bluetooth`, `WiFi`.
  public var transport: String { row.declaration.transport }
  /// How a byte stream is cut into messages.
  public var framing: Framing { row.declaration.framing }
  /// How datagrams are cut into messages: `none` where each is one, or `datagram`.
  public var datagrams: Framing { row.declaration.datagrams }
  /// Whether a datagram may contain several messages.
  @inline(__always)
  public var hasSeveralInDatagram: Bool { handle._withUnsafeGuaranteedRef { $0.hasSeveral } }
  /// How payloads over this transport are cut into messages.
  public func framing(over carrier: Carrier) -> Framing {
    switch carrier {
    case .tcp: framing
    case .udp: datagrams
    default: .none
    }
  }
  /// Payloads that are no more than this message and have no header; nil where each has one.
  public var bare: String? { row.declaration.bare }
  /// By which characteristics its messages are known over Bluetooth.
  public var characteristics: [Characteristic] { row.declaration.characteristics }
  /// Its index among the versions of its protocol, from 0.
  public var place: Int { row.place }
  /// The protocol that declared it.
  public var owner: WireProtocol { row.owner.protocolValue }
  /// The kind of a payload that is none of the protocol's messages.
  public var malformed: MessageKind { owner.malformed }
  /// The protocol's name in captures and JSON: `tele`, `mouse`.
  public var protocolName: String { owner.name }

  @inlinable
  public static func == (left: Dialect, right: Dialect) -> Bool { left.handle.toOpaque() == right.handle.toOpaque() }

  public func hash(into hasher: inout Hasher) { hasher.combine(handle.toOpaque()) }
}

/// A protocol version as its protocol declares it.
public struct DialectDeclaration: Hashable, Sendable {
  /// Its name in captures and JSON.
  public var name: String
  /// The transport of its messages, in a word.
  public var transport: String
  /// How a byte stream is cut into messages.
  public var framing: Framing
  /// How a datagram is cut into messages.
  public var datagrams: Framing
  /// Payloads that are no more than this message and have no header, known by their size alone.
  public var bare: String?
  /// By which characteristics its messages are known over Bluetooth.
  public var characteristics: [Characteristic]

  /// Its transport if no port defines it.
  public var carrier: Carrier? { characteristics.isEmpty ? nil : .ble }

  /// A protocol version of this name over this transport.
  public init(
    _ name: String, over transport: String, framing: Framing = .none, datagrams: Framing = .none, bare: String? = nil,
    characteristics: [Characteristic] = []
  ) {
    self.name = name
    self.transport = transport
    self.framing = framing
    self.datagrams = datagrams
    self.bare = bare
    self.characteristics = characteristics
  }
}

/// A characteristic of a Bluetooth service, whose value is a message (Bluetooth Core Specification, Vol 3, Part G, 3.3).
public struct Characteristic: Hashable, Sendable {
  /// Its UUID, as people write it.
  public let uuid: String
  /// The message that is written to it, or that it notifies of.
  public let message: String

  /// The characteristic that carries a message.
  public init(_ uuid: String, carries message: String) {
    self.uuid = uuid
    self.message = message
  }
}

/// The data of a protocol about one of its versions. `plan` is written once, by the protocol's initialiser, before anybody else
/// can see the row; nothing changes afterwards: hence `@unchecked Sendable`.
@usableFromInline
final class DialectRow: @unchecked Sendable {
  let declaration: DialectDeclaration
  let place: Int
  /// A datagram may contain several messages: read for each packet, where the framing itself would be copied.
  let hasSeveral: Bool
  /// It lives as long as the process, and so is not counted.
  var plan: Unmanaged<DecodePlan>?
  var owner = Owner()

  init(_ declaration: DialectDeclaration, place: Int) {
    self.declaration = declaration
    self.place = place
    hasSeveral = declaration.datagrams != .none
  }
}
