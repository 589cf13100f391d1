import TelecapImpairment
import TelecapLoop
import TelecapRecording

/// One direction of a network whose impairments can change at run time: packets in flight keep their schedule.
struct ChangingNetwork {
  /// A network: its planner, and its changer of messages.
  struct Played {
    var planner: LivePlanner
    let changer: MessageChanger
    /// The requested impairments, for reports.
    let asked: Impairments
  }

  private var played: Played
  /// Earlier networks with packets in flight.
  private var former: [Played] = []
  /// The totals of earlier networks without packets in flight, and the number of changes.
  private var past = NetworkTotals()
  private var changes = 0

  init(_ played: Played) { self.played = played }

  /// The maximum number of earlier networks with packets in flight.
  static let mostFormer = 64

  /// The changer of messages for the current network.
  var changer: MessageChanger { played.changer }

  /// Switches to another network for new packets. Returns false where too many earlier networks have packets in flight.
  mutating func play(_ next: Played) -> Bool {
    retire()
    guard former.count < ChangingNetwork.mostFormer else { return false }
    former.append(played)
    (played, changes) = (next, changes + 1)
    retire()
    return true
  }

  /// Removes earlier networks without packets in flight, and keeps their totals.
  private mutating func retire() {
    for one in former where one.planner.nextWake == nil { past.add(one.planner.rates) }
    former.removeAll { $0.planner.nextWake == nil }
  }

  /// The account so far.
  /// - Parameters:
  ///   - unit: the unit of the counts.
  ///   - waiting: the number of units in flight.
  ///   - isUnderstood: whether their protocol is known.
  func account(of unit: NetworkAccount.Unit, waiting: Int, isUnderstood: Bool) -> NetworkAccount {
    var totals = past
    for one in former + [played] { totals.add(one.planner.rates) }
    let rates = played.planner.rates
    return NetworkAccount(
      unit: unit, impairments: played.asked, rates: rates,
      withoutEffect: played.changer.withoutEffect(rates), waiting: waiting, isUnderstood: isUnderstood, totals: totals,
      changes: changes)
  }

  /// The next departure in ns; nil without packets in flight.
  var nextWake: Nanoseconds? { (former.map(\.planner.nextWake) + [played.planner.nextWake]).compactMap(\.self).min() }

  /// Decides on the next packet. `settled` is called with each line without packets in flight. Returns the number of
  /// copies, each of which departs once, and the changes in all of them.
  mutating func take(
    _ packet: PlannedPacket, changing: (RequestedChanges) -> FieldChanges = { _ in FieldChanges() },
    settled: (PlanLine) -> Void = { _ in }
  ) -> (copies: Int, changes: FieldChanges) {
    played.planner.take(packet, changing: changing, settled: settled)
  }

  /// Passes on all departures due by `now`, in ns: those of earlier networks, then those of the current one, each in
  /// order of time.
  mutating func leave(
    by now: Nanoseconds, settled: (PlanLine) -> Void = { _ in }, _ body: (LivePlanner.Departure) -> Void
  ) {
    for place in former.indices { former[place].planner.leave(by: now, settled: settled, body) }
    played.planner.leave(by: now, settled: settled, body)
    if !former.isEmpty { retire() }
  }
}
