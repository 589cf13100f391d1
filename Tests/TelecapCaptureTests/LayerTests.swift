import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// Frames built layer by layer, the payload always `payload`.
enum Sample {
  static let payload: [UInt8] = [0xde, 0xad, 0xbe, 0xef, 0x01]
  static let v4 = Flow(
    .udp, from: Endpoint(IPAddress(v4: 0xc000_0201), port: 40_000),
    to: Endpoint(IPAddress(v4: 0xc000_0202), port: 50_000))
  static let v6 = Flow(
    .udp, from: Endpoint(IPAddress(v6High: 0x2001_0db8_0000_0000, low: 1), port: 40_000),
    to: Endpoint(IPAddress(v6High: 0x2001_0db8_0000_0000, low: 2), port: 50_000))

  static func udp(length: UInt16? = nil) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(40_000), 50_000, length ?? UInt16(8 + payload.count), 0)
    return list.bytes + payload
  }

  static func tcp(options: [UInt8] = [], offset: UInt8? = nil) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(40_000), 50_000)
    list.add(UInt32(0x0102_0304), 0x0506_0708)
    list.add((offset ?? UInt8(5 + options.count / 4)) << 4, 0x18 as UInt8)
    list.add(UInt16(0xffff), 0, 0)
    return list.bytes + options + payload
  }

  static func ipv4(
    _ inner: [UInt8], transport: UInt8 = 17, options: [UInt8] = [], total: UInt16? = nil, fragment: UInt16 = 0,
    first: UInt8? = nil
  ) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(first ?? UInt8(0x45 + options.count / 4), 0 as UInt8)
    list.add(total ?? UInt16(20 + options.count + inner.count), 1, fragment)
    list.add(64 as UInt8, transport)
    list.add(UInt16(0))
    list.add(UInt32(0xc000_0201), 0xc000_0202)
    return list.bytes + options + inner
  }

  static func ipv6(_ inner: [UInt8], next: UInt8 = 17, length: UInt16? = nil) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt32(0x6000_0000))
    list.add(length ?? UInt16(inner.count))
    list.add(next, 64 as UInt8)
    list.add(UInt64(0x2001_0db8_0000_0000), 1, 0x2001_0db8_0000_0000, 2)
    return list.bytes + inner
  }

  static func ethernet(_ inner: [UInt8], type: [UInt8] = [8, 0]) -> [UInt8] {
    [UInt8](repeating: 2, count: 12) + type + inner
  }

  static func cooked(_ inner: [UInt8], type: [UInt8] = [8, 0]) -> [UInt8] {
    [UInt8](repeating: 0, count: 14) + type + inner
  }

  static func cooked2(_ inner: [UInt8], type: [UInt8] = [8, 0]) -> [UInt8] {
    type + [UInt8](repeating: 0, count: 18) + inner
  }
}

func decode(_ frame: [UInt8], _ linkType: UInt16 = LinkType.ethernet, original: Int? = nil) -> FrameContent {
  FrameDecoder.decode(frame.span.bytes, linkType: linkType, originalLength: original ?? frame.count)
}

/// The payload is where it should be, and the flow is the one expected.
func expectPayload(
  _ frame: [UInt8], _ linkType: UInt16 = LinkType.ethernet, _ flow: Flow = Sample.v4, original: Int? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard case .payload(let found) = decode(frame, linkType, original: original) else {
    Issue.record("\(decode(frame, linkType, original: original))", sourceLocation: sourceLocation)
    return
  }
  #expect(found.flow == flow, sourceLocation: sourceLocation)
  #expect(Array(frame[found.range]) == Sample.payload, sourceLocation: sourceLocation)
  #expect(found.missing == 0, sourceLocation: sourceLocation)
}

@Suite struct LinkLayerTests {
  private let v4 = Sample.ipv4(Sample.udp())
  private let v6 = Sample.ipv6(Sample.udp())

  @Test("Ethernet is decoded without and with VLAN tags")
  func ethernetWithoutAndWithTags() {
    expectPayload(Sample.ethernet(v4))
    expectPayload(Sample.ethernet(v6, type: [0x86, 0xdd]), 1, Sample.v6)
    expectPayload(Sample.ethernet([0, 7, 8, 0] + v4, type: [0x81, 0]))
    expectPayload(Sample.ethernet([0, 7, 0x81, 0, 0, 9, 0x86, 0xdd] + v6, type: [0x88, 0xa8]), 1, Sample.v6)
    expectPayload(Sample.ethernet([0, 7, 0x81, 0, 0, 9, 0x81, 0, 0, 1, 8, 0] + v4, type: [0x91, 0]))
  }

