import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@testable import TelecapConformance

/// The messages that `learn` sends to a receiver of a declared stream break no rule of the declaration: a right program
/// may drop all others.
@Suite("Keys that learn sends") struct LearnedKeyTests {
  private static func text(_ slot: String) -> String {
    """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 9999}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: A
        type: 1
        from: client
        fields:
          - \(slot)
          - {name: n, type: u32}
          - {name: x, type: u32, range: [5, 9]}
    streams: [{name: a, message: A, order: n, key: [slot], values: [x]}]
    """
  }

  @Test(
    "The keys keep the range, codes, bits and constant of their field",
    arguments: [
      ("{name: slot, type: u8, range: [1, 10]}", 3), ("{name: slot, type: u8, range: [7, 8]}", 2),
      ("{name: slot, type: u8, range: [255, 255]}", 1), ("{name: slot, type: u16, codes: {17: a, 4: b}}", 2),
      ("{name: slot, type: u8, bits: 0x80}", 2), ("{name: slot, type: u8, bits: 0x30}", 3),
      ("{name: slot, type: u32, equals: 77}", 1), ("{name: slot, type: u64}", 3),
      ("{name: slot, type: u64, range: [9223372036854775808, 18446744073709551615]}", 3),
    ])
  func keys(_ slot: String, _ count: Int) throws {
    let wire = try ProtocolFile.read(Self.text(slot), file: "toy.yaml")
    let stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
    let dialect = try #require(wire.dialect(over: .udp))
    var keys: Set<UInt64> = []
    for bytes in stream.learningMessages {
      var findings: [Finding] = []
      let kind = MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings)
      #expect(findings.isEmpty, "\(findings)")
      let key = kind.layout["slot"]?.bits(in: bytes.span.bytes)
      keys.insert(try #require(key))
    }
    #expect(keys.count == count, "\(keys)")
  }
}
