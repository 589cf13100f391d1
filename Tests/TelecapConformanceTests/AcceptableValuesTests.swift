import TelecapWire
import Testing

@testable import TelecapConformance

@Suite("The values that a receiver may show") struct AcceptableValuesTests {
  private static func value(_ number: Double) -> StreamValue { StreamValue(number: nil, values: [number]) }

  @Test("A message that may be dropped adds its value once, and one that changes nothing adds none")
  func bounded() {
    var values = AcceptableValues(Self.value(1))
    // Twice as many with each message would be 10^30 here.
    for _ in 0..<100 { values = values.or(values) }
    #expect(values.others == [])
    for number in [2, 3, 2, 1, 3] as [Double] { values = values.or(AcceptableValues(Self.value(number))) }
    #expect(values.value == Self.value(3))
    #expect(Set(values.others.map(\.values[0])) == [1, 2] && values.others.count == 2)
  }

  @Test("After very many messages that may be dropped any value is acceptable, until one may not be dropped")
  func many() {
    var values = AcceptableValues(Self.value(0))
    for number in 1...AcceptableValues.most { values = values.or(AcceptableValues(Self.value(Double(number)))) }
    #expect(!values.anything && values.others.count == AcceptableValues.most)
    values = values.or(AcceptableValues(Self.value(-1)))
    #expect(values.anything && values.others == [])
  }

  @Test("Nothing is acceptable where nothing was received before")
  func nothing() {
    #expect(AcceptableValues(nil).or(AcceptableValues(Self.value(1))).nothing)
    #expect(!AcceptableValues(Self.value(0)).or(AcceptableValues(Self.value(1))).nothing)
  }
}
