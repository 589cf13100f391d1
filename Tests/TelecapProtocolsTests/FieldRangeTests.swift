import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// The range of a field says what is valid, and that of a stream what is applied of the rest.
@Suite("The range of a field, and of a stream") struct FieldRangeTests {
  /// The verdict on a receiver that got 0.5 and 2, of which the range of the field is 0 to 1, and shows these values.
  private static func verdict(streamRange: String, shows: [Double]) throws -> Verdict {
    let wire = try ProtocolFile.read(
      """
      protocol: toy
      byte-order: big
      carriers: [{name: udp, over: udp, port: 4000}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - {name: LEVEL, type: 1, from: client, fields: [{name: level, type: f32, range: [0, 1]}]}
      session: {opens: with-any-message}
      streams: [{name: level, message: LEVEL, values: [level]\(streamRange)}]
      """, file: "toy.yaml")
    let stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
    var oracle = Oracle([stream])
    let sender = Endpoint(.loopback, port: 9)
    for (index, bits) in [UInt8(0x3f), 0x40].enumerated() {
      let time = Timestamp(nanoseconds: Int64(index) * 1_000_000_000)
      let bytes: [UInt8] = [1, bits, 0, 0, 0]
      oracle.delivered(bytes.span.bytes, over: .udp, from: sender, at: time, packet: index)
      if index < shows.count {
        oracle.observed(.applied(AppliedValue(stream: "level", values: [shows[index]])), at: time)
      }
    }
    oracle.finish(at: Timestamp(nanoseconds: 3_000_000_000))
    return oracle.results.contains { $0.verdict == .fail } ? .fail : oracle.verdict()
  }

  @Test(
    "Without a stream range a value beyond its field's range is dropped or applied, not clamped",
    arguments: [([0.5], Verdict.pass), ([0.5, 2], .pass), ([0.5, 1], .fail), ([0.5, 3], .fail)])
  func field(_ shows: [Double], _ verdict: Verdict) throws {
    #expect(try Self.verdict(streamRange: "", shows: shows) == verdict)
  }

  @Test(
    "With a stream range such a value is dropped or clamped, and not applied as it is",
    arguments: [([0.5], Verdict.pass), ([0.5, 1], .pass), ([0.5, 2], .fail), ([0.5, 0], .fail)])
  func stream(_ shows: [Double], _ verdict: Verdict) throws {
    #expect(try Self.verdict(streamRange: ", range: [0, 1]", shows: shows) == verdict)
  }
}
