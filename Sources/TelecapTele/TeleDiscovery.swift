import TelecapRecording
import TelecapWire

/// The discovery of hosts by phones (tele.md, Transports: discovery).
public enum TeleDiscovery {
  /// The interval of a tcp-v1 host's BEACON, in ns.
  public static let beaconInterval: Nanoseconds = 500_000_000

  /// The mDNS service type of udp-v1 hosts, in the domain `local.`.
  public static let service = "_televoodoo._udp"

  /// The TXT record of that service, each entry as `key=value`.
  public static func properties(name: String, port: UInt16) -> [String] {
    ["v=\(Header.version)", "port=\(port)", "name=\(name)"]
  }

  /// The content of the QR code that a host shows to phones: its name, for the search, and its code (the public
  /// documents of tcp-v1, Mobile Protocol, QR Code Format).
  public static func invitation(name: String, code: String) -> String {
    #"{"name":"\#(name)","code":"\#(code)","transport":"wifi"}"#
  }
}

/// The content of a BEACON.
public struct BeaconReading: Hashable, Sendable {
  /// The host's name.
  public let name: String
  /// The TCP port for phones; the address is that of the beacon's sender.
  public let tcpPort: UInt16
  /// The version of its header.
  public let version: UInt8

  /// Decodes a datagram; nil if it is not a valid beacon.
  public init?(_ bytes: RawSpan) {
    guard let message = Message.decode(bytes, as: .teleUDP).message, let beacon = Typed<Beacon>(message),
      case .text(let name) = message.value(of: Beacon.fields.name.row.name),
      case .unsigned(let version) = message.value(of: Header.fields.version.row.name)
    else { return nil }
    (self.name, tcpPort, self.version) = (name, beacon[Beacon.fields.tcpPort], UInt8(truncatingIfNeeded: version))
  }
}
