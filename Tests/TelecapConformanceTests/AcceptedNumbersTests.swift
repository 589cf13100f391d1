import TelecapWire
import Testing

@testable import TelecapConformance

@Suite("Messages that a receiver accepts by the rule of their order") struct AcceptedNumbersTests {
  private static let window = NumberOrder(OrderRule(.window(size: 20, wraps: true)), bits: 8)
  private var accepted = AcceptedNumbers()

  private static func value(_ number: UInt64, _ value: Double = 0) -> StreamValue {
    StreamValue(number: number, values: [value])
  }

  private mutating func take(
    _ number: UInt64, _ value: Double = 0, _ order: NumberOrder = window, mayBeDropped: Bool = false
  ) -> AcceptedNumbers.Answer {
    accepted.take(Self.value(number, value), order, mayBeDropped: mayBeDropped)
  }

  /// Whether what is shown was accepted, or was shown before and may be again.
  private mutating func shows(_ number: UInt64, _ value: Double = 0, _ order: NumberOrder = window) -> Bool {
    if case .wrong = accepted.show(Self.value(number, value), order, where: { $0.values == $1.values }) { return false }
    return true
  }

  @Test("A receiver that lags may skip accepted messages, but not go back to one of them")
  mutating func skips() {
    // The first is older than the last by 100 numbers: only the order of acceptance shows that it is older.
    #expect(take(30) == .accepts && take(31) == .accepts && take(186) == .accepts && take(180) == .drops)
    #expect(!accepted.isSettled)
    #expect(shows(30) && !accepted.isSettled)
    #expect(shows(186) && accepted.isSettled)
    #expect(!shows(31) && !shows(30) && !shows(180))
  }

  @Test("A message that may be dropped leaves two numbers for comparison, until a newer one is accepted")
  mutating func doubt() {
    #expect(take(100) == .accepts && take(115, mayBeDropped: true) == .either)
    // Newer than 100, older than 115.
    #expect(take(105) == .either && accepted.base == nil)
    #expect(shows(100) && accepted.isSettled, "nobody must show what may be dropped")
    // Newer than all of them.
    #expect(take(116) == .accepts && accepted.base == 116)
    #expect(take(105) == .drops)
    #expect(shows(105) && shows(116) && accepted.isSettled && !shows(115))
  }

  @Test("A message that is older than any number that may count is dropped")
  mutating func older() {
    #expect(take(100) == .accepts && take(105, mayBeDropped: true) == .either)
    #expect(take(99) == .drops && take(99, mayBeDropped: true) == .drops)
  }

  @Test("A repeated number is accepted with its new value only if the rule applies duplicates")
  mutating func duplicates() {
    let applying = NumberOrder(OrderRule(.window(size: 20, wraps: true), appliesDuplicates: true), bits: 8)
    #expect(take(7, 1, applying) == .accepts && shows(7, 1, applying))
    #expect(take(7, 1, applying) == .accepts && accepted.isSettled, "the same again need not be shown")
    #expect(shows(7, 1, applying), "and may be")
    #expect(take(7, 2, applying) == .accepts && !accepted.isSettled)
    #expect(shows(7, 2, applying) && accepted.isSettled && accepted.shown == Self.value(7, 2))
    #expect(take(7, 3) == .drops && !shows(7, 2))
  }

  @Test("A message without a number is accepted on arrival, and the numbers go on from the last one")
  mutating func unused() {
    let order = NumberOrder(OrderRule(unused: 0), bits: 8)
    #expect(take(200, 1, order) == .accepts && take(0, 2, order) == .accepts && accepted.base == 200)
    #expect(take(199, 3, order) == .drops && take(201, 4, order) == .accepts)
    #expect(shows(0, 2, order) && shows(201, 4, order) && accepted.isSettled)
  }

  @Test("A flood of noise fills a bounded number of pending messages, and later ones are accepted or dropped")
  mutating func noise() {
    let order = NumberOrder(OrderRule(.window(size: 20, wraps: true)), bits: 32)
    for number in 0..<3_000 { _ = take(UInt64(number * 1_000_003) & order.last, 0, order, mayBeDropped: true) }
    #expect(accepted.pending.count <= 1_024)
    #expect(take(5, 0, order) == .either && accepted.isSettled)
  }
}