  @Test("Both versions of Linux cooked capture are decoded")
  func linuxCookedOfBothVersions() {
    expectPayload(Sample.cooked(v4), 113)
    expectPayload(Sample.cooked(v6, type: [0x86, 0xdd]), 113, Sample.v6)
    expectPayload(Sample.cooked([0, 7, 8, 0] + v4, type: [0x81, 0]), 113)
    expectPayload(Sample.cooked2(v4), 276)
    expectPayload(Sample.cooked2(v6, type: [0x86, 0xdd]), 276, Sample.v6)
  }

  @Test("Loopback headers are decoded in both byte orders", arguments: [UInt16(0), 108]) func loopbackInBothByteOrders(
    linkType: UInt16
  ) {
    expectPayload([2, 0, 0, 0] + v4, linkType)
    expectPayload([0, 0, 0, 2] + v4, linkType)
    for family: UInt8 in [10, 24, 28, 30] {
      expectPayload([family, 0, 0, 0] + v6, linkType, Sample.v6)
      expectPayload([0, 0, 0, family] + v6, linkType, Sample.v6)
    }
    #expect(decode([7, 0, 0, 0] + v4, linkType) == .none(.notIP(etherType: 7)))
  }

  @Test("Raw IP is decoded")
  func rawIP() {
    for linkType: UInt16 in [12, 14, 101] {
      expectPayload(v4, linkType)
      expectPayload(v6, linkType, Sample.v6)
    }
    expectPayload(v4, 228)
    expectPayload(v6, 229, Sample.v6)
    #expect(decode(v6, 228) == .none(.unknownIPVersion(6)))
    #expect(decode(v4, 229) == .none(.truncated(.ipv6, needed: 40, had: 33)))
    #expect(decode([UInt8](repeating: 0x50, count: 40), 101) == .none(.unknownIPVersion(5)))
  }

  @Test("A frame without IP is named by its EtherType or link type")
  func whatIsNotIPIsNamed() {
    #expect(decode(Sample.ethernet(v4, type: [8, 6])) == .none(.notIP(etherType: 0x0806)))
    #expect(decode(Sample.ethernet(v4, type: [0, 33])) == .none(.notIP(etherType: 33)))
    #expect(decode(v4, 147) == .none(.unknownLinkType(147)))
    #expect(NoPayload.notIP(etherType: 0x0806).description == "not IP: EtherType 0x806")
  }
}

@Suite struct InternetLayerTests {
  @Test("IPv4 options are skipped")
  func ipv4OptionsAreSkipped() {
    expectPayload(Sample.ethernet(Sample.ipv4(Sample.udp(), options: [7, 4, 0, 0])))
    expectPayload(Sample.ethernet(Sample.ipv4(Sample.udp(), options: [UInt8](repeating: 1, count: 40))))
  }

  @Test("IPv4 lengths are checked")
  func ipv4LengthsAreChecked() {
    let udp = Sample.udp()
    let short = decode(Sample.ipv4(udp, first: 0x44), 101)
    #expect(short == .none(.truncated(.ipv4, needed: 20, had: 16)))
    #expect(decode(Sample.ipv4(udp, total: 19), 101) == .none(.truncated(.ipv4, needed: 20, had: 19)))
    #expect(decode(Sample.ipv4(udp, total: 34), 101) == .none(.truncated(.ipv4, needed: 34, had: 33)))
    #expect(decode(Sample.ipv4(udp, total: 22, first: 0x46), 101) == .none(.truncated(.ipv4, needed: 24, had: 22)))
  }

  @Test("A trailer is no payload")
  func aTrailerIsNoPayload() {
    expectPayload(Sample.ethernet(Sample.ipv4(Sample.udp()) + [0, 0, 0, 0, 0, 0]))
    expectPayload(Sample.ethernet(Sample.ipv6(Sample.udp()) + [1, 2, 3], type: [0x86, 0xdd]), 1, Sample.v6)
  }

  @Test("A length of zero means offload, and the frame's length counts")
  func aLengthOfZeroIsOffloadAndTheFrameCounts() {
    expectPayload(Sample.ipv4(Sample.udp(), total: 0), 101)
    expectPayload(Sample.ipv6(Sample.udp(), length: 0), 101, Sample.v6)
    expectPayload(Sample.ipv6(Sample.udp(length: 0), length: 0), 101, Sample.v6)
    #expect(decode(Sample.ipv4(Sample.udp(length: 0), total: 0), 101) == .none(.truncated(.udp, needed: 8, had: 0)))
  }

