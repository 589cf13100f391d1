import TelecapImpairment
import TelecapTransport

/// The network of a relay that is read again at each SIGHUP.
public struct ReadNetwork: Sendable {
  private let desk: RelayController
  private let read: @Sendable () throws -> RelayNetwork
  private let tell: @Sendable (String) -> Void

  /// The network of this controller's relay.
  ///
  /// - Parameters:
  ///   - read: reads it from its file.
  ///   - tell: is called with each change, or the reason why there is none.
  public init(
    _ desk: RelayController, read: @escaping @Sendable () throws -> RelayNetwork,
    tell: @escaping @Sendable (String) -> Void
  ) {
    (self.desk, self.read, self.tell) = (desk, read, tell)
  }

  /// Handles SIGHUP while `body` runs.
  ///
  /// - Throws: errors of `body`.
  public func follow<Value: Sendable>(during body: () async throws -> Value) async throws -> Value {
    let requests = HangUps()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await follow(requests) }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  private func follow(_ requests: HangUps) async {
    var seen = requests.count
    while !Task.isCancelled {
      let count = requests.count
      if count != seen { await readAnew() }
      seen = count
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func readAnew() async {
    do {
      let network = try read()
      try await desk.play(network)
      let asked = network.up.asked.isEmpty ? network.down : network.up
      tell("network read anew: \(asked.asked.isEmpty ? "nothing is done any more" : "\(asked)")")
    } catch {
      tell("the network stays as it was: \(error)")
    }
  }
}
