import TelecapRecording

/// Finds relays that pass on to themselves, at once or by way of others: what came in once would go round for ever.
struct RelayLoops {
  /// The addresses of this machine.
  let own: Set<IPAddress>
  private var relays: [(spec: RelaySpec, target: Endpoint)] = []

  init(own: Set<IPAddress> = IPAddress.ofThisMachine()) { self.own = own }

  /// Adds a relay whose target is at `target`.
  ///
  /// - Throws: `RelayError.passesToItself` when it closes a ring.
  mutating func add(_ spec: RelaySpec, to target: Endpoint) throws(RelayError) {
    relays.append((spec, target))
    if let ring = ring(from: relays.count - 1, []) { throw .passesToItself(ring.map { relays[$0].spec }) }
  }

  /// The relays that a packet goes through, from the last one of `path` on, until it is back at the first; nil where it never is.
  private func ring(from relay: Int, _ path: [Int]) -> [Int]? {
    if relay == path.first { return path }
    if path.contains(relay) { return nil }
    for (next, other) in relays.enumerated() where reaches(relays[relay].target, other.spec) && isSame(relay, next) {
      if let ring = ring(from: next, path + [relay]) { return ring }
    }
    return nil
  }

  private func isSame(_ first: Int, _ second: Int) -> Bool { relays[first].spec.carrier == relays[second].spec.carrier }

  /// Whether what is sent to `target` comes to where this relay listens.
  private func reaches(_ target: Endpoint, _ relay: RelaySpec) -> Bool {
    let (to, at) = (target.address.unmapped, relay.listen.address.unmapped)
    guard target.port == relay.listen.port else { return false }
    // A socket at :: hears both families.
    let isHeard = at.isAny && (at.family == .v6 || to.family == .v4)
    return to == at || isHeard && (to.isLoopback || own.contains(to))
  }
}
