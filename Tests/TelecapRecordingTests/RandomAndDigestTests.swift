import TelecapRecording
import Testing

@Suite("Random numbers, fingerprints and hexadecimal text") struct RandomAndDigestTests {
  /// Numbers of the reference implementation (https://prng.di.unimi.it/splitmix64.c).
  @Test("The numbers of a seed are SplitMix64's")
  func numbersOfASeed() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() }
        == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("A draw depends only on the seed, the stream, the item and the draw")
  func draws() {
    let draws = KeyedDraws(seed: 7)
    let all = [
      draws.bits(item: 1), draws.bits(item: 2), draws.bits(item: 1, draw: 1), KeyedDraws(seed: 8).bits(item: 1),
      KeyedDraws(seed: 7, stream: 1).bits(item: 1), KeyedDraws(seed: 7, stream: 2).bits(item: 1),
    ]
    #expect(Set(all).count == all.count)
    #expect(KeyedDraws(seed: 7).bits(item: 1) == all[0])
  }

  @Test("A number is below its bound, and within its maximum on both sides")
  func bounds() {
    let draws = KeyedDraws(seed: 7)
    #expect(Set((0..<100).map { draws.number(below: 3, item: $0) }) == [0, 1, 2])
    #expect(Set((0..<100).map { draws.number(within: 1, item: $0, draw: 0) }) == [-1, 0, 1])
    #expect(draws.number(below: 0, item: 1) == 0 && draws.number(below: -1, item: 1) == 0)
    #expect(draws.number(below: UInt64.max, item: 1) < .max)
  }

  /// RFC 9923, Appendix C.
  @Test("A fingerprint is FNV-1a's, whole or in parts")
  func fingerprint() {
    #expect(FNV1a("").description == "cbf29ce484222325" && FNV1a("foobar").description == "85944171f73967e8")
    var parts = FNV1a("foo")
    parts.add(UInt8(ascii: "b"))
    parts.add(0x7261, bytes: 2)
    #expect(parts == FNV1a("foobar"))
  }

  @Test("Bytes print as two digits each, and a number with the given or the needed digits")
  func hexadecimal() {
    #expect(Hex.text([0, 0x0f, 0xa0]) == "000fa0" && Hex.text([0, 0x0f], separator: ":") == "00:0f")
    #expect(Hex.text([] as [UInt8], separator: ":") == "")
    #expect(Hex.text(0xab as UInt16, digits: 4) == "00ab" && Hex.text(0xabcde as UInt, digits: 4) == "abcde")
  }
}
