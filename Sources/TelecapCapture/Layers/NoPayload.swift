import TelecapRecording
import TelecapWire

/// A part of a frame with its own header.
public enum Layer: String, Hashable, Sendable, CaseIterable {
  /// Ethernet II (LINKTYPE_ETHERNET).
  case ethernet
  /// An IEEE 802.1Q or 802.1ad tag.
  case vlan
  /// The header of Linux's `any` interface (LINKTYPE_LINUX_SLL).
  case linuxCooked = "linux-sll"
  /// Its second version (LINKTYPE_LINUX_SLL2).
  case linuxCooked2 = "linux-sll2"
  /// The address family before a loopback packet (LINKTYPE_NULL, LINKTYPE_LOOP).
  case loopback = "bsd-loopback"
  /// IPv4 (RFC 791).
  case ipv4
  /// IPv6 (RFC 8200).
  case ipv6
  /// An extension header of IPv6 (RFC 8200 §4).
  case ipv6Extension = "ipv6-extension"
  /// Apple's header of packets of any interface (LINKTYPE_PKTAP).
  case pktap
  /// The radiotap header of an IEEE 802.11 frame (LINKTYPE_IEEE802_11_RADIOTAP).
  case radiotap
  /// IEEE 802.11.
  case wlan = "802.11"
  /// IEEE 802.2 and SNAP.
  case llc
  /// PPP (RFC 1661), and Cisco's HDLC.
  case ppp
  /// PPPoE (RFC 2516).
  case pppoe
  /// MPLS (RFC 3032).
  case mpls
  /// The tag of IEEE 802.1ah.
  case providerBackbone = "802.1ah"
  /// The authentication header in IPv4 (RFC 4302).
  case authentication = "ah"
  /// GRE (RFC 2784, RFC 2890, RFC 2637).
  case gre
  /// EtherIP (RFC 3378).
  case etherIP = "etherip"
  /// UDP (RFC 768).
  case udp
  /// TCP (RFC 9293).
  case tcp
}

/// The reason why a frame has no payload for us.
public enum NoPayload: Error, Hashable, Sendable {
  /// The LINKTYPE_ number is not supported.
  case unknownLinkType(UInt16)
  /// A Bluetooth frame, whose content depends on the frames before it.
  case bluetooth
  /// The link layer contains another protocol, such as ARP (0x0806); below 0x0600 it is a length (IEEE 802.3).
  case notIP(etherType: UInt16)
  /// The packet's first four bits are neither 4 nor 6, or contradict the link layer.
  case unknownIPVersion(UInt8)
  /// IP contains this protocol instead of UDP or TCP, such as ICMP (1).
  case otherProtocol(UInt8)
  /// PPP contains another protocol, such as LCP (0xc021).
  case otherPPP(UInt16)
  /// An IEEE 802.11 frame without data, such as a beacon.
  case noData
  /// The frame has an encapsulation that is not supported.
  case encapsulated(Encapsulation)
  /// A fragment of an IP datagram.
  case fragment(Fragment)
  /// A length in the frame is wrong: this layer needs `needed` bytes, and `had` are present.
  case truncated(Layer, needed: Int, had: Int)
  /// The capture's snapshot length cut the frame inside this layer's header: it needs `needed` bytes, and `had` were
  /// captured.
  case cutShort(Layer, needed: Int, had: Int)
}

extension NoPayload {
  /// The encapsulation with this number; nil if there is none.
  fileprivate var encapsulation: Encapsulation? {
    switch self {
    case .notIP(let type): Encapsulation(etherType: type)
    case .otherProtocol(let number): Encapsulation(ipProtocol: number)
    case .encapsulated(let encapsulation): encapsulation
    default: nil
    }
  }
}

extension TransportPayload {
  /// The encapsulation with the destination port; nil if there is none.
  fileprivate var encapsulation: Encapsulation? {
    flow.carrier == .udp ? Encapsulation(udpPort: flow.destination.port) : nil
  }
}

extension NoPayload: CustomStringConvertible {
  /// A short description.
  public var description: String {
    switch self {
    case .unknownLinkType(let number): "frames of link type \(number) are not known"
    case .bluetooth: "a frame of Bluetooth"
    case .notIP(let type) where type < 0x600: "not IP: an IEEE 802.3 frame"
    case .notIP(let type): "not IP: EtherType 0x\(String(type, radix: 16))"
    case .unknownIPVersion(let version): "not IP: version \(version)"
    case .otherProtocol(let number): "IP protocol \(number)"
    case .otherPPP(let number): "PPP of protocol 0x\(String(number, radix: 16))"
    case .noData: "an IEEE 802.11 frame without data"
    case .encapsulated(let encapsulation): encapsulation.name
    case .fragment(let fragment): fragment.offset == 0 ? "first fragment" : "fragment at byte \(fragment.offset)"
    case .truncated(let layer, let needed, let had): "\(layer.rawValue) truncated: needed \(needed) bytes, had \(had)"
    case .cutShort(let layer, let needed, let had):
      "\(layer.rawValue) cut by the snapshot length: needed \(needed) bytes, had \(had)"
    }
  }
}

extension UnreadTraffic {
  /// Counts a packet with this content, unless it is at a port of a protocol.
  public mutating func count(_ content: FrameContent, besides ports: Ports) {
    switch content {
    case .payload(let payload):
      if ports.match(payload.flow) == nil { count(payload) } else { count(entered: payload.encapsulations) }
    case .none(let reason): count(reason)
    }
  }

  /// Counts a packet at a port without a protocol.
  public mutating func count(_ payload: TransportPayload) {
    count(payload.flow)
    count(entered: payload.encapsulations)
    if let encapsulation = payload.encapsulation { count(encapsulation) }
  }

  /// Counts a packet that could not be read although others were: one of an unknown link type, or an encapsulated one.
  public mutating func count(unreadable content: FrameContent, besides ports: Ports) {
    switch content {
    case .none(.unknownLinkType(let type)): count(linkType: type)
    case .none(let reason):
      guard let encapsulation = reason.encapsulation else { return }
      countOther()
      count(encapsulation)
    case .payload(let payload):
      if payload.encapsulation != nil, ports.match(payload.flow) == nil {
        count(payload)
      } else {
        count(entered: payload.encapsulations)
      }
    }
  }

  /// Counts a packet without a payload for us. Fragments and truncated packets are findings instead.
  public mutating func count(_ reason: NoPayload) {
    switch reason {
    case .unknownLinkType(let type): count(linkType: type)
    case .bluetooth, .notIP, .unknownIPVersion, .otherProtocol, .otherPPP, .noData, .encapsulated:
      countOther()
      if let encapsulation = reason.encapsulation { count(encapsulation) }
    case .fragment, .truncated, .cutShort: return
    }
  }
}
