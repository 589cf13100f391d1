import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// Tunnels over UDP, which are looked for where no protocol is, and tunnels in fragments.
@Suite("Tunnels over UDP") struct TunnelTests {
  private typealias E = Encapsulated

  /// The content of a recording with this one frame, with protocols at these ports.
  private func read(_ frame: [UInt8], _ ports: Ports = .standard, kept: Int? = nil) -> FrameContent {
    var reader = FrameReader(ports: ports)
    let header = PacketHeader(number: 1, time: .zero, originalLength: frame.count, linkType: 101)
    let bytes = Array(frame.prefix(kept ?? frame.count))
    return reader.read(bytes.span.bytes, header).content
  }

  private func payload(_ frame: [UInt8], _ ports: Ports = .standard) throws -> TransportPayload {
    guard case .payload(let found) = read(frame, ports) else { throw Missing(content: read(frame, ports)) }
    return found
  }

  private struct Missing: Error { let content: FrameContent }

  static let ethernet = Sample.ethernet(Sample.ipv4(Sample.udp()))

  @Test(
    "VXLAN is decapsulated at both ports, and with a group policy", arguments: [UInt16(4_789), 8_472],
    [UInt8(0x08), 0x88])
  func vxlan(port: UInt16, flags: UInt8) throws {
    let frame = E.udp(to: port, E.vxlan(Self.ethernet, flags: flags))
    let found = try payload(frame)
    #expect(found.flow == Sample.v4)
    #expect(Array(frame[found.range]) == Sample.payload)
    #expect(found.encapsulations.all == [.vxlan])
  }

  @Test("Geneve with Ethernet and with IP is decapsulated, with options and without")
  func geneve() throws {
    for (payload, type, words) in [
      (Self.ethernet, [UInt8(0x65), 0x58], UInt8(2)), (Self.ethernet, [0x65, 0x58], 0),
      (Sample.ipv4(Sample.udp()), [0x08, 0x00], 63),
    ] {
      let found = try self.payload(E.udp(to: 6_081, E.geneve(payload, type: type, words: words)))
      #expect(found.flow == Sample.v4)
      #expect(found.encapsulations.all == [.geneve])
    }
  }

  @Test("A datagram at a tunnel's port that is no tunnel stays a plain datagram")
  func others() throws {
    for (port, bytes) in [
      (UInt16(4_789), E.vxlan(Self.ethernet, flags: 0)), (4_789, [8, 0, 0, 0, 0, 0, 7]), (4_789, []),
      (6_081, E.geneve(Self.ethernet, type: [0x12, 0x34])), (6_081, [0x42, 0, 0x65, 0x58, 0, 0, 7, 0]),
      (6_081, [0x01, 0, 0x65, 0x58, 0, 0, 7, 0]), (4_790, E.vxlan(Self.ethernet)),
    ] {
      let found = try payload(E.udp(to: port, bytes))
      #expect(found.flow.destination.port == port)
      #expect(found.encapsulations.isEmpty)
    }
    let arp = E.udp(to: 4_789, E.vxlan(Sample.ethernet([0, 1], type: [8, 6])))
    #expect(read(arp) == .none(.notIP(etherType: 0x0806)))
  }

  @Test("A protocol that was moved to a tunnel's port takes precedence")
  func movedPort() throws {
    let ports = Ports.standard.with(["tele-udp": 4_789])
    let found = try payload(E.udp(to: 4_789, E.vxlan(Self.ethernet)), ports)
    #expect(found.flow.destination.port == 4_789)
    #expect(found.encapsulations.isEmpty)
  }

