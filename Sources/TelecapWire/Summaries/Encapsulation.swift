/// A protocol that carries other packets within its own, and is recognised but not taken apart: messages may be in them unseen.
public enum Encapsulation: String, Hashable, Sendable, CaseIterable {
  /// RFC 2516, session stage.
  case pppoe = "PPPoE"
  /// RFC 3032.
  case mpls = "MPLS"
  /// IEEE 802.1AE.
  case macsec = "MACsec"
  /// IEEE 802.1ah.
  case providerBackbone = "802.1ah"
  /// RFC 8300.
  case nsh = "NSH"
  /// RFC 2003 and 4213.
  case ipInIP = "IP in IP"
  /// RFC 2784.
  case gre = "GRE"
  /// RFC 4303.
  case esp = "ESP"
  /// RFC 4302.
  case ah = "AH"
  /// RFC 3378.
  case etherIP = "EtherIP"
  /// RFC 3931, over IP.
  case l2tp = "L2TP"
  /// RFC 7348.
  case vxlan = "VXLAN"
  /// RFC 8926.
  case geneve = "Geneve"

  /// The one of this EtherType; nil where it carries no other packets.
  public init?(etherType: UInt16) {
    switch etherType {
    case 0x8864: self = .pppoe
    case 0x8847, 0x8848: self = .mpls
    case 0x88e5: self = .macsec
    case 0x88e7: self = .providerBackbone
    case 0x894f: self = .nsh
    default: return nil
    }
  }

  /// The one of this protocol number of IP; nil where it carries no other packets.
  public init?(ipProtocol: UInt8) {
    switch ipProtocol {
    case 4, 41: self = .ipInIP
    case 47: self = .gre
    case 50: self = .esp
    case 51: self = .ah
    case 97: self = .etherIP
    case 115: self = .l2tp
    default: return nil
    }
  }

  /// The one at this port of UDP; nil where there is none.
  public init?(udpPort: UInt16) {
    switch udpPort {
    case 4_789, 8_472: self = .vxlan
    case 6_081: self = .geneve
    default: return nil
    }
  }
}
