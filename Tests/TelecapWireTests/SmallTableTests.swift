import TelecapWire
import Testing

@Suite struct SmallTableTests {
  @Test("The table has the same content as a dictionary after any changes")
  func asADictionary() {
    var (table, dictionary) = (SmallTable<Int, Int>(), [Int: Int]())
    var state: UInt64 = 7
    for step in 0..<2_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let (key, isTaken) = (Int(state >> 60), state >> 40 & 3 == 0)
      (table[key], dictionary[key]) = isTaken ? (nil, nil) : (step, step)
      for key in 0..<16 { #expect(table[key] == dictionary[key]) }
    }
  }
}