  @Test("IPv6 extension headers are walked")
  func ipv6ExtensionHeadersAreWalked() {
    let hop: [UInt8] = [43, 0, 1, 4, 0, 0, 0, 0]
    let routing: [UInt8] = [60, 1] + [UInt8](repeating: 0, count: 14)
    let destination: [UInt8] = [51, 0, 0, 0, 0, 0, 0, 0]
    let authentication: [UInt8] = [44, 4] + [UInt8](repeating: 0, count: 22)
    let atomicFragment: [UInt8] = [17, 0, 0, 0, 1, 2, 3, 4]
    let chain = hop + routing + destination + authentication + atomicFragment
    expectPayload(Sample.ipv6(chain + Sample.udp(), next: 0), 101, Sample.v6)
    #expect(
      decode(Sample.ipv6(Array(routing.prefix(12)), next: 43), 101)
        == .none(.truncated(.ipv6Extension, needed: 16, had: 12)))
    #expect(decode(Sample.ipv6([59, 0, 0, 0, 0, 0, 0, 0], next: 60), 101) == .none(.otherProtocol(59)))
  }

  @Test("A fragment is reported with its offset, identification and range")
  func fragmentsAreRecognised() {
    func place(_ frame: [UInt8]) -> [Int?] {
      guard case .none(.fragment(let found)) = decode(frame, 101) else { return [] }
      return [
        found.offset, found.moreFollow ? 1 : 0, Int(found.identification), Int(found.transport),
        found.range.lowerBound, found.range.upperBound, found.missing,
      ]
    }
    let udp = Sample.udp()
    #expect(place(Sample.ipv4(udp, fragment: 0x2000)) == [0, 1, 1, 17, 20, 33, 0])
    #expect(place(Sample.ipv4(udp, fragment: 185)) == [1480, 0, 1, 17, 20, 33, 0])
    #expect(place(Sample.ipv6([17, 0, 0, 1, 0, 0, 0, 9] + udp, next: 44)) == [0, 1, 9, 17, 48, 61, 0])
    #expect(place(Sample.ipv6([60, 0, 5, 0xc8, 1, 0, 0, 0] + udp, next: 44)) == [1480, 0, 0x0100_0000, 60, 48, 61, 0])
    expectPayload(Sample.ipv4(udp, fragment: 0x4000), 101)
    expectPayload(Sample.ipv4(udp, fragment: 0x8000), 101)
  }

  @Test("Other protocols are named")
  func otherProtocolsAreNamed() {
    #expect(decode(Sample.ipv4([8, 0, 0, 0], transport: 1), 101) == .none(.otherProtocol(1)))
    #expect(decode(Sample.ipv6([8, 0, 0, 0], next: 58), 101) == .none(.otherProtocol(58)))
  }
}

@Suite struct TransportLayerTests {
  @Test("Udp lengths are checked")
  func udpLengthsAreChecked() {
    #expect(decode(Sample.ipv4(Sample.udp(length: 7)), 101) == .none(.truncated(.udp, needed: 8, had: 7)))
    #expect(decode(Sample.ipv4(Sample.udp(length: 14)), 101) == .none(.truncated(.udp, needed: 14, had: 13)))
    guard case .payload(let found) = decode(Sample.ipv4(Sample.udp(length: 10)), 101) else {
      Issue.record("no payload")
      return
    }
    #expect(found.range == 28..<30)
  }

  @Test("TCP numbers, flags and options are decoded")
  func tcpNumbersFlagsAndOptions() {
    let frame = Sample.ipv4(Sample.tcp(options: [1, 1, 1, 1]), transport: 6)
    guard case .payload(let found) = decode(frame, 101) else {
      Issue.record("no payload")
      return
    }
    #expect(Array(frame[found.range]) == Sample.payload)
    #expect(found.flow.carrier == .tcp)
    #expect((found.sequence, found.acknowledgement) == (0x0102_0304, 0x0506_0708))
    #expect(found.flags == [.psh, .ack])
  }

  @Test("Tcp data offset is checked")
  func tcpDataOffsetIsChecked() {
    let short = Sample.ipv4(Sample.tcp(offset: 4), transport: 6)
    #expect(decode(short, 101) == .none(.truncated(.tcp, needed: 20, had: 16)))
    let long = Sample.ipv4(Sample.tcp(offset: 15), transport: 6)
    #expect(decode(long, 101) == .none(.truncated(.tcp, needed: 60, had: 25)))
  }
}

