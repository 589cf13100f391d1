import TelecapRecording
import TelecapWire

/// Logs the traffic with both peers of relays, each as a run with that peer as the system under test.
public final class WireTap: RelayConsumer {
  private let logs: EndLogs
  private let probe = LatenessProbe()
  /// The peers, servers first; empty before the relay has ended.
  public private(set) var ends: [EndLog] = []
  /// The number of clients beyond the maximum number of logs.
  public private(set) var unheard = 0

  /// Logs peers whose protocol is in `ports` and whose role `judges` selects; others are ignored.
  public init(_ ports: Ports, judges: @escaping @Sendable (Role) -> Bool) { logs = EndLogs(ports, judges: judges) }

  deinit { probe.end() }

  public var observer: any RelayObserver { logs }
  /// Whether the protocol of any server is known.
  public var knowsProtocol: Bool { logs.knowsProtocol }
  /// Whether the traffic of any peer is tested.
  public var isJudged: Bool { logs.isJudged }
  /// Whether there were more events than the maximum.
  public var isFull: Bool { logs.isFull }

  public func begin(_ routes: [Relay.Route], _ ports: Ports) {}

  public func goesOn(_ tallies: [RelayTally]) -> Bool { true }

  public func end(_ tallies: [RelayTally]) { (ends, unheard) = logs.finish(lateness: RunLateness(woke: probe.end())) }
}
