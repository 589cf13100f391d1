import TelecapRecording

extension SplitMix64 {
  /// So many random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// Random text of these letters.
  public mutating func string(of alphabet: String, _ count: ClosedRange<Int>) -> String {
    let letters = Array(alphabet)
    return String((0..<Int.random(in: count, using: &self)).map { _ in letters.randomElement(using: &self) ?? " " })
  }
}
