/// Tells when an interface goes down, loses its carrier, and comes back: what it misses then is missed in silence, and libpcap does not
/// say so. Where the system tells each change none is missed, however short; elsewhere it is looked at once a second.
public struct InterfaceWatch {
  private let name: String
  private let index: Int
  private let news = InterfaceNews()
  private var history = InterfaceHistory()
  private var next = ContinuousClock.now
  /// What is to be told at the first look.
  private var beginning: [String] = []

  /// Of this interface; of all with `any`. Those that are no network, as Bluetooth's, have no state, and nothing is told of them.
  public init(_ name: String) {
    self.name = name
    index = name == LiveCapture.all ? 0 : NetworkInterface.index(of: name)
    // So that what happens before the first look is a change.
    for report in reports(isAsked: true) {
      _ = history.take(report)
      guard report.index == index, report.state == .withoutCarrier else { continue }
      beginning = ["\(name) has no carrier: nothing comes until it has one"]
    }
  }

  /// What has changed since the last look, in words and in order.
  public mutating func look() -> [String] {
    let isDue = ContinuousClock.now >= next
    if isDue { next = .now + .seconds(1) }
    return changes(isAsked: isDue)
  }

  /// What has changed until now, where it is not looked at any more.
  public mutating func finish() -> [String] { changes(isAsked: true) }

  private mutating func changes(isAsked: Bool) -> [String] {
    defer { beginning = [] }
    return beginning + reports(isAsked: isAsked).flatMap { history.take($0) }
  }

  private func reports(isAsked: Bool) -> [InterfaceReport] {
    if index == 0, name != LiveCapture.all { return [] }
    if let told = news.take(index, isAsked: isAsked) { return told }
    guard isAsked, let state = NetworkInterface.state(of: name) else { return [] }
    return [InterfaceReport(index: index, name: name, state: state)]
  }
}
