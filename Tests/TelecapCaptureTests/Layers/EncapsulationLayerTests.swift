import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// Frames in which the packet is within another header.
@Suite("Encapsulations") struct EncapsulationLayerTests {
  struct Stack: Sendable {
    let name: String
    let linkType: UInt16
    let frame: [UInt8]
    let inside: [Encapsulation]
    var flow = Sample.v4

    init(
      _ name: String, _ linkType: UInt16, _ frame: [UInt8], _ inside: [Encapsulation], isV6: Bool = false
    ) {
      (self.name, self.linkType, self.frame, self.inside) = (name, linkType, frame, inside)
      if isV6 { flow = Sample.v6 }
    }
  }

  private typealias E = Encapsulated
  private static let v4 = Sample.ipv4(Sample.udp())
  private static let v6 = Sample.ipv6(Sample.udp())
  private static let ethernet = Sample.ethernet(v4)
  private static let likeIP = [0x45, 2, 2, 2, 2, 2] + ethernet[6...]

  static let stacks: [Stack] = [
    Stack("pktap with Ethernet", 258, E.pktap(ethernet, dlt: 1), [.pktap]),
    Stack("pktap with raw IP", 258, E.pktap(v6, dlt: 12, before: 0), [.pktap], isV6: true),
    Stack("pktap with LINKTYPE_RAW", 258, E.pktap(v4, dlt: 101, before: 0), [.pktap]),
    Stack("pktap with four bytes before raw IP", 258, E.pktap([2, 0, 0, 0] + v4, dlt: 12, before: 4), [.pktap]),
    Stack("pktap of raw IP that says Ethernet", 258, E.pktap(v4, dlt: 1, before: 0), [.pktap, .rawIP]),
    Stack("pktap of raw IP that says Ethernet of 14", 258, E.pktap(v4, dlt: 1), [.pktap, .rawIP]),
    Stack("pktap with an Ethernet address that begins as IPv4 does", 258, E.pktap(likeIP, dlt: 1, before: 0), [.pktap]),
    Stack("pktap with loopback", 258, E.pktap([30, 0, 0, 0] + v6, dlt: 0, before: 4), [.pktap], isV6: true),
    Stack("pktap with a longer header", 258, E.pktap(ethernet, dlt: 1, length: 156), [.pktap]),
    Stack("pktap of version 2", 258, E.pktap2(ethernet, dlt: 1), [.pktap]),
    Stack("pktap of version 2 with names", 258, E.pktap2(v4, dlt: 12, before: 0, length: 131), [.pktap]),
    Stack("pktap of macOS 10.9", 149, E.pktap(ethernet, dlt: 1), [.pktap]),
    Stack("raw IPv4 as Ethernet", 1, v4, [.rawIP]),
    Stack("raw IPv6 as Ethernet", 1, v6, [.rawIP], isV6: true),
    Stack("IEEE 802.3 with SNAP", 1, Sample.ethernet(E.snap(v4), type: [0, UInt8(8 + v4.count)]), [.llc]),
    Stack(
      "IEEE 802.3 with SNAP and padding", 1,
      Sample.ethernet(E.snap(v6, type: [0x86, 0xdd]) + [0, 0], type: [0, UInt8(8 + v6.count)]), [.llc], isV6: true),
    Stack("IEEE 802.2 of IP", 1, Sample.ethernet([6, 6, 3] + v4, type: [0, UInt8(3 + v4.count)]), [.llc]),
    Stack("bridged SNAP", 113, Sample.cooked([0xaa, 0xaa, 3, 0, 0, 0xf8, 8, 0] + v4, type: [0, 4]), [.llc]),
    Stack("IEEE 802.11", 105, E.wlan(E.snap(v4)), [.wlan, .llc]),
    Stack("with QoS", 105, E.wlan(E.snap(v4), control: [0x88, 2], more: [0, 0]), [.wlan, .llc]),
    Stack(
      "with QoS and HT", 105, E.wlan(E.snap(v4), control: [0x88, 0x82], more: [0, 0, 1, 1, 1, 1]), [.wlan, .llc]),
    Stack("with four addresses", 105, E.wlan(E.snap(v4), control: [8, 3], more: [1, 1, 1, 1, 1, 1]), [.wlan, .llc]),
    Stack("decrypted by the driver", 105, E.wlan(E.snap(v4), control: [8, 0x41]), [.wlan, .llc]),
    Stack("radiotap", 127, E.radiotap(E.wlan(E.snap(v4))), [.radiotap, .wlan, .llc]),
    Stack(
      "radiotap with padding", 127,
      E.radiotap(E.wlan([0, 0] + E.snap(v4), control: [0x88, 2], more: [0, 0]), flags: 0x20), [.radiotap, .wlan, .llc]),
    Stack(
      "radiotap with two words and a checksum", 127,
      E.radiotap(E.wlan(E.snap(v4)) + [1, 2, 3, 4], flags: 0x10, present: [0x8000_0003, 0]), [.radiotap, .wlan, .llc]),
    Stack(
      "radiotap without time", 127,
      E.radiotap(E.wlan([0, 0] + E.snap(v4), control: [0x88, 2], more: [0, 0]), flags: 0x20, present: [2]),
      [.radiotap, .wlan, .llc]),
    Stack("PPP with address and control", 9, [0xff, 3, 0, 0x21] + v4, [.ppp]),
    Stack("PPP without them", 9, [0, 0x57] + v6, [.ppp], isV6: true),
    Stack("PPP with a protocol of one byte", 50, [0xff, 3, 0x21] + v4, [.ppp]),
    Stack("Cisco's HDLC", 104, [0x0f, 0, 8, 0] + v4, [.ppp]),
    Stack("Cisco's HDLC, multicast, as PPP", 50, [0x8f, 0, 0x86, 0xdd] + v6, [.ppp], isV6: true),
    Stack("pppd", 166, [1, 3, 0, 0x21] + v4, [.ppp]),
    Stack("PPP with direction", 204, [1, 0xff, 3, 0, 0x21] + v4, [.ppp]),
    Stack("PPP with MPLS", 9, [2, 0x81] + E.mpls(v4), [.ppp, .mpls]),
    Stack("PPPoE", 1, Sample.ethernet(E.pppoe([0, 0x21] + v4) + [0, 0], type: [0x88, 0x64]), [.pppoe]),
    Stack("PPPoE without Ethernet", 51, E.pppoe([0, 0x57] + v6), [.pppoe], isV6: true),
    Stack(
      "PPPoE in a VLAN", 1, Sample.ethernet([0, 7, 0x88, 0x64] + E.pppoe([0, 0x21] + v4), type: [0x81, 0]), [.pppoe]),
    Stack("MPLS", 1, Sample.ethernet(E.mpls(v4, labels: 3), type: [0x88, 0x47]), [.mpls]),
    Stack("MPLS by itself", 219, E.mpls(v6), [.mpls], isV6: true),
    Stack(
      "MPLS with a control word", 1, Sample.ethernet(E.mpls([0, 0, 0, 1] + ethernet), type: [0x88, 0x48]), [.mpls]),
    Stack("MPLS with Ethernet", 219, E.mpls(ethernet), [.mpls]),
    Stack("802.1ah", 1, Sample.ethernet([0, 0, 0, 7] + ethernet, type: [0x88, 0xe7]), [.providerBackbone]),
    Stack("GRE", 101, Sample.ipv4(E.gre(v4), transport: 47), [.gre]),
    Stack("GRE with all fields", 101, Sample.ipv4(E.gre(v4, flags: 0xb000, fields: 3), transport: 47), [.gre]),
    Stack("GRE with a key, over IPv6", 101, Sample.ipv6(E.gre(v4, flags: 0x2000, fields: 1), next: 47), [.gre]),
    Stack("GRE with Ethernet", 101, Sample.ipv4(E.gre(ethernet, type: [0x65, 0x58]), transport: 47), [.gre]),
    Stack(
      "GRE of PPTP", 101,
      Sample.ipv4(E.gre([0xff, 3, 0, 0x21] + v4, flags: 0x3081, type: [0x88, 0x0b], fields: 3), transport: 47),
      [.gre, .ppp]),
    Stack("IPv4 in IPv4", 101, Sample.ipv4(v4, transport: 4), [.ipInIP]),
    Stack("IPv6 in IPv4", 101, Sample.ipv4(v6, transport: 41), [.ipInIP], isV6: true),
    Stack("IPv4 in IPv6", 101, Sample.ipv6(v4, next: 4), [.ipInIP]),
    Stack("EtherIP", 101, Sample.ipv4([0x30, 0] + ethernet, transport: 97), [.etherIP]),
    Stack("AH in IPv4", 101, Sample.ipv4(E.ah(Sample.udp()), transport: 51), []),
    Stack("AH twice", 101, Sample.ipv4(E.ah(E.ah(Sample.udp(), words: 1), next: 51), transport: 51), []),
    Stack("AH of a tunnel", 101, Sample.ipv4(E.ah(v4, next: 4), transport: 51), [.ipInIP]),
  ]

