import TelecapImpairment
import TelecapTransport
import TelecapWire

/// Changes the network of a relay by keys of a terminal.
struct RelayKeys: Sendable {
  /// The directions to which a new network applies if there was none before.
  struct Ways: Sendable {
    var up: Bool
    var down: Bool
  }

  let desk: RelayController
  let ways: Ways
  /// The protocols whose messages a network can change.
  let protocols: [WireProtocol]
  /// Is called with the help of the keys, and with each change of the network.
  let tell: @Sendable (String) -> Void

  /// Handles keys while `body` runs, where the standard input is a terminal.
  ///
  /// - Throws: errors of `body`.
  func follow<Value: Sendable>(during body: () async throws -> Value) async throws -> Value {
    guard let keys = TerminalKeys() else { return try await body() }
    defer { keys.end() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await follow(keys) }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  private func follow(_ keys: TerminalKeys) async {
    while desk.network == nil, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
    tell(RelayKey.help)
    while !Task.isCancelled {
      let pressed = keys.pressed()
      let known = pressed.compactMap { RelayKey(rawValue: $0) }
      if known.count < pressed.count { tell(RelayKey.help) }
      for key in known { await press(key) }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func press(_ key: RelayKey) async {
    if key == .quit { return StopFlag.signals.raise() }
    do {
      guard let former = desk.network else { throw RelayDeskError.notRunning }
      let changed = key.changed(former.asked)
      if changed == former.asked { return tell("the network stays as it was") }
      try await desk.play(network(changed, after: former))
      tell("network changed: \(changed.asked.isEmpty ? "nothing is done any more" : "\(changed)")")
    } catch {
      tell("the network stays as it was: \(error)")
    }
  }

  /// The new network, for the directions of the former one.
  private func network(_ asked: Impairments, after former: RelayNetwork) throws(FieldProblem) -> RelayNetwork {
    let struck = Ways(up: !former.up.asked.isEmpty, down: !former.down.asked.isEmpty)
    let ways = former.asked.asked.isEmpty ? ways : struck
    return try RelayNetwork(
      up: ways.up ? asked : .none, down: ways.down ? asked : .none, seed: former.seed, protocols, faults: former.faults)
  }
}
