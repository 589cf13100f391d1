import TelecapImpairment
import TelecapRecording

/// How a requirement was broken: what was expected, what was observed, and when.
public struct Failure: Hashable, Sendable {
  /// When it showed, since the start of the run; nil where it is no moment.
  public var time: Timestamp?
  /// The number of the packet that was delivered last before it; 0 where it is none.
  public var packet: Int
  /// What the rules allow, in words.
  public var expected: String
  /// What the system showed, in words.
  public var observed: String

  /// A breach of these values.
  public init(time: Timestamp? = nil, packet: Int = 0, expected: String, observed: String) {
    self.time = time
    self.packet = packet
    self.expected = expected
    self.observed = observed
  }
}

/// What was measured in a run, beside the verdict; nil where it could not be.
public struct Measures: Hashable, Sendable {
  /// How much of what was sent took effect.
  public var fidelity = Fidelity()
  /// The age of information, in ns: mean, not exceeded for 99 % of the time, largest.
  public var ageMean: Nanoseconds?
  /// Not exceeded for 99 % of the time.
  public var ageP99: Nanoseconds?
  /// The largest.
  public var agePeak: Nanoseconds?
  /// The share of time in which the applied value was not the newest sent, 0…1.
  public var staleShare: Double?
  /// The largest distance between the newest pose sent and the one applied, in mm.
  public var poseError: Double?
  /// The largest angle between the newest pose sent and the one applied, in degrees.
  public var poseAngle: Double?
  /// The largest jump, in mm, between two applied poses of which the later belongs to a movement whose first pose was
  /// lost or late.
  public var jump: Double?
  /// How far the pointer lies, at the end, from where everything that was sent would have brought it, in counts.
  public var pointerError: Int?
  /// What was read from what the system showed, and it was judged by.
  public var taken: [Taken] = []

  /// Nothing measured.
  public init() {}

  /// What every receiver of streams is measured by.
  init(_ fidelity: Fidelity, _ staleness: Staleness) {
    self.fidelity = fidelity
    ageMean = staleness.mean
    ageP99 = staleness.p99
    if ageMean != nil { agePeak = staleness.peak }
    staleShare = staleness.staleShare
  }
}

/// Something of a system that it is judged by.
public struct Taken: Hashable, Sendable {
  /// What it is.
  public var name: String
  /// What was taken, in words.
  public var words: String

  /// Something that was taken.
  public init(_ name: String, _ words: String) { (self.name, self.words) = (name, words) }
}

extension Failure: CustomStringConvertible {
  /// `expected strength 0.5, observed strength 0.25, after packet 7, at 1250000000 ns`; the time is that of the run's clock.
  public var description: String {
    "expected \(expected), observed \(observed), after packet \(packet)"
      + (time.map { ", at \($0.nanoseconds) ns" } ?? "")
  }
}

/// One case of a scenario: one combination of its grid with one seed.
public struct Case: Hashable, Sendable, CustomStringConvertible {
  /// What the network does.
  public var impairments: Impairments
  /// The random numbers.
  public var seed: UInt64
  /// TCP streams are cut into pieces of so many bytes; nil leaves each write whole.
  public var pieces: Int?

  /// A case of these values.
  public init(impairments: Impairments = .none, seed: UInt64 = 1, pieces: Int? = nil) {
    self.impairments = impairments
    self.seed = seed
    self.pieces = pieces
  }

  /// `--loss 5% --stall 1s@3s --seed 2`: what the network does, as its options, and the seed.
  public var description: String {
    var words = impairments == .none ? [] : [impairments.description]
    if let pieces { words.append("--pieces \(pieces)") }
    words.append("--seed \(seed)")
    return words.joined(separator: " ")
  }
}

/// How one case came out.
public struct CaseResult: Sendable {
  /// Which one.
  public var `case`: Case
  /// How it came out.
  public var verdict: Verdict
  /// How the requirement was broken, the first time first; at most a few.
  public var breaches: [Failure] = []
  /// Why it is inconclusive, unsupported or not run; empty otherwise.
  public var reason = ""
  /// What it came to by the rules on what a system sends, whatever the scenario is about.
  public var sending: [SenderCheck] = []
  /// The system broke (crashed, hung, flooded): a broken run rather than a wrong answer.
  public var isBroken = false
  /// The machine was too busy for it to prove anything: another run may.
  public var isTooLate = false
  /// How it would have come out without what rests on rules that may be wrong; nil where nothing does.
  public var doubt: UnverifiedVerdict?
  /// What was measured.
  public var measures = Measures()
  /// The rates that came out, beside those asked for; nil where nothing was impaired.
  public var rates: AppliedRates?
  /// How long it took on the wall clock, in ns; 0 where nobody looked.
  public var duration: Nanoseconds = 0
  /// What was to be done, with the plan.
  public var script: Script?
  /// What happened: the timeline of sent, delivered and applied values and the wire log. Kept for the case that is shown.
  public var log: RunLog?

  /// A result.
  public init(of case: Case, _ verdict: Verdict, reason: String = "") {
    self.case = `case`
    self.verdict = verdict
    self.reason = reason
  }
}