  @Test("Each encapsulation is decapsulated and named", arguments: stacks.indices)
  func takenApart(index: Int) {
    let stack = Self.stacks[index]
    guard case .payload(let found) = decode(stack.frame, stack.linkType) else {
      Issue.record("\(stack.name): \(decode(stack.frame, stack.linkType))")
      return
    }
    #expect(found.flow == stack.flow, "\(stack.name)")
    #expect(Array(stack.frame[found.range]) == Sample.payload, "\(stack.name)")
    #expect(found.missing == 0, "\(stack.name)")
    #expect(found.encapsulations.all == stack.inside.sorted { $0.rawValue < $1.rawValue }, "\(stack.name)")
  }

  /// Cut anywhere, by the snapshot length or on the wire, there is a payload with what is missing of it, or a reason.
  @Test("No truncation traps or returns a byte after the cut", arguments: stacks.indices)
  func everyTruncation(index: Int) {
    let stack = Self.stacks[index]
    guard case .payload(let whole) = decode(stack.frame, stack.linkType) else { return }
    var payloads = 0
    for count in 0..<stack.frame.count {
      let cut = Array(stack.frame[..<count])
      for original in [count, stack.frame.count] {
        guard case .payload(let found) = decode(cut, stack.linkType, original: original) else { continue }
        payloads += 1
        #expect(found.range.upperBound <= count, "\(stack.name) cut at \(count)")
        #expect(found.missing >= 0, "\(stack.name) cut at \(count)")
        // After the payload there may be padding or a checksum.
        guard original > count, found.flow == stack.flow else { continue }
        #expect((found.missing > 0) == (count < whole.range.upperBound), "\(stack.name) cut at \(count)")
      }
    }
    #expect(payloads >= Sample.payload.count, "\(stack.name)")
  }

