/// The size of a message by the number in its header: words, and the bytes at its start that the number does not count.
struct SaidSize: Hashable, Sendable {
  private let uncounted: UInt64
  private let step: UInt64

  init(_ length: Recognition.Length) {
    (uncounted, step) = (UInt64(length.uncounted), UInt64(length.step))
  }

  /// The size in bytes; `Int.max` for a number that is too large for any message.
  @inline(__always)
  func bytes(_ number: UInt64) -> Int {
    let (words, isTooLong) = number.multipliedReportingOverflow(by: step)
    let (sum, overflow) = words.addingReportingOverflow(uncounted)
    return isTooLong || overflow ? .max : Int(clamping: sum)
  }
}
