import TelecapTransport
import Testing

/// The two clocks are read as one moment, also by a thread that is held up between them.
@Suite struct WallClockTests {
  @Test("A delayed reading is repeated")
  func heldUp() {
    var looks: [Int64] = [0, 1_000_000_000, 2_000_000_000, 2_000_000_100]
    #expect(WallClock.moment { looks.removeFirst() }.steady == 2_000_000_050)
  }

  @Test("If every reading is delayed, the least delayed one counts")
  func alwaysHeldUp() {
    var looks: [Int64] = []
    for turn in 0..<100 {
      let before = Int64(turn) * 1_000_000_000
      looks += [before, before + (turn == 42 ? 200_000 : 500_000)]
    }
    #expect(WallClock.moment { looks.removeFirst() }.steady == 42_000_100_000)
    #expect(looks.isEmpty)
  }
}
