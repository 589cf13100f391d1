import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// Fragments of IP datagrams, as a dissection puts them together.
@Suite("IP fragments") struct FragmentTests {
  /// The UDP datagram of a message to TELE's port, without IP.
  private static func datagram(_ payload: [UInt8] = Bytes.pose(1)) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(40_000), 50_000, UInt16(8 + payload.count), 0)
    return list.bytes + payload
  }

  /// An Ethernet frame of the bytes of a datagram from `offset` on, as a fragment of it.
  private static func v4(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, id: UInt16 = 7, transport: UInt8 = 17
  ) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(0x4500), UInt16(20 + bytes.count), id, UInt16(bytes.startIndex / 8) | (isLast ? 0 : 0x2000))
    list.add(64 as UInt8, transport)
    list.add(UInt16(0))
    list.add(UInt32(0xc000_020a), 0xc000_0201)
    return Sample.ethernet(list.bytes + bytes)
  }

  private static func v6(_ bytes: ArraySlice<UInt8>, isLast: Bool, id: UInt32 = 7) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add([17, 0])
    list.add(UInt16(bytes.startIndex) | (isLast ? 0 : 1), UInt16(id >> 16), UInt16(id & 0xffff))
    return Sample.ethernet(Sample.ipv6(list.bytes + bytes, next: 44), type: [0x86, 0xdd])
  }

  /// Frames at these times in seconds, dissected.
  private func dissected(_ frames: [(seconds: Double, frame: [UInt8])], kept: [Int: Int] = [:]) throws -> SeenDissection
  {
    var dissector = Dissector(ports: .standard)
    var seen = SeenDissection()
    for (index, (seconds, frame)) in frames.enumerated() {
      let bytes = Array(frame.prefix(kept[index] ?? frame.count))
      seen.frame = bytes
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: Int64(seconds * 1e9)), originalLength: frame.count, linkType: 1)
      try dissector.receive(header, bytes.span.bytes, to: &seen)
    }
    seen.frame = []
    try dissector.finish(to: &seen)
    return seen
  }

  private func dissected(_ frames: [[UInt8]]) throws -> SeenDissection { try dissected(frames.map { (0, $0) }) }

  private static let whole = datagram()
  /// A datagram of 54 bytes in three fragments.
  private static let three = [
    v4(whole[0..<16], isLast: false), v4(whole[16..<40], isLast: false), v4(whole[40...], isLast: true),
  ]

  @Test(
    "Fragments in any order, also twice, give one datagram, in the packet that completes it",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1], [0, 0, 1, 1, 2]])
  func orders(order: [Int]) throws {
    let seen = try dissected(order.map { Self.three[$0] })
    #expect(seen.messages.map(\.kind) == [.pose])
    #expect(seen.messages.map(\.bytes) == [Bytes.pose(1)])
    #expect(seen.messages.map(\.packet) == [order.count])
    #expect(seen.messages.map(\.offset) == [nil])
    #expect(seen.findings == [])
  }

  @Test("IPv6 fragments are reassembled, with extension headers before UDP")
  func ipv6() throws {
    let frames = [Self.v6(Self.whole[0..<32], isLast: false), Self.v6(Self.whole[32...], isLast: true)]
    #expect(try dissected(frames).messages.map(\.bytes) == [Bytes.pose(1)])
    // Destination options come first in the fragments, and UDP after them.
    let options: [UInt8] = [17, 0, 1, 4, 0, 0, 0, 0] + Self.whole
    var extended = [Self.v6(options[0..<32], isLast: false), Self.v6(options[32...], isLast: true)]
    for index in extended.indices { extended[index][14 + 40] = 60 }
    #expect(try dissected(extended).messages.map(\.bytes) == [Bytes.pose(1)])
  }

  @Test("Fragments belong together by identification, addresses, protocol and version")
  func keys() throws {
    let first = Self.three[0]
    var otherSource = Self.three[2]
    otherSource[14 + 12 + 3] = 99
    var otherDestination = Self.three[2]
    otherDestination[14 + 16 + 3] = 99
    let others = [
      Self.v4(Self.whole[16...], isLast: true, id: 8), Self.v4(Self.whole[16...], isLast: true, transport: 6),
      otherSource, otherDestination, Self.v6(Self.whole[16...], isLast: true),
    ]
    for other in others {
      let seen = try dissected([first, other])
      #expect(seen.messages == [])
      #expect(seen.rules == [.fragment, .fragment])
    }
    #expect(try dissected([first, Self.v4(Self.whole[16...], isLast: true)]).messages.count == 1)
  }

  @Test("Fragments of two interfaces are separate")
  func interfaces() throws {
    var reassembler = FragmentReassembler()
    var found: [FragmentReassembler.Found] = []
    func receive(_ frame: [UInt8], _ interface: Int) -> [UInt8]? {
      guard case .none(.fragment(let fragment)) = decode(frame) else { return nil }
      let header = PacketHeader(
        number: 1, time: .zero, interface: interface, originalLength: frame.count, linkType: 1)
      return reassembler.receive(fragment, header, frame.span.bytes, &found)?.bytes
    }
    for interface in 0..<2 {
      #expect(receive(Self.three[0], interface) == nil)
      #expect(receive(Self.three[1], interface) == nil)
    }
    for interface in 0..<2 { #expect(receive(Self.three[2], interface) == Self.whole) }
    #expect(found.isEmpty)
  }

  @Test("An incomplete datagram is a finding at its first fragment, with the captured bytes")
  func incomplete() throws {
    let seen = try dissected([Self.three[1], Self.three[2]])
    #expect(
      seen.findings == [
        SeenFinding(
          packet: 1, rule: .fragment,
          text: "a fragmented IP datagram is incomplete: 38 of 54 bytes captured")
      ])
    #expect(
      try dissected([Self.three[0]]).findings.map(\.text) == [
        "a fragmented IP datagram is incomplete: 16 bytes captured, the last fragment is missing"
      ])
  }

  @Test("Fragments are kept for 60 s of the capture's time, and no longer")
  func timeout() throws {
    let late = try dissected([(0, Self.three[0]), (30, Self.three[1]), (60, Self.three[2])])
    #expect(late.messages.count == 1)
    let tooLate = try dissected([(0, Self.three[0]), (30, Self.three[1]), (60.001, Self.three[2])])
    #expect(tooLate.messages == [])
    #expect(tooLate.findings.map(\.packet) == [1, 3])
    // An identification may be used again.
    let again = try dissected([(0, Self.three[0])] + Self.three.map { (61, $0) })
    #expect(again.messages.map(\.packet) == [4])
    #expect(again.findings.map(\.packet) == [1])
  }

  @Test("A datagram with overlapping fragments is dropped, with one finding")
  func overlap() throws {
    let overlapping = [
      Self.v4(Self.whole[8..<24], isLast: false),  // over the end of the first
      Self.v4([UInt8](repeating: 0, count: 16)[0..<16], isLast: false),  // the same place, other bytes
    ]
    for fragment in overlapping {
      let seen = try dissected([Self.three[0], fragment, Self.three[1], Self.three[2], Self.three[0]])
      #expect(seen.messages == [])
      #expect(
        seen.findings == [
          SeenFinding(
            packet: 2, rule: .fragmentOverlap, text: "overlapping fragments: the IP datagram is not reassembled")
        ])
    }
    // Neither an end before what came, nor two ends.
    for end in [Self.v4(Self.whole[8..<12], isLast: true), Self.v4(Self.whole[40..<48], isLast: true)] {
      let seen = try dissected([Self.three[1], Self.three[2], end, Self.three[0]])
      #expect(seen.messages == [])
      #expect(seen.rules == [.fragmentOverlap])
    }
    let beyond = [UInt8](repeating: 1, count: 64)
    #expect(
      try dissected([Self.three[0], Self.three[2], Self.v4(beyond[56..<64], isLast: false)]).rules == [.fragmentOverlap]
    )
  }

  @Test("At most 64 datagrams are incomplete at a time: at the limit the oldest is dropped")
  func limit() throws {
    func first(_ id: Int) -> [UInt8] { Self.v4(Self.whole[0..<16], isLast: false, id: UInt16(id)) }
    func rest(_ id: Int) -> [UInt8] { Self.v4(Self.whole[16...], isLast: true, id: UInt16(id)) }
    let within = try dissected((0..<64).map(first) + [rest(0)])
    #expect(within.messages.count == 1)
    #expect(within.rules == [Rule](repeating: .fragment, count: 63))
    let beyond = try dissected((0..<65).map(first) + [rest(0), rest(1)])
    // The rest of the first finds nothing, and takes the place of the second.
    #expect(beyond.messages == [])
    #expect(beyond.rules.prefix(2) == [.fragmentLimit, .fragmentLimit])
    #expect(beyond.findings.prefix(2).map(\.packet) == [1, 2])
    #expect(
      beyond.findings[0].text
        == "reassembly of an IP datagram was dropped for newer ones: 16 bytes captured, the last fragment is missing"
    )
  }

  @Test(
    "An impossible fragment is damage: empty, of a wrong size, over 65,535 bytes, or cut")
  func damage() throws {
    for (frame, text) in [
      (Self.v4(Self.whole[8..<8], isLast: true), "fragment of 0 bytes at offset 8: it is empty"),
      (Self.v4(Self.whole[16..<28], isLast: false), "fragment of 12 bytes at offset 16: not a multiple of 8"),
    ] { #expect(try dissected([frame]).findings == [SeenFinding(packet: 1, rule: .packetDamaged, text: text)]) }
    #expect(
      try dissected([(0, Self.three[0])], kept: [0: 40]).findings.map(\.text) == [
        "the packet is cut short: needed 16 bytes, had 6"
      ])
    // 65,528 is the last offset there is: seven bytes there end at 65,535, eight do not.
    let long = [UInt8](repeating: 0, count: 65_536)
    #expect(try dissected([Self.v4(long[65_528..<65_535], isLast: true)]).rules == [.fragment])
    #expect(
      try dissected([Self.v4(long[65_528..<65_536], isLast: true)]).findings.map(\.text) == [
        "fragment of 8 bytes at offset 65528: it ends after byte 65535"
      ])
  }

  @Test("A segment of TCP in fragments is part of its stream")
  func tcp() throws {
    var talk = Conversation()
    try talk.open()
    let framed: [UInt8] = [UInt8(Bytes.pose(1).count), 0] + Bytes.pose(1)
    try talk.send(framed, Conversation.tcp)
    let last = talk.packets.removeLast().frame
    let segment = Array(last[34...])
    for (range, isLast) in [(0..<24, false), (24..<segment.count, true)] {
      talk.add(Self.v4(segment[range], isLast: isLast, transport: 6))
    }
    let seen = try talk.dissected()
    #expect(seen.messages.map(\.bytes) == [Bytes.pose(1)])
    #expect(seen.messages.map(\.packet) == [4])
  }

  private static func isWhole(_ outcome: IncompleteDatagram.Outcome?) -> Bool {
    if case .whole? = outcome { true } else { false }
  }

  @Test("A copy of the last fragment begins no datagram, and the identification can be reused at once")
  func copies() throws {
    let twice = try dissected([0, 0, 1, 1, 2, 2].map { Self.three[$0] })
    #expect(twice.messages.map(\.packet) == [5] && twice.findings == [])
    // A datagram that came twice is two datagrams.
    #expect(try dissected(Self.three + Self.three).messages.map(\.packet) == [3, 6])
    let other = Self.datagram(Bytes.pose(2))
    var (ended, sized) = (other, Self.datagram(Bytes.pose(2) + [1, 2]))
    ended[53] ^= 1
    sized[8 + 4] ^= 1
    // A copy of the last fragment is no part of another datagram, even where that has the same bytes there.
    for other in [other, ended, sized] {
      let next = [
        Self.v4(other[0..<16], isLast: false), Self.v4(other[16..<40], isLast: false),
        Self.v4(other[40...], isLast: true),
      ]
      let seen = try dissected(Self.three + [Self.three[2]] + next)
      #expect(seen.messages.map(\.packet) == [3, 7])
      #expect(seen.messages.last?.bytes == Array(other[8...]))
      #expect(!seen.rules.contains(.fragment) && !seen.rules.contains(.fragmentOverlap))
      // In the reversed order it is read, or reported as incomplete, and never mixed.
      let reversed = try dissected(Self.three + [Self.three[2]] + next.reversed())
      let isRead = reversed.messages.last?.bytes == Array(other[8...])
      #expect(isRead != reversed.rules.contains(.fragment))
    }
    // After a minute it is a datagram of its own, which stays incomplete.
    let late = try dissected(Self.three.map { (0, $0) } + [(60.001, Self.three[2])])
    #expect(late.rules == [.fragment])
  }

  @Test("The next header of the first fragment counts, whichever fragment comes last (RFC 8200, 4.5)")
  func nextHeader() throws {
    var frames = [Self.v6(Self.whole[0..<32], isLast: false), Self.v6(Self.whole[32...], isLast: true)]
    frames[1][14 + 40] = 99
    for order in [[0, 1], [1, 0]] {
      #expect(try dissected(order.map { frames[$0] }).messages.map(\.bytes) == [Bytes.pose(1)])
    }
  }

  @Test("Random fragments never trap, and a reassembled datagram equals the original")
  func random() {
    var random = SplitMix64(seed: 3)
    var completed = 0
    for _ in 0..<400 {
      let payload = (0..<Int.random(in: 1...400, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var pieces: [(offset: Int, end: Int)] = []
      var at = 0
      while at < payload.count {
        let end = min(payload.count, at + 8 * Int.random(in: 1...6, using: &random))
        pieces.append((at, end))
        at = end
      }
      pieces.shuffle(using: &random)
      // Every fourth time one is repeated, every fourth is lost.
      if let first = pieces.first, Bool.random(using: &random), Bool.random(using: &random) { pieces.append(first) }
      let isLossy = Bool.random(using: &random) && Bool.random(using: &random)
      if isLossy { pieces.removeFirst() }
      var datagram = IncompleteDatagram(
        IncompleteDatagram.Key(Self.fragment(0, 0, isLast: false), interface: 0),
        first: PacketHeader(number: 1, time: .zero, originalLength: 0, linkType: 1))
      var outcomes: [IncompleteDatagram.Outcome] = []
      for piece in pieces where !Self.isWhole(outcomes.last) {
        let bytes = Array(payload[piece.offset..<piece.end])
        let fragment = Self.fragment(piece.offset, bytes.count, isLast: piece.end == payload.count)
        outcomes.append(
          datagram.add(fragment, bytes.span.bytes, PacketHeader(number: 1, time: .zero, originalLength: 0, linkType: 1))
        )
      }
      #expect(!outcomes.contains(.overlap))
      if Self.isWhole(outcomes.last) {
        completed += 1
        #expect(datagram.bytes == payload)
      }
    }
    #expect(completed > 200 && completed < 400)
  }

  private static func fragment(_ offset: Int, _ count: Int, isLast: Bool) -> Fragment {
    Fragment(
      source: .loopback, destination: .loopback, transport: 17, identification: 1, offset: offset, moreFollow: !isLast,
      range: 0..<count)
  }
}
