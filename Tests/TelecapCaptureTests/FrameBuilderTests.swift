import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

@Suite struct FrameBuilderTests {
  private static let v4 = Flow(
    .udp, from: Endpoint(IPAddress(v4: 0xc000_0201), port: 40_000),
    to: Endpoint(IPAddress(v4: 0xc000_0202), port: 50_000))

  private func over(_ carrier: Carrier, _ flow: Flow) -> Flow {
    Flow(carrier, from: flow.source, to: flow.destination)
  }

  /// The checksums were worked out by hand after RFC 1071.
  @Test("A UDP frame is these bytes")
  func aUDPFrameIsTheseBytes() throws {
    var builder = FrameBuilder(link: .ethernet)
    var frame: [UInt8] = [0xff]
    try builder.append(hex("dead be").span.bytes, Self.v4, to: &frame)
    #expect(
      frame
        == hex(
          """
          ff 020000000002 020000000001 0800
          4500 001f 0000 4000 4011 b6ca c0000201 c0000202
          9c40 c350 000b 7f94 deadbe
          """))
  }

  /// A sum over all 16-bit words, the pseudo header and the checksum's own field included, is all ones.
  private func expectRightChecksums(_ packet: [UInt8], _ flow: Flow, sourceLocation: SourceLocation = #_sourceLocation)
  {
    func sum(_ bytes: some Collection<UInt8>) -> Int {
      var total = 0
      for (index, byte) in bytes.enumerated() { total += Int(byte) << (index % 2 == 0 ? 8 : 0) }
      while total > 0xffff { total = (total & 0xffff) + (total >> 16) }
      return total
    }
    let isV4 = flow.source.address.family == .v4
    if isV4 { #expect(sum(packet[..<20]) == 0xffff, sourceLocation: sourceLocation) }
    let segment = Array(packet[(isV4 ? 20 : 40)...])
    let pseudo =
      flow.source.address.bytes + flow.destination.address.bytes
      + [0, flow.carrier.rawValue, UInt8(segment.count >> 8), UInt8(segment.count & 0xff)]
    #expect(sum(pseudo + segment) == 0xffff, sourceLocation: sourceLocation)
  }

  @Test("Every frame decodes to its payload with right checksums")
  func everyFrameDecodesToItsPayloadWithRightChecksums() throws {
    var random = SplitMix64(seed: 5)
    var builder = FrameBuilder(link: .rawIP)
    var frame: [UInt8] = []
    for round in 0..<2000 {
      let carrier: Carrier = round % 2 == 0 ? .udp : .tcp
      let flow = over(carrier, round % 3 == 0 ? Sample.v6 : Self.v4)
      let payload = (0..<Int.random(in: 0...90, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      frame.removeAll(keepingCapacity: true)
      try builder.append(payload.span.bytes, flow, to: &frame)
      guard case .payload(let found) = decode(frame, builder.link.linkType) else {
        Issue.record("no payload in \(frame)")
        return
      }
      #expect(found.flow == flow)
      #expect(Array(frame[found.range]) == payload)
      expectRightChecksums(frame, flow)
    }
  }

  @Test("A UDP checksum of zero is sent as ones")
  func aUDPChecksumOfZeroIsSentAsOnes() throws {
    var builder = FrameBuilder(link: .rawIP)
    var frame: [UInt8] = []
    try builder.append(hex("0000").span.bytes, Self.v4, to: &frame)
    let zeroing = frame[26..<28]
    frame = []
    try builder.append(Array(zeroing).span.bytes, Self.v4, to: &frame)
    #expect(Array(frame[26..<28]) == [0xff, 0xff])
  }

  @Test("The frames of a connection have consistent sequence numbers")
  func aConnectionKeepsItsNumbers() throws {
    let out = over(.tcp, Self.v4)
    var builder = FrameBuilder(link: .ethernet)
    var reassembler = TCPReassembler()
    var log = TCPLog()
    var flags: [TCPFlags] = []
    func pass(_ make: (inout FrameBuilder, inout [UInt8]) throws -> Void) throws {
      var frame: [UInt8] = []
      try make(&builder, &frame)
      guard case .payload(let found) = decode(frame) else {
        Issue.record("no payload")
        return
      }
      flags.append(found.flags)
      reassembler.receive(found, frame.span.bytes.extracting(found.range)) { log.note($0, $1) }
    }
    for round: UInt8 in 1...2 {
      try pass { try $0.appendOpening(out, to: &$1) }
      try pass { try $0.appendOpening(out.reversed, to: &$1) }
      try pass { try $0.append([round, 2].span.bytes, out, to: &$1) }
      try pass { try $0.append([round, 3, 4].span.bytes, out.reversed, to: &$1) }
      try pass { try $0.append(hex("05").span.bytes, out, to: &$1) }
      try pass { try $0.appendClosing(out, to: &$1) }
      try pass { try $0.appendClosing(out.reversed, to: &$1) }
    }
    #expect(flags.prefix(3) == [.syn, [.syn, .ack], [.psh, .ack]])
    #expect(log.bytes == [1: [1, 2, 5], 2: [1, 3, 4], 3: [2, 2, 5], 4: [2, 3, 4]])
    #expect(log.events.filter { $0.kind == .closed(.finished) }.count == 4)
    #expect(reassembler.statistics.gaps == 0)
  }

  /// A connection without an end, and another on the same ports: it begins with a SYN that acknowledges nothing.
  @Test("An unfinished connection can be followed by another on its ports")
  func aConnectionThatWasBrokenOffIsFollowedByAnotherOnItsPorts() throws {
    let out = over(.tcp, Self.v4)
    var builder = FrameBuilder(link: .rawIP)
    var reassembler = TCPReassembler()
    var log = TCPLog()
    var flags: [TCPFlags] = []
    func pass(_ make: (inout FrameBuilder, inout [UInt8]) throws -> Void) throws {
      var frame: [UInt8] = []
      try make(&builder, &frame)
      guard case .payload(let found) = decode(frame, builder.link.linkType) else {
        Issue.record("no payload")
        return
      }
      flags.append(found.flags)
      reassembler.receive(found, frame.span.bytes.extracting(found.range)) { log.note($0, $1) }
    }
    for round: UInt8 in 1...2 {
      try pass { try $0.appendOpening(out, to: &$1) }
      try pass { try $0.appendOpening(out.reversed, to: &$1) }
      try pass { try $0.append([round].span.bytes, out, to: &$1) }
    }
    #expect(flags == [.syn, [.syn, .ack], [.psh, .ack], .syn, [.syn, .ack], [.psh, .ack]])
    #expect(log.bytes.values.sorted { $0[0] < $1[0] } == [[1], [2]])
  }

  @Test("A payload or flow that fits no frame is rejected, and nothing is appended")
  func whatDoesNotFitIsRefusedAndNothingIsAppended() throws {
    var builder = FrameBuilder(link: .rawIP)
    var frame: [UInt8] = []
    let longest = [UInt8](repeating: 1, count: 65_507)
    try builder.append(longest.span.bytes, Self.v4, to: &frame)
    #expect(frame.count == 65_535)
    frame = []
    #expect(throws: FrameBuilder.Failure.payloadTooLong(length: 65_508, limit: 65_507)) {
      try builder.append((longest + [1]).span.bytes, Self.v4, to: &frame)
    }
    let mixed = Flow(.udp, from: Self.v4.source, to: Sample.v6.destination)
    #expect(throws: FrameBuilder.Failure.mixedFamilies(mixed)) {
      try builder.append(hex("01").span.bytes, mixed, to: &frame)
    }
    #expect(frame.isEmpty)
  }
}
