import TelecapImpairment
import TelecapRecording

/// Observes all traffic of a relay. Called on the relay's one thread, in order; a slow observer slows the relay down
/// instead of filling memory.
public protocol RelayObserver: Sendable {
  /// Called before a relay listens whose server is `server` in flows.
  func begins(_ spec: RelaySpec, to server: Endpoint)

  /// Called with bytes from `flow.source` that are forwarded to `flow.destination`. For UDP a datagram; for TCP the
  /// next segment of the byte stream. `time` is when the relay read them.
  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp)

  /// Called when a datagram, the `number`-th of its direction over all clients, has left for `flow.destination`, as
  /// changed by the relay's network. Towards the server it is sent from `local`, this client's own socket there; nil
  /// towards a client. For TCP the next segment of the byte stream.
  func passedOn(_ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp)

  /// Called with an event of a client's TCP connection. `flow` is from its client to the server, except for `finished`.
  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp)
}

extension RelayObserver {
  public func begins(_ spec: RelaySpec, to server: Endpoint) {}
  public func passedOn(
    _ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp
  ) {}
}

/// An event of a relayed TCP connection.
public enum RelayConnectionEvent: Hashable, Sendable {
  /// The client and the server are connected.
  case opened
  /// `flow.source` will send no more (FIN); the other direction stays open.
  case finished
  /// Both directions are closed.
  case closed
  /// The server could not be reached; the client was closed.
  case failed
}

/// The counts of a relay.
///
/// Each client is counted once: a TCP client is a connection, a UDP client an address until it expires after a silence.
/// `clients` are all clients; of these `refused` were rejected, `forgotten` have expired, and (over UDP) the rest is
/// active.
public struct RelayCounts: Sendable {
  /// Forwarded payloads, both directions.
  public var payloads = 0
  /// Their bytes.
  public var bytes = 0
  /// All clients, accepted or not.
  public var clients = 0
  /// Expired clients: idle for too long, or the longest idle of too many.
  public var forgotten = 0
  /// Rejected clients: too many TCP connections, no server, or no descriptor left for them (`DescriptorLimit`). A UDP
  /// client that is accepted at a later attempt is no longer counted.
  public var refused = 0
  /// Datagrams dropped because the next socket's buffer was full, too many waited for the client's socket to open, or
  /// the client was rejected. Of TCP, byte streams that ended before all received bytes were written.
  public var dropped = 0
  /// Received bytes of streams that were not written before the end of their connection; 0 over UDP.
  public var cutBytes = 0
  /// Datagrams that the kernel dropped because a buffer of ours was full; 0 where it does not report them
  /// (`Relay.knowsKernelDrops`).
  public var droppedByKernel = 0
  /// Datagrams, or segments of byte streams, from the clients to the server, and back.
  public var up = RelayWayCounts()
  public var down = RelayWayCounts()
  /// The faults of connections; nil where none were requested.
  public var faults: StreamFaultCounts?
  /// The account of the relay's network for each direction; nil without one.
  public var network: (up: NetworkAccount, down: NetworkAccount)?

  /// All counts are 0.
  public init() {}
}

/// The account of a network for live datagrams, or segments of byte streams, in one direction.
public struct NetworkAccount: Sendable {
  /// The unit of the counts.
  public enum Unit: String, Sendable {
    case datagrams, pieces
  }

  /// The unit of the counts.
  public var unit: Unit
  /// The requested impairments.
  public var impairments: Impairments
  /// The resulting rates.
  public var rates: AppliedRates
  /// Fields that were to be set and are in no message.
  public var withoutEffect: [SetFields.Item]
  /// The number in flight, which is lost when the relay ends.
  public var waiting: Int
  /// Whether their protocol is known: otherwise no field can be changed.
  public var isUnderstood: Bool
  /// The totals of all networks so far; the rates are those of the current one.
  public var totals: NetworkTotals
  /// The number of changes of the network at run time.
  public var changes: Int

  /// A line for each impairment with the resulting rate, and for settings without effect.
  public var lines: [String] {
    rates.account(of: impairments).map(\.description) + withoutEffect.map(\.isInNone)
      + (impairments.changesFields && !isUnderstood
        ? ["no field was changed: no protocol is known at this relay's ports; name them, as with --tele-udp"] : [])
      + (changes > 0
        ? ["changed \(changes) \(changes == 1 ? "time" : "times") while it ran; in all \(totals.words(unit))"] : [])
      + (waiting > 0 ? ["\(waiting) still on their way at the end: lost"] : [])
  }
}

/// The numbers of datagrams, or segments of byte streams, that came in one direction of a relay and that it forwarded.
public struct RelayWayCounts: Hashable, Sendable {
  /// Received ones.
  public var came = 0
  /// Forwarded ones, with each copy.
  public var passedOn = 0
}

/// The totals of several networks.
public struct NetworkTotals: Hashable, Sendable {
  /// Datagrams, or segments, without copies in flight.
  public private(set) var came = 0
  /// Dropped ones.
  public private(set) var dropped = 0
  /// Duplicated ones.
  public private(set) var duplicated = 0
  /// Those with a changed bit or field.
  public private(set) var changed = 0

  /// All totals are 0.
  public init() {}

  /// Adds the rates of one network.
  mutating func add(_ rates: AppliedRates) {
    came += rates.selected
    dropped += rates.selected - rates.delivered
    duplicated += rates.duplicated
    changed += max(rates.corrupted, rates.hostile, rates.set)
  }

  /// The totals as text.
  func words(_ unit: NetworkAccount.Unit) -> String {
    "\(came) \(unit.rawValue)"
      + (unit == .datagrams ? ": \(dropped) dropped, \(duplicated) duplicated, \(changed) changed" : "")
  }
}

/// The limits of a relay.
public struct RelayLimits: Hashable, Sendable {
  /// The maximum number of simultaneous clients of each relay.
  public var clients: Int
  /// The silence in both directions after which a UDP client expires, in seconds.
  public var idleSeconds: Int64
  /// The maximum number of bytes that wait to be written: beyond it the other peer of a TCP connection is not read, and
  /// datagrams to a UDP socket are dropped.
  public var backlog: Int
  /// The maximum number of bytes of datagrams in flight in each direction of each relay's network; more are dropped.
  public var held: Int

  /// Limits with these values.
  public init(clients: Int = 256, idleSeconds: Int64 = 60, backlog: Int = 256 << 10, held: Int = 64 << 20) {
    self.held = held
    self.clients = clients
    self.idleSeconds = idleSeconds
    self.backlog = backlog
  }
}
