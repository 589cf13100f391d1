/// The state of a network interface.
enum InterfaceState: Hashable, Sendable {
  /// It is not enabled.
  case down
  /// It is enabled but has no link: no cable, no network.
  case withoutCarrier
  case up

  init(isUp: Bool, hasCarrier: Bool) { self = !isUp ? .down : hasCarrier ? .up : .withoutCarrier }
}

/// A state of an interface, as the system reports it.
struct InterfaceReport: Hashable, Sendable {
  var index: Int
  var name: String
  var isGone = false
  var state: InterfaceState
  /// The number of times that it lost its carrier since it was created, modulo 2³²; 0 if the system does not count
  /// them.
  var losses: UInt32 = 0
}

/// The changes of interfaces since their first reports, as sentences.
struct InterfaceHistory {
  private var latest: [Int: InterfaceReport] = [:]

  /// The changes with this report; the first report of an interface is not a change.
  mutating func take(_ report: InterfaceReport) -> [String] {
    guard let before = latest[report.index] else {
      if !report.isGone { latest[report.index] = report }
      return []
    }
    guard !report.isGone else {
      latest[report.index] = nil
      return ["\(report.name) is gone: nothing is recorded from it any more"]
    }
    latest[report.index] = report
    return InterfaceHistory.moments(before, report) + InterfaceHistory.change(before, report)
  }

  /// Reports that an interface lost its carrier and had it again before the next report. Not reported if it was
  /// switched off or on.
  private static func moments(_ before: InterfaceReport, _ now: InterfaceReport) -> [String] {
    guard before.state != .down, now.state != .down else { return [] }
    let isSeen = before.state == .up && now.state == .withoutCarrier
    let losses = now.losses &- before.losses
    let unseen = losses > (isSeen ? 1 : 0) ? losses - (isSeen ? 1 : 0) : 0
    guard unseen > 0 else { return [] }
    let times = unseen == 1 ? "" : ", \(unseen) times"
    if before.state == .withoutCarrier, now.state == .withoutCarrier {
      return ["\(now.name) had its carrier for a moment and lost it again\(times)"]
    }
    return ["\(now.name) lost its carrier for a moment\(times)"]
  }

  private static func change(_ before: InterfaceReport, _ now: InterfaceReport) -> [String] {
    let name = now.name
    switch (before.state, now.state) {
    case (.up, .up), (.down, .down), (.withoutCarrier, .withoutCarrier): return []
    case (_, .down): return ["\(name) went down: nothing is recorded until it is up again"]
    case (.down, .up): return ["\(name) is up again"]
    case (.down, .withoutCarrier): return ["\(name) is up again, without a carrier: nothing comes until it has one"]
    case (.up, .withoutCarrier): return ["\(name) lost its carrier: nothing comes until it has it again"]
    case (.withoutCarrier, .up): return ["\(name) has its carrier again"]
    }
  }
}
