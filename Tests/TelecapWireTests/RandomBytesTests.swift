import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

/// Buffers that nobody would send: nothing traps, and findings point at bytes that are there.
@Suite struct RandomBytesTests {
  @Test("Mutated messages and noise are decoded without a trap", arguments: [1, 2, 3, 4] as [UInt64])
  func millions(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var tracker = SessionTracker()
    var findings: [Finding] = []
    var outside = 0
    var words = 0
    for index in 0..<(Tier.isDeep ? 250_000 : 50_000) {
      let (bytes, dialect) = RandomBytesTests.buffer(&random)
      findings.removeAll(keepingCapacity: true)
      let kind = MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings)
      let valid = !findings.contains { $0.severity == .error }
      if valid { if bytes.count < kind.layout.fixedSize { outside += 1 } }
      _ = tracker.receive(
        kind, bytes.span.bytes, in: RandomBytesTests.datagram(index, &random),
        going: Direction(rawValue: UInt8.random(in: 0...2, using: &random)) ?? .unknown, isValid: valid,
        findings: &findings)
      for finding in findings where finding.range.lowerBound < 0 || finding.range.upperBound > bytes.count {
        outside += 1
      }
      if index.isMultiple(of: 16) { words += findings.count { $0.description.isEmpty } }
      if index.isMultiple(of: 64) { RandomBytesTests.readAll(kind, bytes) }
    }
    #expect(outside == 0)
    #expect(words == 0)
  }

  /// Half of them noise, half of them a message with a few bytes changed, cut or added.
  private static func buffer(_ random: inout SplitMix64) -> ([UInt8], Dialect) {
    let dialect = Dialect.all[Int.random(in: 0..<Dialect.all.count, using: &random)]
    if Bool.random(using: &random) { return (random.bytes(Int.random(in: 0...50, using: &random)), dialect) }
    let sample = Sample.all[Int.random(in: 0..<Sample.all.count, using: &random)]
    var bytes = sample.bytes
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    switch UInt8.random(in: 0...7, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    case 1: bytes += random.bytes(Int.random(in: 1...20, using: &random))
    default: break
    }
    return (bytes, Bool.random(using: &random) ? sample.dialect : dialect)
  }

  private static func datagram(_ index: Int, _ random: inout SplitMix64) -> Datagram {
    let phone = Endpoint(IPAddress(v4: UInt32.random(in: 1...4, using: &random)), port: 40_000)
    let flow = Flow(Bool.random(using: &random) ? .udp : .tcp, from: phone, to: Conversation.host)
    let time = Timestamp(nanoseconds: Int64(bitPattern: random.next()))
    return Datagram(packet: index, time: time, flow: Bool.random(using: &random) ? flow : flow.reversed)
  }

  private static func readAll(_ kind: MessageKind, _ bytes: [UInt8]) {
    let span = bytes.span.bytes
    for field in kind.layout.fields {
      _ = field.value(in: span)
      #expect(field.range(in: span).upperBound <= bytes.count)
    }
  }
}
