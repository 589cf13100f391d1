import DequeModule

/// The counted sequence numbers, by which a receiver detects duplicates: the newest ones, at most half of all numbers,
/// since numbers wrap.
struct CountedNumbers: Sendable {
  /// The history of a number.
  enum Finding {
    /// It was not counted before.
    case new
    /// It was counted before.
    case counted
    /// A message with this number came that may have been dropped.
    case doubtful
  }

  /// The numbers, and whether each was certainly counted.
  private var isSure: [UInt64: Bool] = [:]
  private var inOrder: Deque<UInt64> = []

  /// The maximum number of stored numbers.
  private static let most = 1_024

  /// Whether a message of this number was counted before.
  func isCounted(_ number: UInt64) -> Bool { isSure[number] != nil }

  /// Counts a message with a number of this many bits, unless it came before; `mayBeDropped` where a receiver may drop
  /// it.
  mutating func count(_ number: UInt64, bits: Int, mayBeDropped: Bool = false) -> Finding {
    if let isSure = isSure[number] {
      if !mayBeDropped { self.isSure[number] = true }
      return isSure ? .counted : .doubtful
    }
    isSure[number] = !mayBeDropped
    inOrder.append(number)
    if inOrder.count > min(CountedNumbers.most, 1 << (min(bits, 32) - 1)) { isSure[inOrder.removeFirst()] = nil }
    return .new
  }
}
