import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges a run by its log alone: what was delivered and what the system showed, not what was meant.
public enum Judge {
  /// How the case came out. `script` and `log` are kept in the result.
  public static func judge(_ log: RunLog, _ script: Script, of case: Case, in scenario: Scenario) -> CaseResult {
    judge(JudgedRun(log, script, scenario), of: `case`, in: scenario)
  }

  /// The same of a run that was read already, by a scenario that does what the run did.
  static func judge(_ run: JudgedRun, of case: Case, in scenario: Scenario) -> CaseResult {
    trusting(run.decoded, judged(run, `case`, scenario)) { log in
      judged(JudgedRun(log, run.script, scenario), `case`, scenario)
    }
  }

  private static func judged(_ whole: JudgedRun, _ case: Case, _ scenario: Scenario) -> CaseResult {
    var result = CaseResult(of: `case`, .pass)
    let log = whole.log
    result.script = whole.script
    result.log = log
    result.measures = whole.measures
    if `case`.impairments != .none { result.rates = rates(whole.script) }
    if log.stoodStill, log.broke != nil {
      result.isTooLate = true
      result.verdict = .inconclusive
      result.reason = log.tooLate ?? "telecap stood still during the run"
      return result
    }
    if let broke = log.broke {
      result.verdict = .fail
      result.isBroken = true
      result.breaches = [Failure(time: broke.time, expected: "the system goes on", observed: broke.reason)]
      return result
    }
    if let reason = log.clockJump ?? (scenario.timeUse == .acts ? log.tooLate : nil) {
      result.isTooLate = true
      result.verdict = .inconclusive
      result.reason = reason
      return result
    }
    var run = whole
    run.scenario = scenario
    let findings = scenario.expectations.map { $0.judge(run) }
    result.sending = run.senderChecks
    result.breaches = Array(findings.flatMap(\.breaches).prefix(JudgedRun.told))
    result.reason = findings.compactMap(\.missing).joined(separator: "; ")
    result.verdict = !result.breaches.isEmpty ? .fail : result.reason.isEmpty ? .pass : .inconclusive
    if result.verdict == .fail { result.reason = "" }
    result.isTooLate = result.verdict == .inconclusive && run.isTimingAmbiguous
    if let ended = log.ended { result.end(at: ended.time, ended.reason) }
    if let undone = log.undone, result.verdict != .pass {
      (result.verdict, result.breaches, result.reason) = (.inconclusive, [], undone)
    }
    if let late = log.tooLate, scenario.timeUse == .judges, result.verdict != .inconclusive {
      (result.verdict, result.breaches, result.reason, result.isTooLate) = (.inconclusive, [], late, true)
    }
    return result
  }

  /// What the network did, counted from the plan.
  private static func rates(_ script: Script) -> AppliedRates {
    var rates = AppliedRates()
    let datagrams = Script.datagrams(of: script.meant)
    for line in script.plan {
      guard let sent = datagrams[line.packet] else { continue }
      rates.count(line, sentAt: sent.time.nanoseconds, isSelected: true)
    }
    return rates
  }
}

extension CaseResult {
  /// The run was over before its end: what was broken until then stays so, and all else is not known.
  fileprivate mutating func end(at time: Timestamp, _ why: String) {
    breaches.removeAll { $0.time.map { $0 > time } ?? true }
    if !breaches.isEmpty { return }
    (verdict, reason) = (.inconclusive, why)
  }
}

/// How one expectation came out: broken, not shown, or neither, which is held.
public struct Outcome: Sendable {
  /// How the system broke it.
  public var breaches: [Failure] = []
  /// What the system did not show, or the run did not try.
  public var missing: String?

  /// Broken in these ways, or lacking this, or held.
  public init(breaches: [Failure] = [], missing: String? = nil) { (self.breaches, self.missing) = (breaches, missing) }

  /// It was kept.
  public static let held = Outcome()

  /// It was broken in this way.
  public static func broken(_ breach: Failure) -> Outcome { Outcome(breaches: [breach]) }

  /// It cannot be judged for want of this.
  public static func missing(_ what: String) -> Outcome { Outcome(missing: what) }

