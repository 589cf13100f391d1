/// The rule by which the numbers of a stream decide which of two messages is the newer one.
public struct OrderRule: Hashable, Sendable {
  /// How two numbers compare.
  public enum Comparison: Hashable, Sendable {
    /// In serial arithmetic (RFC 1982): newer is what is ahead by less than half of all numbers.
    case serial
    /// Old is what is behind by less than `size`, everything else is newer (ANSI E1.31, 6.7.2, with a size of 20). `wraps`: the largest
    /// number is followed by the first one; otherwise numbers are compared as they are.
    case window(size: UInt64, wraps: Bool)
    /// Newer is what is greater: after the largest number everything is old.
    case greater
    /// The same, but counting may begin anew: after a number of at least `from` every other one is newer, and one of at most `to` is newer
    /// than every other one (WLED, with 250 and 20).
    case restarting(from: UInt64, to: UInt64)
    /// The order of arrival counts; numbers only show what was lost.
    case none
  }

  /// How two numbers compare.
  public var comparison: Comparison
  /// The number of messages that have none, such as 0 in Art-Net and DDP; counting skips it. Nil where each number counts.
  public var unused: UInt64?
  /// A message with the number of the one before it is applied as well.
  public var appliesDuplicates: Bool

  /// A rule of these values.
  public init(_ comparison: Comparison = .serial, unused: UInt64? = nil, appliesDuplicates: Bool = false) {
    (self.comparison, self.unused, self.appliesDuplicates) = (comparison, unused, appliesDuplicates)
  }

  /// Serial arithmetic of all numbers, each of which is applied once.
  public static let serial = OrderRule()
}

extension OrderRule: CustomStringConvertible {
  /// The rule in words: `RFC 1982`, `window 20, unused 0`.
  public var description: String {
    var words: [String] = []
    switch comparison {
    case .serial: words.append("RFC 1982")
    case .window(let size, let wraps): words.append("window \(size)\(wraps ? "" : " without wrapping")")
    case .greater: words.append("the greater is newer")
    case .restarting(let from, let to): words.append("the greater is newer, restarts from \(from) to \(to)")
    case .none: words.append("order of arrival")
    }
    words += unused.map { ["unused \($0)"] } ?? []
    if appliesDuplicates { words.append("duplicates applied") }
    return words.joined(separator: ", ")
  }
}
