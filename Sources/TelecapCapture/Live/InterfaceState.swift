/// How a network interface is.
enum InterfaceState: Hashable, Sendable {
  /// Nobody switched it on.
  case down
  /// It is on, and nothing is at its other end: no cable, no network.
  case withoutCarrier
  case up

  init(isUp: Bool, hasCarrier: Bool) { self = !isUp ? .down : hasCarrier ? .up : .withoutCarrier }
}

/// What the system tells of an interface.
struct InterfaceReport: Hashable, Sendable {
  var index: Int
  var name: String
  var isGone = false
  var state: InterfaceState
  /// How often it lost its carrier since it was made, modulo 2³²; 0 where the system does not count that.
  var losses: UInt32 = 0
}

/// What became of interfaces since they were first told of, in words.
struct InterfaceHistory {
  private var latest: [Int: InterfaceReport] = [:]

  /// What has changed; the first that is told of an interface is no change.
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

  /// Losses of the carrier that were over before anybody looked. Those that come with going down and coming up are no news.
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
