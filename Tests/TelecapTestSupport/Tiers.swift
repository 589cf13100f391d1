import Foundation
import TelecapRecording
import Testing

/// The tier of a test. A test without one is fast: in process, without a socket, a program or the wall clock.
///
/// `swift test` (6.3) cannot select tests by tag, so the tier is a trait that skips:
/// - `TELECAP_TIERS=fast` skips `.real` and `.deep` tests, and fails others that start a program, but those of `.smoke`,
/// - `TELECAP_DEEP=3/8` also runs the third of eight parts of the deep tests, `TELECAP_DEEP=1/1` all of them,
/// - without either variable the fast and the real tests run.
public struct Tier: TestTrait, SuiteTrait {
  enum Kind { case smoke, real, deep }

  let kind: Kind
  /// Why the test cannot be fast.
  let reason: String

  public var isRecursive: Bool { true }

  /// Skips the test unless its tier is selected.
  public func prepare(for test: Test) async throws {
    _ = TestThreads.areMore
    guard !isSelected(test) else { return }
    let comment: Comment = kind == .real ? "TELECAP_TIERS=fast" : "deep: runs with TELECAP_DEEP=1/1 (make check-deep)"
    try await ConditionTrait.enabled(if: false, comment).prepare(for: test)
  }

  private func isSelected(_ test: Test) -> Bool {
    switch kind {
    case .smoke: true
    case .real: !Tier.isFastOnly
    case .deep: !Tier.isFastOnly && (test.isSuite ? Tier.part != nil : Tier.part?.contains(test) ?? false)
    }
  }

  /// Fails the running test where it is a fast one: it is to start no program.
  static func recordProgram(sourceLocation: SourceLocation = #_sourceLocation) {
    guard isFastOnly, let test = Test.current, !test.traits.contains(where: { ($0 as? Tier)?.kind == .smoke }) else {
      return
    }
    Issue.record("a fast test starts a program: mark its suite .real(\"why\")", sourceLocation: sourceLocation)
  }

  /// Whether deep tests run, all or a part of them.
  public static var isDeep: Bool { part != nil }

  private static let isFastOnly = ProcessInfo.processInfo.environment["TELECAP_TIERS"] == "fast"
  fileprivate static let part = Part(ProcessInfo.processInfo.environment["TELECAP_DEEP"] ?? "")

  /// One part of the deep tests. The name of a test decides its part, so that a part is the same on every machine.
  fileprivate struct Part {
    let number: Int
    let count: Int

    init?(_ text: String) {
      let numbers = text.split(separator: "/").compactMap { Int($0) }
      guard numbers.count == 2, (1...numbers[1]).contains(numbers[0]) else { return nil }
      (number, count) = (numbers[0], numbers[1])
    }

    func contains(_ test: Test) -> Bool {
      let name = "\(test.sourceLocation.fileID)/\(test.name)"
      return Int(FNV1a(name).value >> 32) % count == number - 1
    }
  }
}

extension Trait where Self == Tier {
  /// Runs the built program, in every tier: some sixty tests that show that it works at all.
  public static var smoke: Tier { Tier(kind: .smoke, reason: "runs the program") }

  /// Uses sockets, programs or the wall clock.
  public static func real(_ reason: String) -> Tier { Tier(kind: .real, reason: reason) }

  /// Takes long: mutants by the thousand, `learn` with programs, exhaustive runs.
  public static func deep(_ reason: String) -> Tier { Tier(kind: .deep, reason: reason) }
}

/// Test cases of a test that has too many for each run: every `step`th of them, or the selected part of all where deep tests
/// run (`TELECAP_DEEP`).
public func sampled<Case>(_ cases: [Case], oneIn step: Int) -> [Case] {
  let (first, step) = Tier.part.map { ($0.number - 1, $0.count) } ?? (0, step)
  return stride(from: first, to: cases.count, by: step).map { cases[$0] }
}
