import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

/// RFC 1982 over 16 bits.
@Suite struct SerialNumberTests {
  @Test(
    "Newer is 1 to 32767 ahead",
    arguments: [
      (0, 0, false), (1, 0, true), (0, 1, false), (32_767, 0, true), (32_768, 0, false), (0, 32_768, false),
      (32_769, 0, false), (0, 32_769, true), (0, 65_535, true), (65_535, 0, false), (32_766, 65_535, true),
      (32_767, 65_535, false), (65_535, 32_767, false), (65_535, 32_768, true), (100, 65_500, true),
    ] as [(UInt16, UInt16, Bool)])
  func table(_ a: UInt16, _ b: UInt16, _ newer: Bool) {
    #expect(SerialNumber.isNewer(a, than: b) == newer)
  }

  @Test("One of two numbers is newer, except if they are equal or exactly opposite")
  func antisymmetric() {
    var random = SplitMix64(seed: 1982)
    for _ in 0..<10_000 {
      let a = UInt16.random(in: 0...65_535, using: &random)
      let b = UInt16.random(in: 0...65_535, using: &random)
      let either = SerialNumber.isNewer(a, than: b) != SerialNumber.isNewer(b, than: a)
      #expect(either == (a != b && a &- b != 32_768))
    }
  }
}

@Suite struct SequenceTrackerTests {
  @Test(
    "Each number is next, a gap, late or a duplicate, relative to those before it",
    arguments: [
      ([5], [.next]), ([5, 6, 7], [.next, .next, .next]), ([5, 7], [.next, .gap(missing: 1)]),
      ([5, 5], [.next, .duplicate]), ([5, 7, 6, 6], [.next, .gap(missing: 1), .late, .duplicate]),
      ([65_534, 65_535, 0, 1], [.next, .next, .next, .next]), ([65_535, 2], [.next, .gap(missing: 2)]),
      ([0, 65_535], [.next, .late]), ([0, 32_767], [.next, .gap(missing: 32_766)]), ([0, 32_768], [.next, .late]),
      ([0, 63, 0], [.next, .gap(missing: 62), .duplicate]),
      // 64 back is forgotten: it can only be called late.
      ([0, 64, 0], [.next, .gap(missing: 63), .late]),
    ] as [([UInt64], [SequenceTracker.Arrival])])
  func verdicts(_ numbers: [UInt64], _ expected: [SequenceTracker.Arrival]) {
    var tracker = SequenceTracker()
    #expect(numbers.map { tracker.receive($0) } == expected)
  }

  @Test("A number before the first one does not count as missing")
  func beforeTheFirst() {
    var tracker = SequenceTracker()
    for seq in [10, 12, 9] as [UInt64] { _ = tracker.receive(seq) }
    #expect(tracker.missing == 1)
    _ = tracker.receive(11)
    #expect(tracker.missing == 0)
    #expect(tracker.newest == 12)
  }

  /// The same said plainly, with memory that grows.
  struct NaiveModel {
    var first = 0
    var newest: Int?
    var seen: Set<Int> = []

    var missing: Int { newest.map { $0 - first + 1 - seen.count { $0 >= first } } ?? 0 }

    mutating func receive(_ seq: UInt16) -> SequenceTracker.Arrival {
      guard let last = newest else {
        (first, newest, seen) = (Int(seq), Int(seq), [Int(seq)])
        return .next
      }
      let step = Int(Int16(bitPattern: seq &- UInt16(truncatingIfNeeded: last)))
      let number = last + step
      if step > 0 {
        newest = number
        seen.insert(number)
        return step == 1 ? .next : .gap(missing: step - 1)
      }
      guard step > -64 else { return .late }
      return seen.insert(number).inserted ? .late : .duplicate
    }
  }

  @Test("Random arrivals, over 65535 → 0, agree with the naive model", arguments: 1...20 as ClosedRange<UInt64>)
  func againstTheModel(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var tracker = SequenceTracker()
    var model = NaiveModel()
    var next = UInt16.random(in: 65_000...65_535, using: &random)
    for index in 0..<3_000 {
      let jump = Int.random(in: 0...99, using: &random)
      let step =
        jump < 60
        ? 1 : jump < 98 ? Int.random(in: -80...40, using: &random) : Int.random(in: 0...40_000, using: &random)
      next = UInt16(truncatingIfNeeded: Int(next) + step)
      let verdict = tracker.receive(UInt64(next))
      let expected = model.receive(next)
      guard verdict == expected else {
        Issue.record("arrival \(index), seq \(next): \(verdict), the model says \(expected)")
        return
      }
      #expect(tracker.newest == model.newest.map { UInt64(UInt16(truncatingIfNeeded: $0)) })
      if index.isMultiple(of: 100) { #expect(tracker.missing == model.missing) }
      next = tracker.newest.map { UInt16(truncatingIfNeeded: $0) } ?? next
    }
    #expect(tracker.missing == model.missing)
  }
}
