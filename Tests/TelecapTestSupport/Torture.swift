import Foundation

/// How much of what tests take samples of is tried (`make torture`).
public enum Torture {
  private static let words = ProcessInfo.processInfo.environment["TELECAP_TORTURE"]

  /// Whether everything is tried, not samples.
  public static let isOn = words != nil

  /// Of what takes hours, one part of so many: `TELECAP_TORTURE=3/16` is the third of sixteen; otherwise all.
  public static let part: (number: Int, of: Int) = {
    let numbers = (words ?? "").split(separator: "/").compactMap { Int($0) }
    return numbers.count == 2 && numbers[1] > 0 ? (numbers[0], numbers[1]) : (1, 1)
  }()
}
