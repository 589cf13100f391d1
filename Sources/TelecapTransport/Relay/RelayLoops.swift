import TelecapRecording

/// Finds relays that forward to themselves, directly or through others, which would forward packets forever.
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

  /// The relays that a packet passes, from the last one of `path` until it is back at the first; nil without such a
  /// ring.
  private func ring(from relay: Int, _ path: [Int]) -> [Int]? {
    if relay == path.first { return path }
    if path.contains(relay) { return nil }
    for (next, other) in relays.enumerated() where reaches(relays[relay].target, other.spec) && isSame(relay, next) {
      if let ring = ring(from: next, path + [relay]) { return ring }
    }
    return nil
  }

  private func isSame(_ first: Int, _ second: Int) -> Bool { relays[first].spec.carrier == relays[second].spec.carrier }

  /// Whether packets to `target` reach the listening address of this relay.
  private func reaches(_ target: Endpoint, _ relay: RelaySpec) -> Bool {
    let (to, at) = (target.address.unmapped, relay.listen.address.unmapped)
    guard target.port == relay.listen.port else { return false }
    // A socket at :: receives both families.
    let isHeard = at.isAny && (at.family == .v6 || to.family == .v4)
    return to == at || isHeard && (to.isLoopback || own.contains(to))
  }
}
