/// A protocol that carries other packets within its own. Most are decapsulated; of the others it is known that messages may be in
/// them unseen.
public enum Encapsulation: UInt8, Hashable, Sendable, CaseIterable {
  /// Apple's header of packets of any interface (LINKTYPE_PKTAP).
  case pktap
  /// An IP packet in the place of an Ethernet frame, as an iPhone's interface of `rvictl` has them.
  case rawIP
  /// The radiotap header of an IEEE 802.11 frame (LINKTYPE_IEEE802_11_RADIOTAP).
  case radiotap
  /// IEEE 802.11, data frames.
  case wlan
  /// IEEE 802.2 with or without SNAP (RFC 1042).
  case llc
  /// RFC 1661 and 1662; Cisco's HDLC.
  case ppp
  /// RFC 2516, session stage.
  case pppoe
  /// RFC 3032.
  case mpls
  /// IEEE 802.1ah.
  case providerBackbone
  /// RFC 2003 and 4213.
  case ipInIP
  /// RFC 2784 and 2890; RFC 2637.
  case gre
  /// RFC 3378.
  case etherIP
  /// RFC 7348.
  case vxlan
  /// RFC 8926.
  case geneve
  /// IEEE 802.1AE. Not decapsulated.
  case macsec
  /// RFC 8300. Not decapsulated.
  case nsh
  /// RFC 4303. Not decapsulated: it is encrypted.
  case esp
  /// RFC 3931, over IP. Not decapsulated.
  case l2tp
  /// Mirrored frames in GRE. Not decapsulated.
  case erspan
  /// IEEE 802.11 data that is encrypted. Not decapsulated.
  case encryptedWLAN
  /// IEEE 802.11 data in fragments. Not decapsulated.
  case fragmentedWLAN
  /// Several packets in one IEEE 802.11 frame (A-MSDU). Not decapsulated.
  case aggregatedWLAN
  /// An encapsulation inside `maxDepth` others. Not decapsulated.
  case tooDeep

  /// The maximum depth of nested encapsulations that are decapsulated.
  public static let maxDepth = 8

  /// Its name, as its specification has it.
  public var name: String {
    switch self {
    case .pktap: "pktap"
    case .rawIP: "raw IP as Ethernet"
    case .radiotap: "radiotap"
    case .wlan: "802.11"
    case .llc: "LLC/SNAP"
    case .ppp: "PPP"
    case .pppoe: "PPPoE"
    case .mpls: "MPLS"
    case .providerBackbone: "802.1ah"
    case .ipInIP: "IP in IP"
    case .gre: "GRE"
    case .etherIP: "EtherIP"
    case .vxlan: "VXLAN"
    case .geneve: "Geneve"
    case .macsec: "MACsec"
    case .nsh: "NSH"
    case .esp: "ESP"
    case .l2tp: "L2TP"
    case .erspan: "ERSPAN"
    case .encryptedWLAN: "encrypted 802.11"
    case .fragmentedWLAN: "802.11 in fragments"
    case .aggregatedWLAN: "802.11 A-MSDU"
    case .tooDeep: "an encapsulation inside \(Encapsulation.maxDepth) others"
    }
  }

  /// The one of this EtherType; nil where it carries no other packets.
  public init?(etherType: UInt16) {
    switch etherType {
    case 0x8864: self = .pppoe
    case 0x8847, 0x8848: self = .mpls
    case 0x88e5: self = .macsec
    case 0x88e7: self = .providerBackbone
    case 0x894f: self = .nsh
    case 0x88be, 0x22eb: self = .erspan
    default: return nil
    }
  }

  /// The one of this protocol number of IP; nil where it carries no other packets.
  public init?(ipProtocol: UInt8) {
    switch ipProtocol {
    case 4, 41: self = .ipInIP
    case 47: self = .gre
    case 50: self = .esp
    case 97: self = .etherIP
    case 115: self = .l2tp
    default: return nil
    }
  }

  /// The one at this port of UDP; nil where there is none.
  @inlinable
  public init?(udpPort: UInt16) {
    switch udpPort {
    case 4_789, 8_472: self = .vxlan
    case 6_081: self = .geneve
    default: return nil
    }
  }
}

/// The encapsulations that a packet is in, each once, whatever their order.
public struct EncapsulationSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// None.
  @inlinable
  public init() {}

  /// Whether it is in none.
  public var isEmpty: Bool {
    @inline(__always) get { bits == 0 }
  }

  /// Adds one.
  public mutating func insert(_ encapsulation: Encapsulation) { bits |= 1 << UInt32(encapsulation.rawValue) }

  /// Whether it is in this one.
  public func contains(_ encapsulation: Encapsulation) -> Bool { bits & 1 << UInt32(encapsulation.rawValue) != 0 }

  /// All of them, in the order of their declaration.
  public var all: [Encapsulation] { Encapsulation.allCases.filter(contains) }
}
