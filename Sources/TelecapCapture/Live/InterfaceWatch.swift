/// Looks once a second whether an interface is up: one that goes down is heard no more, and libpcap does not say so.
public struct InterfaceWatch {
  private let name: String
  private var isUp: Bool?
  private var next = ContinuousClock.now

  /// Of this interface, which is up; `any` and others without a state of their own are always so.
  public init(_ name: String) {
    self.name = name
    isUp = NetworkInterface.isUp(name)
  }

  /// What has changed since the last look, in words; nil when nothing has.
  public mutating func look() -> String? {
    guard ContinuousClock.now >= next else { return nil }
    next = .now + .seconds(1)
    let now = NetworkInterface.isUp(name)
    guard let before = isUp, let now, now != before else { return nil }
    isUp = now
    return now ? "\(name) is up again" : "\(name) went down: nothing is recorded until it is up again"
  }
}
