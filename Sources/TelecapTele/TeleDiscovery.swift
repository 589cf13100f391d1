import TelecapRecording
import TelecapWire

/// How a host makes itself known to phones that search (tele.md, Transports: discovery).
public enum TeleDiscovery {
  /// From one BEACON of a tcp-v1 host to the next, in ns.
  public static let beaconInterval: Nanoseconds = 500_000_000

  /// The mDNS service type of udp-v1 hosts, in the domain `local.`.
  public static let service = "_televoodoo._udp"

  /// What that service says of itself (TXT), each as `key=value`.
  public static func properties(name: String, port: UInt16) -> [String] {
    ["v=\(Header.version)", "port=\(port)", "name=\(name)"]
  }

  /// What the QR code says that a host shows to phones: its name, by which they find it, and the code that it takes (the public
  /// documents of tcp-v1, Mobile Protocol, QR Code Format).
  public static func invitation(name: String, code: String) -> String {
    #"{"name":"\#(name)","code":"\#(code)","transport":"wifi"}"#
  }
}

/// What a BEACON says.
public struct BeaconReading: Hashable, Sendable {
  /// The host's name.
  public let name: String
  /// The TCP port at which it takes phones; its address is where the beacon came from.
  public let tcpPort: UInt16
  /// The version of its header.
  public let version: UInt8

  /// Reads a datagram; nil when it is no beacon that a receiver may use.
  public init?(_ bytes: RawSpan) {
    guard let message = Message.decode(bytes, as: .teleUDP).message, let beacon = Typed<Beacon>(message),
      case .text(let name) = message.value(of: Beacon.fields.name.row.name),
      case .unsigned(let version) = message.value(of: Header.fields.version.row.name)
    else { return nil }
    (self.name, tcpPort, self.version) = (name, beacon[Beacon.fields.tcpPort], UInt8(truncatingIfNeeded: version))
  }
}
