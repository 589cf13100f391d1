import TelecapRecording
import TelecapTele
import TelecapWire

/// Searches for announced hosts, by beacons and by mDNS.
public struct Search: Sendable {
  private let beaconPort: UInt16
  private let tell: @Sendable (String) -> Void

  /// A search for beacons at the port in `ports`, and for services. `tell` reports errors of receiving.
  public init(_ ports: Ports, tell: @escaping @Sendable (String) -> Void) {
    (beaconPort, self.tell) = (ports.teleBeacon, tell)
  }

  /// Advice for a search without a result.
  public var advice: String {
    "beacons arrive at udp port \(beaconPort), mDNS at \(MulticastDNS.mDNSPort): check that no firewall blocks them"
  }

  /// Searches for this time, in ns, or until `stop` is raised.
  ///
  /// - Parameter found: is called with each host once.
  /// - Returns: the number of hosts.
  /// - Throws: `RelayError.cannotListen`; errors of `found`.
  public func run(for duration: Nanoseconds, stop: StopFlag, _ found: (Found) throws -> Void) async throws -> Int {
    let (hosts, host) = AsyncStream.makeStream(of: Found.self)
    let ear = try await BeaconListener.open(at: beaconPort) { host.yield($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { await services { host.yield($0) } }
      group.addTask {
        let end = ContinuousClock.now + .nanoseconds(duration)
        while !Task.isCancelled, !stop.isRaised, ContinuousClock.now < end {
          try? await Task.sleep(for: .milliseconds(20))
        }
        let others = await ear.close()
        if others > 0 { tell("at udp port \(beaconPort) came \(others) that \(others == 1 ? "is" : "are") no beacon") }
        host.finish()
      }
      var seen: Set<Found> = []
      for await one in hosts where seen.insert(one).inserted { try found(one) }
      return seen.count
    }
  }

  /// The first host with this transport, any if nil, within this time, in ns, or until `stop` is raised; nil where
  /// there is none.
  ///
  /// - Throws: `RelayError.cannotListen`.
  public func first(for duration: Nanoseconds, stop: StopFlag, over carrier: Carrier?) async throws -> Found? {
    do {
      _ = try await run(for: duration, stop: stop) { found in
        if found.isReachable, carrier ?? found.carrier == found.carrier { throw Enough(found: found) }
      }
      return nil
    } catch let enough as Enough {
      return enough.found
    }
  }

  /// The searched host is found.
  private struct Enough: Error { let found: Found }

  private func services(_ found: (Found) -> Void) async {
    let system = MulticastDNS.ofThisSystem
    var lines = system.lines
    let ending = await ServiceProgram.run(system.searching, advice: system.advice) { line in
      if let one = lines.read(line) { found(one) }
    }
    if let ending { tell("nothing is heard by mDNS: \(ending)") }
  }
}
