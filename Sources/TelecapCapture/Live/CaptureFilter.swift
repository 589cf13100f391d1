import TelecapRecording
import TelecapWire

/// Selects the frames to capture. libpcap needs it as a filter expression, which depends on the link type
/// (https://www.tcpdump.org/manpages/pcap-filter.7.html).
public enum CaptureFilter: Hashable, Sendable {
  /// All frames.
  case everything
  /// Frames of these ports, and frames whose ports the kernel cannot see; with `tunnels` also all tunnelled ones.
  case ports(Ports, tunnels: Bool = false)
  /// Frames that match a filter expression of libpcap.
  case text(String)

  /// The filter expression for frames of this LINKTYPE_ number; empty for all frames.
  public func text(linkType: UInt16) -> String {
    switch self {
    case .everything: ""
    // libpcap's expressions cannot match Bluetooth, so all of it is captured.
    case .ports where LinkType.isBluetooth(linkType): ""
    case .ports(let ports, let tunnels): Self.text(for: ports, tunnels: tunnels, linkType: linkType)
    case .text(let text): text
    }
  }

  /// The filter expression for these ports, over IPv4 and IPv6, such as `(udp and (port 8888 or port 50000 or port
  /// 50001)) or (tcp and (port 8889 or port 50000))`, followed by packets that may have these ports invisibly:
  /// `hidden`, and with `tunnels` `tunnelled`.
  ///
  /// On Ethernet it also matches one or two VLAN tags: for libpcap, the word `vlan` means that everything after it is
  /// tagged. Other link types do not support the word.
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

  /// Packets whose ports are in another packet, or after headers that libpcap's expressions cannot skip: the later
  /// fragments of IPv4; IPv6 with an extension header, unless ICMPv6 follows it, as in each report of a multicast
  /// listener; and the authentication header (RFC 791 §3.2, RFC 8200 §4, RFC 4302).
  private static func hidden(_ carriers: [Carrier]) -> [String] {
    guard !carriers.isEmpty else { return [] }
    return [
      "((\(any("ip proto", carriers.map(\.rawValue)))) and ip[6:2] & 0x1fff != 0)",
      "((\(any("ip6[6] =", [0, 43, 44, 51, 60]))) and ip6[40] != 58)",
      "ip proto 51",
    ]
  }

  /// The encapsulations that telecap decapsulates, with any content: by EtherType, by IP protocol, by UDP port.
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
