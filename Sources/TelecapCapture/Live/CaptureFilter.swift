import TelecapRecording
import TelecapWire

/// Which frames to capture. libpcap gets it in its own language, which depends on the link type
/// (https://www.tcpdump.org/manpages/pcap-filter.7.html).
public enum CaptureFilter: Hashable, Sendable {
  /// All of them.
  case everything
  /// Those of these ports, and those whose ports the kernel cannot see; with `tunnels` also all that tunnels carry.
  case ports(Ports, tunnels: Bool = false)
  /// Those that a text in libpcap's language lets pass.
  case text(String)

  /// The filter in libpcap's language for frames of this LINKTYPE_ number; empty for everything.
  public func text(linkType: UInt16) -> String {
    switch self {
    case .everything: ""
    // libpcap's language knows nothing of Bluetooth: all of it is kept.
    case .ports where LinkType.isBluetooth(linkType): ""
    case .ports(let ports, let tunnels): Self.text(for: ports, tunnels: tunnels, linkType: linkType)
    case .text(let text): text
    }
  }

  /// The filter that lets these ports pass, over IPv4 and IPv6, such as
  /// `(udp and (port 8888 or port 50000 or port 50001)) or (tcp and (port 8889 or port 50000))`, and then what may be of these ports
  /// and does not show it: `hidden`, and with `tunnels` `tunnelled`.
  ///
  /// On Ethernet also in one VLAN tag or two: to libpcap, the word `vlan` means that all that follows it is tagged.
  /// Other link types do not know the word.
  public static func text(for ports: Ports, tunnels: Bool = false, linkType: UInt16 = LinkType.ethernet) -> String {
    let carriers = [Carrier.udp, .tcp].compactMap { carrier -> (carrier: Carrier, numbers: Set<UInt16>)? in
      let numbers = Set(ports.entries.filter { $0.row.carrier == carrier }.map(\.number))
      return numbers.isEmpty ? nil : (carrier, numbers)
    }
    let visible = carriers.map { "(\($0.carrier.name) and (\(any("port", $0.numbers.sorted()))))" }
    let plain = (visible + hidden(carriers.map(\.carrier)) + (tunnels ? tunnelled : [])).joined(separator: " or ")
    guard linkType == LinkType.ethernet else { return plain }
    return "\(plain) or (vlan and (\(plain) or (vlan and (\(plain)))))"
  }

  /// Packets whose ports are in another packet, or after headers that libpcap's language does not follow: the later fragments of
  /// IPv4; IPv6 with an extension header, unless ICMPv6 follows it, as in each report of a multicast listener; and the
  /// authentication header (RFC 791 §3.2, RFC 8200 §4, RFC 4302).
  private static func hidden(_ carriers: [Carrier]) -> [String] {
    guard !carriers.isEmpty else { return [] }
    return [
      "((\(any("ip proto", carriers.map(\.rawValue)))) and ip[6:2] & 0x1fff != 0)",
      "((\(any("ip6[6] =", [0, 43, 44, 51, 60]))) and ip6[40] != 58)",
      "ip proto 51",
    ]
  }

  /// The encapsulations that telecap decapsulates, whatever is in them: by EtherType, by IP protocol, by UDP port.
  private static let tunnelled: [String] = {
    let readable: Set<Encapsulation?> = [.pppoe, .mpls, .providerBackbone, .ipInIP, .gre, .etherIP, .vxlan, .geneve]
    let types = (UInt16.min...UInt16.max).filter { readable.contains(Encapsulation(etherType: $0)) }
    let protocols = (UInt8.min...UInt8.max).filter { readable.contains(Encapsulation(ipProtocol: $0)) }
    let ports = (UInt16.min...UInt16.max).filter { readable.contains(Encapsulation(udpPort: $0)) }
    return [any("ether proto", types), any("proto", protocols), any("udp dst port", ports)]
  }()

  private static func any(_ word: String, _ numbers: [some BinaryInteger]) -> String {
    numbers.map { "\(word) \($0)" }.joined(separator: " or ")
  }
}
