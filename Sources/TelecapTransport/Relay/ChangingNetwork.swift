import TelecapImpairment
import TelecapLoop
import TelecapRecording

/// One way through a network that can become another while it is played: what is on its way arrives as it was to.
struct ChangingNetwork {
  /// A network: what it plans, and what changes messages for it.
  struct Played {
    var planner: LivePlanner
    let changer: MessageChanger
    /// What was asked for, as it is told.
    let asked: Impairments
  }

  private var played: Played
  /// The networks of before, for as long as something of theirs is on its way.
  private var former: [Played] = []
  /// What those did of which nothing is on its way any more, and how many there were.
  private var past = NetworkTotals()
  private var changes = 0

  init(_ played: Played) { self.played = played }

  /// So many networks of before may have something on its way.
  static let mostFormer = 64

  /// What changes messages for the network that is played now.
  var changer: MessageChanger { played.changer }

  /// Becomes another network for what comes from now on. False where too many networks of before still have something on its way.
  mutating func play(_ next: Played) -> Bool {
    retire()
    guard former.count < ChangingNetwork.mostFormer else { return false }
    former.append(played)
    (played, changes) = (next, changes + 1)
    retire()
    return true
  }

  /// Forgets networks of which nothing is on its way, but for what they did.
  private mutating func retire() {
    for one in former where one.planner.nextWake == nil { past.add(one.planner.rates) }
    former.removeAll { $0.planner.nextWake == nil }
  }

  /// What it did so far.
  /// - Parameters:
  ///   - unit: what comes.
  ///   - waiting: how many are on their way.
  ///   - isUnderstood: whether it is known which protocol they speak.
  func account(of unit: NetworkAccount.Unit, waiting: Int, isUnderstood: Bool) -> NetworkAccount {
    var totals = past
    for one in former + [played] { totals.add(one.planner.rates) }
    let rates = played.planner.rates
    return NetworkAccount(
      unit: unit, impairments: played.asked, rates: rates,
      withoutEffect: played.changer.withoutEffect(rates), waiting: waiting, isUnderstood: isUnderstood, totals: totals,
      changes: changes)
  }

  /// When something leaves next, ns; nil while nothing waits.
  var nextWake: Nanoseconds? { (former.map(\.planner.nextWake) + [played.planner.nextWake]).compactMap(\.self).min() }

  /// Decides on the next packet; `settled` is given each line of which nothing waits any more: how many copies there are, each of which departs once, and what is changed in all of them.
  mutating func take(
    _ packet: PlannedPacket, changing: (RequestedChanges) -> FieldChanges = { _ in FieldChanges() },
    settled: (PlanLine) -> Void = { _ in }
  ) -> (copies: Int, changes: FieldChanges) {
    played.planner.take(packet, changing: changing, settled: settled)
  }

  /// Hands on what is due by `now`, ns: what networks of before decided on, then what this one did, each in the order of the times.
  mutating func leave(
    by now: Nanoseconds, settled: (PlanLine) -> Void = { _ in }, _ body: (LivePlanner.Departure) -> Void
  ) {
    for place in former.indices { former[place].planner.leave(by: now, settled: settled, body) }
    played.planner.leave(by: now, settled: settled, body)
    if !former.isEmpty { retire() }
  }
}
