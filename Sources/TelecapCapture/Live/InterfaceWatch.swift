/// Reports when an interface goes down, loses its carrier, and comes back, because libpcap misses packets then without
/// an error. If the system notifies of each change, even short ones are reported; otherwise the state is polled once a
/// second.
public struct InterfaceWatch {
  private let name: String
  private let index: Int
  private let news = InterfaceNews()
  private var history = InterfaceHistory()
  private var next = ContinuousClock.now
  /// The sentence for the first call of `look`.
  private var beginning: [String] = []

  /// Watches this interface, or all with `any`. Devices that are not network interfaces, such as Bluetooth, have no
  /// state and no reports.
  public init(_ name: String) {
    self.name = name
    index = name == LiveCapture.all ? 0 : NetworkInterface.index(of: name)
    // Read the initial states, so that events before the first `look` are changes.
    for report in reports(isAsked: true) {
      _ = history.take(report)
      guard report.index == index, report.state == .withoutCarrier else { continue }
      beginning = ["\(name) has no carrier: nothing comes until it has one"]
    }
  }

  /// The changes since the last call, as sentences in order.
  public mutating func look() -> [String] {
    let isDue = ContinuousClock.now >= next
    if isDue { next = .now + .seconds(1) }
    return changes(isAsked: isDue)
  }

  /// The changes until now, at the end of the watch.
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
