import TelecapText

/// A probability in whole billionths: 0 % never happens and 100 % always does, exactly, and the text form is exact too.
public struct Probability: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 0…1,000,000,000.
  public let billionths: UInt64

  /// A probability in billionths; at most a billion.
  public init(billionths: UInt64) { self.billionths = min(billionths, Probability.one) }

  /// A probability in percent; at most 100.
  public init(percent: UInt64) { self.init(billionths: min(percent, 100) * 10_000_000) }

  /// 0 %.
  public static let never = Probability(billionths: 0)
  /// 100 %.
  public static let always = Probability(billionths: one)

  static let one: UInt64 = 1_000_000_000

  /// 1 − this probability.
  public var complement: Probability { Probability(billionths: Probability.one - billionths) }

  /// 0…1, for reports and theory; not used in decisions.
  public var fraction: Double { Double(billionths) / Double(Probability.one) }

  /// Whether 64 uniform bits are below this probability.
  @inline(__always)
  public func happens(_ bits: UInt64) -> Bool {
    bits.multipliedFullWidth(by: Probability.one).high < billionths
  }

  /// Whether `left` is less likely.
  public static func < (left: Probability, right: Probability) -> Bool { left.billionths < right.billionths }

  /// The percentage without trailing zeros: `5%`, `0.1%`.
  public var description: String { DecimalText.text(billionths, scale: 10_000_000) + "%" }
}

extension Probability {
  /// Parses `5%`, `0.1%` or `0.05`. A bare whole number other than 0 is rejected: `1` might mean 1 % or 100 %.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let expected = "a probability from 0% to 100%, such as 5% or 0.05"
    let given = text.trimmed
    let isPercent = given.hasSuffix("%")
    let digits = isPercent ? given.dropLast() : given[...]
    let parsed: UInt64
    do {
      parsed = try DecimalText.parse(digits, scale: isPercent ? 10_000_000 : Probability.one)
    } catch .notANumber {
      throw ImpairmentSyntaxError(given, "is not a probability", expected: expected)
    } catch .tooFine {
      throw ImpairmentSyntaxError(given, "is finer than a billionth", expected: expected)
    } catch {
      throw ImpairmentSyntaxError(given, "is more than 100%", expected: expected)
    }
    if !isPercent, parsed != 0, !digits.contains(".") {
      throw ImpairmentSyntaxError(given, "has no percent sign", expected: expected)
    }
    guard parsed <= Probability.one else {
      throw ImpairmentSyntaxError(given, "is more than 100%", expected: expected)
    }
    self.init(billionths: parsed)
  }
}
