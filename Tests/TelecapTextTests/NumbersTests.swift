import TelecapText
import Testing

@Suite struct NumbersTests {
  @Test(
    "Digits are grouped by three",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567"),
      (-1_000, "-1,000"), (-999, "-999"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func groupsDigitsByThree(value: Int, text: String) {
    #expect(Numbers.grouped(value) == text)
  }

  @Test(
    "Numbers have the given decimals, rounded half away from zero",
    arguments: [
      (0, 0, "0"), (0.5, 0, "1"), (-0.5, 0, "-1"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"),
      (-0.04, 1, "0.0"), (9.999, 2, "10.00"), (1.0625, 3, "1.063"), (12.003, 3, "12.003"),
      (0.000000001, 9, "0.000000001"),
      (999_999_999, 9, "999999999.000000000"), (1e9, 2, "1000000000.0"), (1e300, 2, "1e+300"), (.nan, 2, "nan"),
      (-.infinity, 2, "-inf"),
    ])
  func writesSoManyDecimalsAndRoundsHalfAwayFromZero(value: Double, places: Int, text: String) {
    #expect(Numbers.fixed(value, places) == text)
  }

  @Test(
    "Times have the unit that suits them",
    arguments: [
      (0, "0 ns"), (870, "870 ns"), (999, "999 ns"), (1_000, "1.0 µs"), (12_340, "12.3 µs"), (999_949, "999.9 µs"),
      (999_950, "1.00 ms"), (4_560_000, "4.56 ms"), (999_994_999, "999.99 ms"), (999_995_000, "1.000 s"),
      (1_200_000_000, "1.200 s"), (-1_500, "-1.5 µs"), (Int64.min, "-9223372036.854776 s"),
    ])
  func givesTimesInTheUnitThatSuitsThem(nanoseconds: Int64, text: String) {
    #expect(Numbers.time(nanoseconds) == text)
  }
}