  @Test("No damage traps, and ranges are within the frame")
  func damage() {
    var random = SplitMix64(seed: 5)
    var payloads = 0
    for round in 0..<60_000 {
      let stack = Self.stacks[round % Self.stacks.count]
      var frame = Array(stack.frame.prefix(Int.random(in: 0...stack.frame.count, using: &random)))
      for _ in 0..<2 where !frame.isEmpty {
        frame[Int.random(in: 0..<frame.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      let original = Int.random(in: 0...300, using: &random)
      guard case .payload(let found) = decode(frame, stack.linkType, original: original) else { continue }
      payloads += 1
      #expect(found.range.lowerBound >= 0 && found.range.upperBound <= frame.count && found.missing >= 0)
    }
    #expect(payloads > 500)
  }

  @Test("Headers that are cut or contradict themselves have a reason")
  func reasons() {
    typealias E = Encapsulated
    let v4 = Self.v4
    let cases: [(UInt16, [UInt8], NoPayload)] = [
      (258, [1, 2, 3], .truncated(.pktap, needed: 40, had: 3)),
      (258, E.pktap(v4, dlt: 1, length: 107), .truncated(.pktap, needed: 108, had: 107)),
      (258, E.pktap2(v4, dlt: 1, length: 39), .truncated(.pktap, needed: 40, had: 39)),
      (258, E.pktap([], dlt: 1, type: 0), .noData),
      (258, E.pktap(v4, dlt: 147), .unknownLinkType(147)),
      (149, [1, 2, 3], .unknownLinkType(149)),
      (149, [UInt8](repeating: 7, count: 200), .unknownLinkType(149)),
      (1, Sample.ethernet(E.snap(v4), type: [8, 6]), .notIP(etherType: 0x0806)),
      (1, Sample.ethernet([0x42, 0x42, 3, 0], type: [0, 4]), .notIP(etherType: 4)),
      (1, Sample.ethernet([0xaa, 0xaa, 3, 0, 0], type: [0, 5]), .truncated(.llc, needed: 8, had: 5)),
      (1, Sample.ethernet([0xaa, 0xaa, 3, 0, 0, 9, 8, 0] + v4, type: [0, 0]), .notIP(etherType: 0)),
      (127, [0, 0, 7, 0, 0, 0, 0, 0], .truncated(.radiotap, needed: 8, had: 7)),
      (127, [0, 0, 20, 0, 0, 0, 0, 0], .truncated(.radiotap, needed: 20, had: 8)),
      (105, E.wlan([], control: [0x80, 0]), .noData), (105, E.wlan([], control: [0x48, 1]), .noData),
      (105, E.wlan([], control: [0xd4, 0]), .noData), (105, [8, 1, 0], .truncated(.wlan, needed: 24, had: 3)),
      (105, E.wlan([1, 2, 3, 4], control: [8, 0x41]), .encapsulated(.encryptedWLAN)),
      (105, E.wlan(E.snap(v4), control: [8, 5]), .encapsulated(.fragmentedWLAN)),
      (105, E.wlan(E.snap(v4), fragment: 1), .encapsulated(.fragmentedWLAN)),
      (105, E.wlan(E.snap(v4), control: [0x88, 1], more: [0x80, 0]), .encapsulated(.aggregatedWLAN)),
      (105, E.wlan([0xf0, 0xf0, 3]), .noData),
      (9, [0xff, 3, 0xc0, 0x21, 1], .otherPPP(0xc021)), (9, [0], .truncated(.ppp, needed: 2, had: 1)),
      (51, E.pppoe([0, 0x21] + v4, length: 99), .truncated(.pppoe, needed: 99, had: 35)),
      (51, E.pppoe(v4, start: [0x11, 9, 0, 0]), .notIP(etherType: 0x8864)),
      (51, E.pppoe(v4, start: [0x21, 0, 0, 0]), .notIP(etherType: 0x8864)),
      (219, [0, 1, 0, 64, 0, 1], .truncated(.mpls, needed: 4, had: 2)),
      (219, [0, 1, 1, 64], .truncated(.mpls, needed: 1, had: 0)),
      (101, Sample.ipv4(E.gre(v4, flags: 0x4000, fields: 1), transport: 47), .encapsulated(.gre)),
      (101, Sample.ipv4(E.gre(v4, flags: 2), transport: 47), .encapsulated(.gre)),
      (101, Sample.ipv4(E.gre(v4, type: [0x88, 0xbe]), transport: 47), .notIP(etherType: 0x88be)),
      (101, Sample.ipv4([0, 0, 8], transport: 47), .truncated(.gre, needed: 4, had: 3)),
      (101, Sample.ipv4([0x20, 0, 8, 0, 1, 2], transport: 47), .truncated(.gre, needed: 8, had: 6)),
      (101, Sample.ipv4([0x40, 0] + Self.ethernet, transport: 97), .otherProtocol(97)),
      (101, Sample.ipv4([17, 4, 0, 0, 0, 0, 0, 0, 9], transport: 51), .truncated(.authentication, needed: 24, had: 9)),
      (101, Sample.ipv4(v4, transport: 50), .otherProtocol(50)),
    ]
    for (linkType, frame, reason) in cases {
      #expect(decode(frame, linkType) == .none(reason), "\(linkType): \(reason)")
      #expect(!reason.description.isEmpty)
    }
  }

  @Test("An Ethernet frame whose first byte looks like IP is Ethernet, unless its length fits the IP packet")
  func rawIPBorder() {
    var frame = Self.v4
    #expect(decode(frame + [0]) == .none(.notIP(etherType: 0xc000)))
    frame[3] += 1
    #expect(decode(frame) == .none(.notIP(etherType: 0xc000)))
    #expect(decode(Array(Self.v4.prefix(19)), original: 19) == .none(.notIP(etherType: 0xc000)))
  }

  /// IPv4 so many times around a datagram.
  private static func nested(_ depth: Int) -> [UInt8] {
    (0..<depth).reduce(v4) { packet, _ in Sample.ipv4(packet, transport: 4) }
  }

  @Test("Eight encapsulations inside one another are decapsulated, and nine are not")
  func depth() {
    guard case .payload(let found) = decode(Self.nested(8), 101) else {
      Issue.record("\(decode(Self.nested(8), 101))")
      return
    }
    #expect(Array(Self.nested(8)[found.range]) == Sample.payload)
    #expect(decode(Self.nested(9), 101) == .none(.encapsulated(.tooDeep)))
    // The limit counts all kinds together, also if the outermost is a link layer.
    #expect(
      decode(Sample.ethernet(Encapsulated.mpls(Self.nested(8)), type: [0x88, 0x47])) == .none(.encapsulated(.tooDeep)))
    expectPayload(Sample.ethernet(Encapsulated.mpls(Self.nested(7)), type: [0x88, 0x47]))
    #expect(Encapsulation.tooDeep.name == "an encapsulation inside 8 others")
  }

  @Test("Nested PKTAP headers have a limit, too")
  func pktapDepth() {
    let eight = (0..<8).reduce(Self.v4) { frame, index in
      index == 0 ? Encapsulated.pktap(frame, dlt: 12, before: 0) : Encapsulated.pktap(frame, dlt: 258)
    }
    expectPayload(eight, 258)
    #expect(decode(Encapsulated.pktap(eight, dlt: 258), 258) == .none(.encapsulated(.tooDeep)))
  }

  @Test(
    "Link types that can be dissected are known", arguments: [UInt16(9), 50, 51, 104, 105, 127, 166, 204, 219, 258])
  func known(linkType: UInt16) {
    #expect(LinkType.isKnown(linkType))
    #expect(!LinkType.isKnown(147))
  }
}
