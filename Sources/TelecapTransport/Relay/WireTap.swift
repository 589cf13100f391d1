import TelecapRecording
import TelecapWire

/// Keeps what is said with both ends of relays, each as the log of a run in which it is the system under test.
public final class WireTap: RelayConsumer {
  private let logs: EndLogs
  private let probe = LatenessProbe()
  /// The ends, servers first; nothing before the relay has ended.
  public private(set) var ends: [EndLog] = []
  /// How many clients more there were than logs are kept of.
  public private(set) var unheard = 0

  /// Hears ends of which `ports` say what they speak, and `judges` whether what they say is judged: of others nothing is kept.
  public init(_ ports: Ports, judges: @escaping @Sendable (Role) -> Bool) { logs = EndLogs(ports, judges: judges) }

  deinit { probe.end() }

  public var observer: any RelayObserver { logs }
  /// It is known what any of the servers speaks.
  public var knowsProtocol: Bool { logs.knowsProtocol }
  /// Something that is said by any of the ends is judged.
  public var isJudged: Bool { logs.isJudged }
  /// There was more than is kept.
  public var isFull: Bool { logs.isFull }

  public func begin(_ routes: [Relay.Route], _ ports: Ports) {}

  public func goesOn(_ tallies: [RelayTally]) -> Bool { true }

  public func end(_ tallies: [RelayTally]) { (ends, unheard) = logs.finish(lateness: RunLateness(woke: probe.end())) }
}
