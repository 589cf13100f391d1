import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// Runs every network on the first messages of streams against a receiver in virtual time: each message lost, delivered
/// or duplicated, in each order. Runs share their beginnings: the receiver and the state of the oracle are values,
/// copied where two networks differ.
public struct Explorer: Sendable {
  /// The number of messages of each scenario, 2…8.
  private let most: Int
  /// Whether the search was cancelled.
  public var isBrokenOff: @Sendable () -> Bool = { false }

  /// The allowed numbers of messages.
  public static let bounds = 2...8

  /// An explorer of this many messages.
  public init(messages most: Int) {
    self.most = min(max(most, Explorer.bounds.lowerBound), Explorer.bounds.upperBound)
  }

  /// Explores the streams of these scenarios against this model, equal beginnings once.
  ///
  /// - Parameters:
  ///   - clock: the wall clock in ns.
  ///   - finished: is called with each exploration at its end.
  /// - Throws: `SystemError` where the model does not support a scenario's setup; `CancellationError` when it was
  ///   cancelled.
  public func explore(
    _ model: PartModel, fault: String? = nil, _ scenarios: [Scenario], clock: () -> Nanoseconds = { 0 },
    finished: (Exploration) throws -> Void
  ) throws {
    let system = ModelSystem(model, fault: fault)
    var order: [FirstMessages.Key] = []
    var alike: [FirstMessages.Key: (first: FirstMessages, others: [String])] = [:]
    for scenario in scenarios where scenario.setup.part == model.part {
      // A log shows the initial values and limits of a stream. Our correct model shows them for its mutants too.
      let log = try ModelSystem(model).runNow(scenario.script(for: Case()))
      let shown = scenario.judging.streams(of: log).filter { $0.isShown(in: log) }
      guard let first = FirstMessages(scenario, shown, most: most) else { continue }
      let key = first.key
      if alike[key] == nil { order.append(key) }
      alike[key, default: (first, [])].others.append(scenario.id)
    }
    for key in order {
      guard let (first, ids) = alike[key] else { continue }
      let began = clock()
      guard var exploration = try explore(system, first) else { continue }
      if isBrokenOff() { throw CancellationError() }
      exploration.alike = Array(ids.dropFirst())
      exploration.duration = clock() - began
      try finished(exploration)
    }
  }

  private func explore(_ system: ModelSystem, _ first: FirstMessages) throws -> Exploration? {
    do throws(WireError) {
      return explore(try system.model.make(first.beginning.setup, system.fault), system.name, first)
    } catch {
      throw SystemError("\(system.name): \(error)")
    }
  }

  /// Nil where the first steps open no session for the sender.
  private func explore(_ receiver: some DrivenPeer, _ name: String, _ first: FirstMessages) -> Exploration? {
    let begun = first.beginning.carriedOut(by: receiver, reading: Oracle([first.stream]))
    let peer = VirtualAddresses.endpoint(of: first.peer)
    guard let oracle = begun.reader.stream(first.stream, servedFor: peer) else { return nil }
    let changed = first.changed
    var exploration = Exploration(
      system: name, scenario: first.scenario.id, stream: first.stream.rules.name, messages: first.messages.count,
      values: changed.count)
    for (words, messages) in [("", first.messages)] + changed where !isBrokenOff() {
      // With the original values any message may come twice; with another value only the middle message may.
      var search = Search(
        begun.receiver, oracle, begun.reader.checks, first, messages, peer,
        twice: words.isEmpty ? nil : messages.count / 2, isBrokenOff)
      search.go()
      exploration.runs += search.runs
      exploration.judged += search.judged
      guard let path = search.smallest else { continue }
      let found = search.counterexample(path, words)
      if exploration.smallest.map({ found.isSmaller(than: $0) }) ?? true { exploration.smallest = found }
    }
    return exploration
  }
}

extension JudgedStream {
  /// Whether a receiver showed applied values of it.
  fileprivate func isShown(in log: RunLog) -> Bool {
    var shown = Shown()
    return log.entries.contains { entry in
      guard case .event(let event) = entry.what, let reading = reading(event, &shown) else { return false }
      return reading == .shows || reading == .applies
    }
  }
}

extension Exploration.Counterexample {
  /// Orders by impairments, then by deliveries, then by the indices of messages.
  func isSmaller(than other: Self) -> Bool {
    let (mine, its) = ((faults, delivered.count), (other.faults, other.delivered.count))
    return mine != its ? mine < its : delivered.lexicographicallyPrecedes(other.delivered)
  }
}

/// The checks of all runs of a search, kept once and not copied with its state. A class without a lock, since one
/// thread runs a search.
private final class Tally {
  var checks: CheckList
  /// By the number of the message: the form of its kind in the stream.
  let forms: [Int]

  init(_ checks: CheckList, forms: [Int]) { (self.checks, self.forms) = (checks, forms) }
}

