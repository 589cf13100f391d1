import Testing

@testable import TelecapReplay

@Suite("Standstills of a recording") struct StandstillWatchTests {
  @Test("A second without a look is one, and less is none")
  func border() {
    var watch = StandstillWatch(at: 5)
    #expect(watch.look(at: 1_000_000_004) == nil)
    #expect(watch.look(at: 2_000_000_004) == 1_000_000_000)
    #expect(watch.look(at: 2_000_000_004) == nil)
    #expect(watch.look(at: 12_000_000_004) == 10_000_000_000)
  }
}
