@testable import TelecapCapture
import Testing

/// The notes on an interface that changes while it is recorded.
@Suite struct InterfaceHistoryTests {
  private var history = InterfaceHistory()

  private mutating func told(_ state: InterfaceState, losses: UInt32 = 0) -> [String] {
    history.take(InterfaceReport(index: 3, name: "eth0", state: state, losses: losses))
  }

  @Test("Every change is reported once")
  mutating func everyChangeIsToldAndWhatStaysIsNot() {
    #expect(told(.up).isEmpty)
    #expect(told(.up).isEmpty)
    #expect(told(.withoutCarrier, losses: 1) == ["eth0 lost its carrier: nothing comes until it has it again"])
    #expect(told(.withoutCarrier, losses: 1).isEmpty)
    #expect(told(.up, losses: 1) == ["eth0 has its carrier again"])
    #expect(told(.down, losses: 2) == ["eth0 went down: nothing is recorded until it is up again"])
    #expect(
      told(.withoutCarrier, losses: 2) == ["eth0 is up again, without a carrier: nothing comes until it has one"])
    #expect(told(.down, losses: 2).count == 1)
    #expect(told(.up, losses: 3) == ["eth0 is up again"])
  }

  @Test("A link that was lost and back between two polls is reported by its count")
  mutating func aCarrierThatWasLostAndBackBeforeAnybodyLookedIsToldByItsCount() {
    #expect(told(.up, losses: .max).isEmpty)
    #expect(told(.up, losses: 0) == ["eth0 lost its carrier for a moment"])
    #expect(told(.up, losses: 3) == ["eth0 lost its carrier for a moment, 3 times"])
    #expect(
      told(.withoutCarrier, losses: 5) == [
        "eth0 lost its carrier for a moment", "eth0 lost its carrier: nothing comes until it has it again",
      ])
    #expect(told(.withoutCarrier, losses: 6) == ["eth0 had its carrier for a moment and lost it again"])
  }

  @Test("An interface that disappears is reported, and a new one is not")
  mutating func anInterfaceThatGoesIsToldAndOneThatIsNewIsNot() {
    #expect(told(.up).isEmpty)
    let gone = InterfaceReport(index: 3, name: "eth0", isGone: true, state: .down)
    #expect(history.take(gone) == ["eth0 is gone: nothing is recorded from it any more"])
    #expect(history.take(gone).isEmpty)
    #expect(told(.withoutCarrier).isEmpty)
  }

  @Test("Each interface has its own history")
  mutating func oneInterfaceIsNotAnother() {
    #expect(told(.up).isEmpty)
    #expect(history.take(InterfaceReport(index: 4, name: "eth1", state: .down)).isEmpty)
    #expect(told(.up).isEmpty)
  }
}
