import TelecapImpairment
import TelecapRecording

/// A failure of a requirement: expected, observed, and the time.
public struct Failure: Hashable, Sendable {
  /// The time at which it was observed, since the start of the run; nil for a failure without a time.
  public var time: Timestamp?
  /// The number of the last packet delivered before it; 0 without one.
  public var packet: Int
  /// The expected behaviour, in words.
  public var expected: String
  /// The observed behaviour, in words.
  public var observed: String

  /// A failure with these values.
  public init(time: Timestamp? = nil, packet: Int = 0, expected: String, observed: String) {
    self.time = time
    self.packet = packet
    self.expected = expected
    self.observed = observed
  }
}

/// The measurements of a run; nil where one was not possible.
public struct Measures: Hashable, Sendable {
  /// Counts of sent, delivered and applied messages.
  public var fidelity = Fidelity()
  /// The age of information, in ns: mean, not exceeded for 99 % of the time, largest.
  public var ageMean: Nanoseconds?
  /// Not exceeded for 99 % of the time.
  public var ageP99: Nanoseconds?
  /// The largest.
  public var agePeak: Nanoseconds?
  /// The share of time in which the applied value was stale, 0…1.
  public var staleShare: Double?
  /// The largest distance between the newest pose sent and the one applied, in mm.
  public var poseError: Double?
  /// The largest angle between the newest pose sent and the one applied, in degrees.
  public var poseAngle: Double?
  /// The largest jump, in mm, between two applied poses of which the later belongs to a movement whose first pose was
  /// lost or late.
  public var jump: Double?
  /// The distance at the end between the pointer and its position without any loss, in counts.
  public var pointerError: Int?
  /// The initial values and limits that were read from the system's output and used for its verdict.
  public var taken: [Taken] = []

  /// No measurements.
  public init() {}

  /// The measurements of every receiver of streams.
  init(_ fidelity: Fidelity, _ staleness: Staleness) {
    self.fidelity = fidelity
    ageMean = staleness.mean
    ageP99 = staleness.p99
    if ageMean != nil { agePeak = staleness.peak }
    staleShare = staleness.staleShare
  }
}

/// A value that was read from a system's output and used for its verdict.
public struct Taken: Hashable, Sendable {
  /// The name of the value.
  public var name: String
  /// The value as text.
  public var words: String

  /// A value with this name.
  public init(_ name: String, _ words: String) { (self.name, self.words) = (name, words) }
}

extension Failure: CustomStringConvertible {
  /// `expected strength 0.5, observed strength 0.25, after packet 7, at 1250000000 ns`; the time is that of the run's clock.
  public var description: String {
    "expected \(expected), observed \(observed), after packet \(packet)"
      + (time.map { ", at \($0.nanoseconds) ns" } ?? "")
  }
}

/// One case of a scenario: one combination of impairments with one seed.
public struct Case: Hashable, Sendable, CustomStringConvertible {
  /// The impairments.
  public var impairments: Impairments
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The size in bytes of the pieces into which TCP streams are cut; nil leaves each write whole.
  public var pieces: Int?

  /// A case of these values.
  public init(impairments: Impairments = .none, seed: UInt64 = 1, pieces: Int? = nil) {
    self.impairments = impairments
    self.seed = seed
    self.pieces = pieces
  }

  /// `--loss 5% --stall 1s@3s --seed 2`: the impairments as options, and the seed.
  public var description: String {
    var words = impairments == .none ? [] : [impairments.description]
    if let pieces { words.append("--pieces \(pieces)") }
    words.append("--seed \(seed)")
    return words.joined(separator: " ")
  }
}

/// The result of one case.
public struct CaseResult: Sendable {
  /// The case.
  public var `case`: Case
  /// The verdict.
  public var verdict: Verdict
  /// The failures of the requirement, the first ones in order of time.
  public var breaches: [Failure] = []
  /// The reason why it is inconclusive, unsupported or not run; empty otherwise.
  public var reason = ""
  /// The results of all rules on what the system sends, in any scenario.
  public var sending: [SenderCheck] = []
  /// Whether the system crashed, hung or flooded, so that the run has no answer.
  public var isBroken = false
  /// Whether the machine was too busy for a verdict; another run may have one.
  public var isTooLate = false
  /// The verdict without unverified rules; nil where it rests on none.
  public var doubt: UnverifiedVerdict?
  /// The measurements.
  public var measures = Measures()
  /// The impairment rates that resulted, next to the requested ones; nil without impairments.
  public var rates: AppliedRates?
  /// The duration on the wall clock in ns; 0 where it was not measured.
  public var duration: Nanoseconds = 0
  /// The script with the plan.
  public var script: Script?
  /// The log: the timeline of sent, delivered and applied values, and the traffic. Kept for the case that a report
  /// shows.
  public var log: RunLog?

  /// A result.
  public init(of case: Case, _ verdict: Verdict, reason: String = "") {
    self.case = `case`
    self.verdict = verdict
    self.reason = reason
  }
}
