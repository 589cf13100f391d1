import TelecapRecording
import TelecapWire

/// Which frames to capture. libpcap gets it in its own language, which depends on the link type
/// (https://www.tcpdump.org/manpages/pcap-filter.7.html).
public enum CaptureFilter: Hashable, Sendable {
  /// All of them.
  case everything
  /// Those of these ports.
  case ports(Ports)
  /// Those that a text in libpcap's language lets pass.
  case text(String)

  /// The filter in libpcap's language for frames of this LINKTYPE_ number; empty for everything.
  public func text(linkType: UInt16) -> String {
    switch self {
    case .everything: ""
    // libpcap's language knows nothing of Bluetooth: all of it is kept.
    case .ports where LinkType.isBluetooth(linkType): ""
    case .ports(let ports): Self.text(for: ports, linkType: linkType)
    case .text(let text): text
    }
  }

  /// The filter that lets these ports pass, over IPv4 and IPv6, such as
  /// `(udp and (port 8888 or port 50000 or port 50001)) or (tcp and (port 8889 or port 50000))`.
  ///
  /// On Ethernet also in one VLAN tag or two: to libpcap, the word `vlan` means that all that follows it is tagged.
  /// Other link types do not know the word.
  public static func text(for ports: Ports, linkType: UInt16 = LinkType.ethernet) -> String {
    let plain = [Carrier.udp, .tcp].compactMap { carrier -> String? in
      let numbers = Set(ports.entries.filter { $0.row.carrier == carrier }.map(\.number))
      return numbers.isEmpty ? nil : "(\(carrier.name) and (\(alternatives(numbers))))"
    }.joined(separator: " or ")
    guard linkType == LinkType.ethernet else { return plain }
    return "\(plain) or (vlan and (\(plain) or (vlan and (\(plain)))))"
  }

  private static func alternatives(_ ports: Set<UInt16>) -> String {
    ports.sorted().map { "port \($0)" }.joined(separator: " or ")
  }
}