  @Test("A tunnel from a protocol's port is a tunnel: its source port is a hash (RFC 7348, 5)")
  func sourcePort() throws {
    var frame = E.udp(to: 4_789, E.vxlan(Sample.ethernet(E.udp(to: 50_000, Bytes.pose(1)))))
    frame.replaceSubrange(20..<22, with: [UInt8(50_000 >> 8), UInt8(50_000 & 0xff)])
    #expect(try payload(frame).encapsulations.all == [.vxlan])
    var dissector = Dissector(ports: .standard)
    var seen = SeenDissection()
    seen.frame = frame
    let header = PacketHeader(number: 1, time: .zero, originalLength: frame.count, linkType: 101)
    try dissector.receive(header, frame.span.bytes, to: &seen)
    #expect(seen.messages.map(\.kind) == [.pose] && seen.findings == [])
  }

  @Test(
    "An Ethernet header with the EtherType of Ethernet is a tunnel only inside GRE, and once",
    arguments: [1, 4_000])
  func bridged(count: Int) {
    let header: [UInt8] = [2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 0x65, 0x58]
    let frame = Array([[UInt8]](repeating: header, count: count).joined())
    let reason = FrameContent.none(.notIP(etherType: 0x6558))
    var reader = FrameReader(ports: .standard)
    let packet = PacketHeader(number: 1, time: .zero, originalLength: frame.count, linkType: 1)
    #expect(reader.read(frame.span.bytes, packet).content == reason)
    #expect(read(Sample.ipv4(E.gre(frame, type: [0x65, 0x58]), transport: 47)) == reason)
  }

  @Test("No truncation traps")
  func everyTruncation() {
    for bytes in [E.vxlan(Self.ethernet), E.geneve(Self.ethernet)] {
      let frame = E.udp(to: bytes[0] == 8 ? 4_789 : 6_081, bytes)
      for count in 0..<frame.count {
        guard case .payload(let found) = read(frame, kept: count) else { continue }
        #expect(found.range.upperBound <= count)
      }
    }
  }

  @Test("VXLAN eight times is decapsulated, and nine times is not")
  func depth() {
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce(Sample.ipv4(Sample.udp())) { packet, _ in E.udp(to: 4_789, E.vxlan(Sample.ethernet(packet))) }
    }
    #expect((try? payload(nested(8)))?.flow == Sample.v4)
    #expect(read(nested(9)) == .none(.encapsulated(.tooDeep)))
  }

  @Test("Fragments around a tunnel and inside it are reassembled")
  func fragments() throws {
    func pieces(_ packet: [UInt8], transport: UInt8) -> [[UInt8]] {
      let content = Array(packet[20...])
      return [(0..<24, UInt16(0x2000)), (24..<content.count, 3)].map {
        Sample.ipv4(Array(content[$0.0]), transport: transport, fragment: $0.1)
      }
    }
    let inner = pieces(Sample.ipv4(Sample.udp() + [UInt8](repeating: 1, count: 24)), transport: 17)
    let outer = E.udp(to: 4_789, E.vxlan(Self.ethernet))
    let cases: [([[UInt8]], [Encapsulation])] = [
      (pieces(outer, transport: 17), [.vxlan]),
      (pieces(Sample.ipv4(E.gre(Sample.ipv4(Sample.udp())), transport: 47), transport: 47), [.gre]),
      (inner.map { Sample.ipv4(E.gre($0), transport: 47) }, [.gre]),
      (inner.map { E.udp(to: 4_789, E.vxlan(Sample.ethernet($0))) }, [.vxlan]),
    ]
    for (frames, encapsulations) in cases {
      var reader = FrameReader(ports: .standard)
      var readings: [FrameReader.Reading] = []
      for frame in frames {
        let header = PacketHeader(number: 1, time: .zero, originalLength: frame.count, linkType: 101)
        readings.append(reader.read(frame.span.bytes, header))
      }
      guard case .payload(let found) = readings[1].content, let whole = readings[1].whole else {
        Issue.record("\(encapsulations): \(readings[1].content)")
        continue
      }
      #expect(found.flow == Sample.v4)
      #expect(Array(whole[found.range]) == Sample.payload)
      #expect(found.encapsulations.all == encapsulations)
      #expect(reader.finish().isEmpty)
    }
  }
}