/// Reads the events of a run with the oracle of one stream.
private struct SearchReader: LogReader {
  var oracle: StreamOracle
  let tally: Tally

  @inline(__always)
  mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    switch entry {
    case .delivered(let bytes, let packet, _, let carrier, _):
      oracle.deliver(
        bytes, tally.forms[packet - 1], over: carrier, packet: packet, at: time, sentAt: nil, mayDrop: false,
        &tally.checks)
    case .event(let event): _ = oracle.observe(event, at: time, &tally.checks)
    default: return
    }
  }
}

/// All networks on a few messages, depth first.
private struct Search<Receiver: DrivenPeer> {
  typealias Run = Loop<Receiver, SearchReader, SilentSide>

  /// The interval between deliveries.
  private static var every: Nanoseconds { 1_000_000 }

  private let messages: [[UInt8]]
  private let peer: Endpoint
  private let start: Timestamp
  private let beginning: Run
  private let fresh: CheckList
  let tally: Tally
  private(set) var runs = 0
  private(set) var judged = 0
  /// The deliveries of the smallest failing run, as indices of the messages.
  private(set) var smallest: [Int]?
  private var left: [Int]
  private var path: [Int] = []
  private let isBrokenOff: () -> Bool
  private var isCut = false

  /// - Parameter twice: the only message that may come twice; nil for any.
  init(
    _ receiver: Receiver, _ oracle: StreamOracle, _ checks: CheckList, _ first: FirstMessages, _ messages: [[UInt8]],
    _ peer: Endpoint, twice: Int?, _ isBrokenOff: @escaping () -> Bool
  ) {
    self.isBrokenOff = isBrokenOff
    let dialect = first.scenario.setup.part.role?.owner.dialect(over: .udp)
    let forms = messages.map { bytes in
      dialect.flatMap { first.stream.form(of: MessageDecoder.check(bytes.span.bytes, as: $0).kind) } ?? 0
    }
    (self.messages, self.peer, start, fresh) = (messages, peer, first.time, checks.emptied)
    tally = Tally(checks.emptied, forms: forms)
    beginning = Run(receiver, SearchReader(oracle: oracle, tally: tally), side: SilentSide())
    left = messages.indices.map { twice == nil || $0 == twice ? 2 : 1 }
  }

  mutating func go() { descend(from: beginning, isWrong: false) }

  /// Visits every network that begins with the deliveries of `run`. A failure before the receiver shows anything counts
  /// once it does.
  private mutating func descend(from run: consuming Run, isWrong: Bool) {
    // The last branch takes the run without a copy. A loop, since a closure in generic code costs a tenth of a run.
    var last = messages.count - 1
    while last >= 0, left[last] == 0 { last -= 1 }
    guard last >= 0 else { return }
    for message in 0..<last where left[message] > 0 {
      let copy = copy run
      goOn(copy, by: message, isWrong)
    }
    goOn(run, by: last, isWrong)
  }

  /// Visits the networks in which this message is the next one.
  private mutating func goOn(_ run: consuming Run, by message: Int, _ isWrong: Bool) {
    if isCut { return }
    left[message] -= 1
    path.append(message)
    runs += 1
    // Check for cancellation only now and then, for speed.
    if runs & 0xffff == 0 { isCut = isBrokenOff() }
    let broken = tally.checks.broken
    deliver(message, to: &run)
    let isWrong = isWrong || tally.checks.broken > broken
    let isShown = run.reader.oracle.hasShown
    if isShown { judged += 1 }
    if isWrong, isShown { noteBroken() } else { descend(from: run, isWrong: isWrong) }
    path.removeLast()
    left[message] += 1
  }

  /// Delivers one more message, and reads the events of the receiver.
  @inline(__always)
  private func deliver(_ message: Int, to run: inout Run) {
    let time = start.advanced(byNanoseconds: Int64(path.count) * Search.every)
    let bytes = messages[message]
    run.deliver(bytes.span.bytes, over: .udp, from: peer, at: time, sentAt: time, packet: message + 1)
    run.reader.oracle.pass(to: time.advanced(byNanoseconds: 1), &tally.checks)
  }

  private mutating func noteBroken() {
    let found = Exploration.Counterexample(delivered: path.map { $0 + 1 }, changed: "", broken: [])
    let before = smallest.map { Exploration.Counterexample(delivered: $0.map { $0 + 1 }, changed: "", broken: []) }
    if before.map({ found.isSmaller(than: $0) }) ?? true { smallest = path }
  }

  /// Repeats a run to list the requirements that it fails.
  mutating func counterexample(_ deliveries: [Int], _ changed: String) -> Exploration.Counterexample {
    (tally.checks, path) = (fresh, [])
    var run = beginning
    for message in deliveries {
      path.append(message)
      deliver(message, to: &run)
    }
    return Exploration.Counterexample(
      delivered: deliveries.map { $0 + 1 }, changed: changed, broken: tally.checks.all.filter { $0.breaches > 0 })
  }
}
