import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// Computes the verdict of a run from its log alone: from what was delivered and observed, not from what was sent.
public enum Judge {
  /// The result of the case. `script` and `log` are kept in it.
  public static func judge(_ log: RunLog, _ script: Script, of case: Case, in scenario: Scenario) -> CaseResult {
    judge(JudgedRun(log, script, scenario), of: `case`, in: scenario)
  }

  /// The result of a run that was decoded before, for a scenario with the same steps.
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

  /// The impairments that were applied, counted from the plan.
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
  /// Ends the result early: failures before this time stay, and everything else is inconclusive.
  fileprivate mutating func end(at time: Timestamp, _ why: String) {
    breaches.removeAll { $0.time.map { $0 > time } ?? true }
    if !breaches.isEmpty { return }
    (verdict, reason) = (.inconclusive, why)
  }
}

/// The outcome of one expectation: broken, missing, or neither, which is held.
public struct Outcome: Sendable {
  /// The failures.
  public var breaches: [Failure] = []
  /// The reason why it is inconclusive: not exercised by the run or not observable.
  public var missing: String?

  /// An outcome with these failures, or without an observation of this.
  public init(breaches: [Failure] = [], missing: String? = nil) { (self.breaches, self.missing) = (breaches, missing) }

  /// The expectation was met.
  public static let held = Outcome()

  /// The expectation failed like this.
  public static func broken(_ breach: Failure) -> Outcome { Outcome(breaches: [breach]) }

  /// The outcome is inconclusive without this.
  public static func missing(_ what: String) -> Outcome { Outcome(missing: what) }

  /// Broken where one of them is; otherwise missing where one is, and held where none is.
  public init(all outcomes: [Outcome]) {
    breaches = outcomes.flatMap(\.breaches)
    missing = outcomes.compactMap(\.missing).first
  }

  /// Held when both are the same.
  public static func same(_ expected: String, _ observed: String, at time: Timestamp) -> Outcome {
    expected == observed ? held : broken(Failure(time: time, expected: expected, observed: observed))
  }
}

/// A run and the data for its expectations, read once for all scenarios with the same steps.
public struct JudgedRun: Sendable {
  /// The log with its messages.
  public let decoded: DecodedLog
  /// The script that the run was to carry out.
  public let script: Script
  var scenario: Scenario
  private(set) var measures = Measures()
  /// The results for the streams; nil for a part that receives none.
  let oracle: Oracle?
  /// Each time that the system, a client, left its session by itself; empty in virtual time, since no model does.
  let leaves: [OwnLeave]
  /// The outcome of each rule on what the system sends.
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
    // A run that failed to run has no verdict on what the system sent either.
    guard log.broke == nil, log.clockJump == nil, log.undone == nil else { return }
    sent = judging.sending.map { ($0.requirement.id, $0.judge(self)) }
  }

  /// The log.
  public var log: RunLog { decoded.log }
  /// The protocol of the system; nil for a device.
  var owner: WireProtocol? { decoded.owner }
  /// Every message that the system sent, with byte streams decoded.
  public var replies: [LoggedMessage] { decoded.replies }
  /// Every message that was delivered to it, with byte streams decoded.
  public var delivered: [LoggedMessage] { decoded.delivered }

  /// The tested part.
  public var part: Part { scenario.setup.part }

  /// The events of the system, with their times.
  public func events<T>(_ pick: (PeerEvent) -> T?) -> [(time: Timestamp, value: T)] {
    log.entries.compactMap { entry in
      guard case .event(let event) = entry.what, let value = pick(event) else { return nil }
      return (entry.time, value)
    }
  }

  /// A list as text; a long one without its middle.
  public static func text<T>(_ list: [T]) -> String {
    guard list.count > 24 else { return "[" + list.map { "\($0)" }.joined(separator: ", ") + "]" }
    let head = list.prefix(12).map { "\($0)" }.joined(separator: ", ")
    let tail = list.suffix(6).map { "\($0)" }.joined(separator: ", ")
    return "[\(head), … \(list.count - 18) more …, \(tail)]"
  }

  /// The outcome where the system does not show this observable; nil where it does.
  public func lacks(_ aspect: Observable) -> Outcome? {
    log.shows.contains(aspect) ? nil : .missing("the system does not show \(aspect.words(owner))")
  }
}

extension Observable {
  /// Its name in the words of a protocol.
  fileprivate func words(_ owner: WireProtocol?) -> String {
    switch self {
    case .stream(let name): owner?.names(of: name)?.meaning ?? "what it applies of the stream \(name)"
    case .sessions: "when its sessions open and close"
    case .note(let note): note.meaning
    case .tellings: "what it does"
    }
  }
}
