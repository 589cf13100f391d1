import CPcap
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// The filter made from ports, as libpcap compiles it and runs it over frames.
@Suite("The filter of the ports") struct CaptureFilterTests {
  private typealias E = Encapsulated

  /// Whether a filter lets frames of this link type pass.
  private final class Program {
    private var program = bpf_program()

    init(_ filter: CaptureFilter, linkType: UInt16) throws {
      // libpcap speaks of DLT_ numbers, which differ for raw IP.
      let handle = try #require(pcap_open_dead(Int32(linkType == LinkType.rawIP ? LinkType.dltRaw : linkType), 65_535))
      defer { pcap_close(handle) }
      let compiled = pcap_compile(handle, &program, filter.text(linkType: linkType), 1, PCAP_NETMASK_UNKNOWN)
      try #require(compiled == 0, "\(String(cString: pcap_geterr(handle)))")
    }

    deinit { pcap_freecode(&program) }

    func passes(_ frame: [UInt8]) -> Bool {
      var header = pcap_pkthdr()
      (header.caplen, header.len) = (UInt32(frame.count), UInt32(frame.count))
      return pcap_offline_filter(&program, &header, frame) != 0
    }

    /// How many instructions it has: Linux's kernel takes 4,096.
    var length: Int { Int(program.bf_len) }
  }

  private static func passes(_ frame: [UInt8], linkType: UInt16 = LinkType.ethernet, tunnels: Bool = false) throws
    -> Bool
  {
    try Program(.ports(.standard, tunnels: tunnels), linkType: linkType).passes(frame)
  }

  private static let ipv6Type: [UInt8] = [0x86, 0xdd]