@Suite struct FrameTruncationTests {
  /// A frame with its layers: where each header begins and how long it is.
  static let stacks: [(name: String, frame: [UInt8], linkType: UInt16, headers: [(Layer, Int, Int)])] = [
    (
      "tagged IPv4 UDP",
      Sample.ethernet([0, 7, 8, 0] + Sample.ipv4(Sample.udp(), options: [1, 1, 1, 1]), type: [0x81, 0]),
      1, [(.ethernet, 0, 14), (.vlan, 14, 4), (.ipv4, 18, 24), (.udp, 42, 8)]
    ),
    (
      "cooked IPv4 TCP", Sample.cooked(Sample.ipv4(Sample.tcp(options: [1, 1, 1, 0]), transport: 6)), 113,
      [(.linuxCooked, 0, 16), (.ipv4, 16, 20), (.tcp, 36, 24)]
    ),
    (
      "cooked 2 IPv6 UDP",
      Sample.cooked2(
        Sample.ipv6([17, 1] + [UInt8](repeating: 0, count: 14) + Sample.udp(), next: 0), type: [0x86, 0xdd]),
      276, [(.linuxCooked2, 0, 20), (.ipv6, 20, 40), (.ipv6Extension, 60, 16), (.udp, 76, 8)]
    ),
    (
      "loopback IPv4 UDP", [2, 0, 0, 0] + Sample.ipv4(Sample.udp()), 0,
      [(.loopback, 0, 4), (.ipv4, 4, 20), (.udp, 24, 8)]
    ),
  ]

  /// The bytes that a frame with variable headers needs at first: the fixed part, then the length in it.
  private func needed(_ layer: Layer, _ length: Int, had: Int) -> Int {
    switch layer {
    case .ipv4: had < 20 ? 20 : length
    case .tcp: had < 20 ? 20 : length
    case .ipv6Extension: had < 8 ? 8 : length
    default: length
    }
  }

  @Test("A frame cut by the snapshot length names the layer and the missing bytes", arguments: stacks.indices)
  func aFrameCutByTheSnapshotLengthSaysWhere(index: Int) {
    let stack = Self.stacks[index]
    let start = stack.headers.last.map { $0.1 + $0.2 } ?? 0
    for count in 0..<stack.frame.count {
      let content = decode(Array(stack.frame[..<count]), stack.linkType, original: stack.frame.count)
      if let (layer, at, length) = stack.headers.first(where: { count < $0.1 + $0.2 }) {
        let error = NoPayload.cutShort(layer, needed: needed(layer, length, had: count - at), had: count - at)
        #expect(content == .none(error), "\(stack.name) cut at \(count)")
      } else if case .payload(let found) = content {
        #expect(found.range == start..<count)
        #expect(found.missing == stack.frame.count - count)
      } else {
        Issue.record("\(stack.name) cut at \(count): \(content)")
      }
    }
  }

  @Test("A frame that ends early names the layer and the missing bytes", arguments: stacks.indices)
  func aFrameThatEndsEarlySaysWhere(index: Int) {
    let stack = Self.stacks[index]
    for count in 0..<stack.frame.count {
      let content = decode(Array(stack.frame[..<count]), stack.linkType)
      guard
        let (layer, at, length) = stack.headers.first(where: { count < $0.1 + $0.2 || $0.0 == .ipv4 || $0.0 == .ipv6 })
      else { continue }
      let had = count - at
      // Once IP's fixed header is there, its own length is what the frame is too short for.
      let whole = stack.frame.count - at
      let isInternet = layer == .ipv4 && had >= 20 || layer == .ipv6 && had >= 40
      let error = NoPayload.truncated(
        layer, needed: isInternet ? whole : needed(layer, length, had: had), had: had)
      #expect(content == .none(error), "\(stack.name) cut at \(count)")
    }
  }

  @Test("An original length that is too small is ignored")
  func anOriginalLengthThatIsTooSmallIsNotBelieved() {
    expectPayload(Sample.ethernet(Sample.ipv4(Sample.udp())), original: 3)
    expectPayload(Sample.ethernet(Sample.ipv4(Sample.udp())), original: -1)
  }

  @Test("Random bytes never trap, and ranges are within the frame")
  func randomBytesNeverTrapAndRangesLieInTheFrame() {
    var random = SplitMix64(seed: 2)
    let linkTypes: [UInt16] = [
      0, 1, 9, 12, 14, 50, 51, 101, 104, 105, 108, 113, 127, 149, 166, 204, 219, 228, 229, 258, 276,
    ]
    var payloads = 0
    for round in 0..<300_000 {
      let linkType: UInt16
      var frame: [UInt8]
      if round % 3 == 0 {
        linkType = linkTypes[round / 3 % linkTypes.count]
        frame = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      } else {
        let stack = Self.stacks[round % Self.stacks.count]
        linkType = stack.linkType
        frame = Array(stack.frame.prefix(Int.random(in: 0...stack.frame.count, using: &random)))
        for _ in 0..<3 where !frame.isEmpty {
          frame[Int.random(in: 0..<frame.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      let original = Int.random(in: 0...120, using: &random)
      guard case .payload(let found) = decode(frame, linkType, original: original) else { continue }
      payloads += 1
      #expect(found.range.lowerBound >= 0 && found.range.upperBound <= frame.count && found.missing >= 0)
    }
    #expect(payloads > 5_000)
  }
}