  /// Broken where one of them is, held where all that can be judged are; missing where one is.
  public init(all outcomes: [Outcome]) {
    breaches = outcomes.flatMap(\.breaches)
    missing = outcomes.compactMap(\.missing).first
  }

  /// Held when both are the same.
  public static func same(_ expected: String, _ observed: String, at time: Timestamp) -> Outcome {
    expected == observed ? held : broken(Failure(time: time, expected: expected, observed: observed))
  }
}

/// A run with all that its expectations are judged by: read once for all scenarios that do the same.
public struct JudgedRun: Sendable {
  /// All that happened, with its messages.
  public let decoded: DecodedLog
  /// What was to be done.
  public let script: Script
  var scenario: Scenario
  private(set) var measures = Measures()
  /// What it says of the streams; nil for a part that receives none.
  let oracle: Oracle?
  /// Each time that the system, a client, left its session by itself; none in virtual time, where no model does.
  let leaves: [OwnLeave]
  /// What the run came to by each rule on what the system sends.
  private(set) var sent: [(requirement: String, outcome: Outcome)] = []

  /// Decodes a log and reads it.
  init(_ log: RunLog, _ script: Script, _ scenario: Scenario) {
    self.init(DecodedLog(log, scenario.setup.part.role?.owner), script, scenario)
  }

  /// Reads a log that is decoded.
  init(_ decoded: DecodedLog, _ script: Script, _ scenario: Scenario) {
    let (log, judging) = (decoded.log, scenario.judging)
    (self.decoded, self.script, self.scenario) = (decoded, script, scenario)
    leaves = scenario.setup.part.side == .client ? decoded.leaves : []
    let streams = judging.streams.isEmpty ? nil : judging.read(decoded)
    oracle = streams?.oracle
    if let streams {
      measures = Measures(streams.oracle.fidelity, streams.staleness)
      measures.taken = streams.oracle.taken
      judging.measure(decoded, &measures)
    }
    // A run that broke, or that nothing can be judged by, is not judged by what was sent in it either.
    guard log.broke == nil, log.clockJump == nil, log.undone == nil else { return }
    sent = judging.sending.map { ($0.requirement.id, $0.judge(self)) }
  }

  /// All that happened.
  public var log: RunLog { decoded.log }
  /// The protocol that the system speaks; nil for a device.
  var owner: WireProtocol? { decoded.owner }
  /// Every message that the system sent, streams taken apart.
  public var replies: [LoggedMessage] { decoded.replies }
  /// Every message that was delivered to it, streams taken apart.
  public var delivered: [LoggedMessage] { decoded.delivered }

  /// What the system is.
  public var part: Part { scenario.setup.part }

  /// The events of the system, with their times.
  public func events<T>(_ pick: (PeerEvent) -> T?) -> [(time: Timestamp, value: T)] {
    log.entries.compactMap { entry in
      guard case .event(let event) = entry.what, let value = pick(event) else { return nil }
      return (entry.time, value)
    }
  }

  /// A list in words; the middle of a long one is left out.
  public static func text<T>(_ list: [T]) -> String {
    guard list.count > 24 else { return "[" + list.map { "\($0)" }.joined(separator: ", ") + "]" }
    let head = list.prefix(12).map { "\($0)" }.joined(separator: ", ")
    let tail = list.suffix(6).map { "\($0)" }.joined(separator: ", ")
    return "[\(head), … \(list.count - 18) more …, \(tail)]"
  }

  /// The outcome where the system does not show this; nil where it does.
  public func lacks(_ aspect: Observable) -> Outcome? {
    log.shows.contains(aspect) ? nil : .missing("the system does not show \(aspect.words(owner))")
  }
}

extension Observable {
  /// What it is, in the words of a protocol.
  fileprivate func words(_ owner: WireProtocol?) -> String {
    switch self {
    case .stream(let name): owner?.names(of: name)?.meaning ?? "what it applies of the stream \(name)"
    case .sessions: "when its sessions open and close"
    case .note(let note): note.meaning
    case .tellings: "what it does"
    }
  }
}