  /// A UDP datagram of 16 bytes to this port.
  private static func udp(to port: UInt16) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(40_000), port, UInt16(16), 0)
    return list.bytes + [UInt8](repeating: 1, count: 8)
  }

  @Test("The filter names the ports, and fragments and headers that may hide one")
  func text() {
    #expect(
      CaptureFilter.text(for: .standard, linkType: LinkType.linuxCooked2)
        == "(udp and (port 8888 or port 50000 or port 50001)) or (tcp and (port 8889 or port 50000)) or "
        + "((ip proto 17 or ip proto 6) and ip[6:2] & 0x1fff != 0) or ((ip6[6] = 0 or ip6[6] = 43 or ip6[6] = 44 or "
        + "ip6[6] = 51 or ip6[6] = 60) and ip6[40] != 58) or ip proto 51")
    #expect(CaptureFilter.ports(.standard).text(linkType: LinkType.bluetoothMonitor) == "")
  }

  @Test(
    "Every link type accepts the filter, in fewer instructions than the kernel's limit",
    arguments: [
      LinkType.ethernet, LinkType.linuxCooked, LinkType.linuxCooked2, LinkType.null, LinkType.rawIP, LinkType.radiotap,
      LinkType.wlan, LinkType.ppp, LinkType.pppEther,
    ], [false, true])
  func linkTypes(linkType: UInt16, tunnels: Bool) throws {
    #expect(try Program(.ports(.standard, tunnels: tunnels), linkType: linkType).length < 4_000)
  }

  @Test("Packets of the ports pass, and others do not, without a VLAN tag, in one and in two")
  func ports() throws {
    for port: UInt16 in [50_000, 50_001, 8_888, 49_999, 50_002, 53] {
      let packet = Sample.ipv4(Self.udp(to: port))
      for tags in 0...2 {
        let tag: [UInt8] = [0x81, 0x00, 0, 5]
        let frame = [UInt8](repeating: 2, count: 12) + [tag, tag].prefix(tags).joined() + [8, 0] + packet
        #expect(try Self.passes(frame) == [50_000, 50_001, 8_888].contains(port), "port \(port), \(tags) tags")
      }
    }
  }

  @Test("Later fragments of UDP and TCP pass; a first fragment needs a matching port")
  func fragments() throws {
    let rest = [UInt8](repeating: 0x55, count: 16)
    for (transport, fragment, passes): (UInt8, UInt16, Bool) in [
      (17, 0x2001, true), (17, 0x0001, true), (17, 0x1fff, true), (6, 0x00b9, true), (1, 0x0001, false),
      (17, 0x2000, false), (17, 0x4000, false), (17, 0, false),
    ] {
      let packet = Sample.ipv4(rest, transport: transport, fragment: fragment)
      #expect(try Self.passes(Sample.ethernet(packet)) == passes, "\(transport), \(fragment)")
      #expect(try Self.passes(Sample.cooked2(packet), linkType: LinkType.linuxCooked2) == passes)
      #expect(try Self.passes(packet, linkType: LinkType.rawIP) == passes)
    }
    #expect(try Self.passes(Sample.ethernet(Sample.ipv4(Self.udp(to: 50_000), fragment: 0x2000))))
  }

  @Test("IPv6 passes in fragments and after extension headers, but ICMPv6 after them does not")
  func ipv6() throws {
    for (next, first, passes): (UInt8, UInt8, Bool) in [
      (44, 17, true), (44, 6, true), (44, 60, true), (44, 58, false), (0, 17, true), (0, 58, false), (43, 17, true),
      (60, 17, true), (51, 17, true), (58, 17, false), (50, 17, false), (17, 17, false),
    ] {
      let packet = Sample.ipv6([first, 0, 0, 0, 0, 0, 0, 0] + Self.udp(to: 50_000), next: next)
      #expect(try Self.passes(Sample.ethernet(packet, type: Self.ipv6Type)) == passes, "\(next), \(first)")
    }
    #expect(try Self.passes(Sample.ethernet(Sample.ipv4(E.ah(Self.udp(to: 50_000)), transport: 51))))
  }

  /// A frame in each encapsulation that telecap takes apart, on Ethernet.
  private static let tunnelled: [(name: String, frame: [UInt8])] = {
    let packet = Sample.ipv4(udp(to: 50_000))
    let ethernet = Sample.ethernet(packet)
    return [
      ("PPPoE", Sample.ethernet(E.pppoe([0x00, 0x21] + packet), type: [0x88, 0x64])),
      ("MPLS", Sample.ethernet(E.mpls(packet), type: [0x88, 0x47])),
      ("802.1ah", Sample.ethernet([0, 0, 0, 1] + ethernet, type: [0x88, 0xe7])),
      ("IP in IP", Sample.ethernet(Sample.ipv4(packet, transport: 4))),
      ("GRE", Sample.ethernet(Sample.ipv4(E.gre(packet), transport: 47))),
      ("GRE", Sample.ethernet(Sample.ipv6(E.gre(packet), next: 47), type: ipv6Type)),
      ("EtherIP", Sample.ethernet(Sample.ipv4([0x30, 0] + ethernet, transport: 97))),
      ("VXLAN", Sample.ethernet(E.udp(to: 4_789, E.vxlan(ethernet)))),
      ("VXLAN", Sample.ethernet(E.udp(to: 8_472, E.vxlan(ethernet)))),
      ("Geneve", Sample.ethernet(E.udp(to: 6_081, E.geneve(ethernet)))),
    ]
  }()

  @Test("A tunnel passes only with the option for tunnels, and telecap decodes it", arguments: tunnelled.indices)
  func tunnels(index: Int) throws {
    let (name, frame) = Self.tunnelled[index]
    #expect(try !Self.passes(frame))
    #expect(try Self.passes(frame, tunnels: true))
    var reader = FrameReader(ports: .standard)
    let header = PacketHeader(number: 1, time: .zero, originalLength: frame.count, linkType: LinkType.ethernet)
    guard case .payload(let payload) = reader.read(frame.span.bytes, header).content else {
      Issue.record("\(name) is not read")
      return
    }
    #expect(payload.flow.destination.port == 50_000)
    #expect(payload.encapsulations.all.map(\.name) == [name])
  }

  @Test("The filter drops frames that telecap does not decode, also with tunnels")
  func others() throws {
    for frame in [
      Sample.ethernet(Sample.ipv4([UInt8](repeating: 0, count: 24), transport: 50)),  // ESP
      Sample.ethernet([UInt8](repeating: 0, count: 24), type: [0x88, 0xe5]),  // MACsec
      Sample.ethernet([UInt8](repeating: 0, count: 28), type: [0x08, 0x06]),  // ARP
      Sample.ethernet(Sample.ipv4(Self.udp(to: 4_790))),
    ] { #expect(try !Self.passes(frame, tunnels: true)) }
  }
}
