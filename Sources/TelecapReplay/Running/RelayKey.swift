import TelecapImpairment

/// A key that changes the network of a relay at run time.
public enum RelayKey: Character, CaseIterable, Sendable {
  case lessLoss = "l"
  case moreLoss = "L"
  case lessDelay = "d"
  case moreDelay = "D"
  case lessJitter = "j"
  case moreJitter = "J"
  case clear = "0"
  case quit = "q"

  /// The help for all keys.
  public static let help =
    "keys: l and L loss -1% and +1%, d and D delay -10ms and +10ms, j and J jitter -5ms and +5ms, 0 clears all, q ends"

  /// The network after this key. Loss by a burst model has no single percentage, and stays.
  public func changed(_ network: Impairments) -> Impairments {
    switch self {
    case .lessLoss: RelayKey.loss(network, by: -1)
    case .moreLoss: RelayKey.loss(network, by: 1)
    case .lessDelay: RelayKey.delay(network, \.base, by: -10)
    case .moreDelay: RelayKey.delay(network, \.base, by: 10)
    case .lessJitter: RelayKey.delay(network, \.jitter, by: -5)
    case .moreJitter: RelayKey.delay(network, \.jitter, by: 5)
    case .clear: .none
    case .quit: network
    }
  }

  private static func loss(_ network: Impairments, by percent: Int64) -> Impairments {
    var network = network
    guard case .random(var loss) = network[Loss.self] ?? .random(RandomLoss(.never)) else { return network }
    let billionths = Int64(loss.probability.billionths) + percent * 10_000_000
    loss.probability = Probability(billionths: UInt64(max(0, billionths)))
    network[Loss.self] = loss.probability == .never ? nil : .random(loss)
    return network
  }

  private static func delay(
    _ network: Impairments, _ part: WritableKeyPath<Delay, Interval>, by milliseconds: Int64
  ) -> Impairments {
    var network = network
    var delay = network[Delay.self] ?? Delay(base: .zero)
    delay[keyPath: part] = Interval(nanoseconds: delay[keyPath: part].nanoseconds + milliseconds * 1_000_000)
    network[Delay.self] = delay.base == .zero && delay.jitter == .zero ? nil : delay
    return network
  }
}
