/// An endpoint of a flow: an address and a port.
public struct Endpoint: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// The UDP or TCP port, 0…65535; for a Bluetooth link its handle.
  public var port: UInt16

  /// An endpoint with this address and port.
  @inlinable
  public init(_ address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }
}

extension Endpoint: LosslessStringConvertible {
  /// `192.0.2.1:50000` or `[2001:db8::1]:50000`; `[5c:f3:70:01:02:03]:64` for a Bluetooth link.
  public var description: String {
    address.family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }

  /// Parses the output of `description`; nil for other text. Only IPv6 and Bluetooth addresses have brackets.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = IPAddress.decimal(text[text.index(after: colon)...]),
      let port = UInt16(exactly: port)
    else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(String(host)), isBracketed == (address.family != .v4) else { return nil }
    self.init(address, port: port)
  }
}

/// The transport of a payload.
public enum Carrier: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// UDP: each payload is one datagram.
  case udp = 17
  /// TCP: payloads are segments of a stream.
  case tcp = 6
  /// Bluetooth Low Energy: each payload is one write or notification of a link. It has no IP protocol number; 253 is
  /// reserved for experiments there (RFC 3692).
  case ble = 253

  /// The transports over IP, which have addresses and ports.
  public static let overIP: [Carrier] = [.udp, .tcp]

  /// `udp`, `tcp` or `ble`.
  public var name: String {
    switch self {
    case .udp: "udp"
    case .tcp: "tcp"
    case .ble: "ble"
    }
  }

  /// Whether two peers are connected before they send, and lose and reorder nothing while they are; either may
  /// disconnect. Over TCP it is a connection, over Bluetooth a link.
  @inlinable
  public var isConnected: Bool { self != .udp }

  /// The transport with this name; nil if there is none.
  public init?(named name: String) {
    guard let found = Carrier.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// All packets over one transport from one endpoint to another: one direction of a conversation.
public struct Flow: Hashable, Sendable {
  /// The sender.
  public var source: Endpoint
  /// The receiver.
  public var destination: Endpoint
  /// UDP, TCP or Bluetooth.
  public var carrier: Carrier

  /// The flow from `source` to `destination`.
  @inlinable
  public init(_ carrier: Carrier, from source: Endpoint, to destination: Endpoint) {
    self.carrier = carrier
    self.source = source
    self.destination = destination
  }

  /// The opposite direction of the same conversation.
  @inlinable
  public var reversed: Flow { Flow(carrier, from: destination, to: source) }
}

extension Flow: CustomStringConvertible {
  /// `udp 192.0.2.1:40000 → 192.0.2.2:50000`.
  public var description: String { "\(carrier.name) \(source) → \(destination)" }
}
