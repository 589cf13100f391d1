import TelecapImpairment
import TelecapRecording

/// Hears all that a relay passes on. Called on the relay's one thread, in the order in which things happened; a slow
/// observer slows the relay down, it does not make it hoard.
public protocol RelayObserver: Sendable {
  /// A relay is about to listen whose server is `server` in flows.
  func begins(_ spec: RelaySpec, to server: Endpoint)

  /// These bytes came from `flow.source` and are passed on to `flow.destination`. For UDP a datagram; for TCP the next
  /// piece of the stream. `time` is when the relay read them.
  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp)

  /// A datagram that came before, the `number`-th of its way over all clients, has left for `flow.destination`, as the network that
  /// the relay plays made it. To the server it comes from `local`, this client's own socket there; nil on the way back. For TCP the
  /// next piece of the stream.
  func passedOn(_ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp)

  /// Something happened to a client's TCP connection. `flow` is from its client to the server, except for `finished`.
  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp)
}

extension RelayObserver {
  public func begins(_ spec: RelaySpec, to server: Endpoint) {}
  public func passedOn(
    _ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp
  ) {}
}

/// What happens to a TCP connection that is relayed.
public enum RelayConnectionEvent: Hashable, Sendable {
  /// The client and the server are joined.
  case opened
  /// `flow.source` will send no more (FIN); the other way stays open.
  case finished
  /// Both ways are closed.
  case closed
  /// The server could not be reached; the client was closed.
  case failed
}

/// What a relay has done so far.
///
/// Each client is counted once: a TCP client is a connection, a UDP client an address until it has been silent for so long that it is
/// forgotten. `clients` are all that came; of these `refused` were turned away, `forgotten` were served and are no more, and (over
/// UDP) the rest is served now.
public struct RelayCounts: Sendable {
  /// Payloads passed on, both ways.
  public var payloads = 0
  /// Their bytes.
  public var bytes = 0
  /// Clients that came, served or not.
  public var clients = 0
  /// Clients forgotten, being idle for too long or the longest idle of too many.
  public var forgotten = 0
  /// Clients turned away: too many TCP connections, no server, or no descriptor left for them (`DescriptorLimit`). A UDP client that
  /// was refused and is served by a later try is refused no more.
  public var refused = 0
  /// Datagrams dropped, because the next socket's buffer was full, the client's socket was not open yet and too many
  /// waited, or the client was refused.
  /// Of TCP, streams that ended before all that had been read of them was written.
  public var dropped = 0
  /// Bytes of streams that had been read, and were not written before their connection ended; 0 over UDP.
  public var cutBytes = 0
  /// Datagrams that the kernel dropped since a buffer of ours was full; 0 where it does not tell (`Relay.knowsKernelDrops`).
  public var droppedByKernel = 0
  /// Datagrams from the clients to the server, and back, or pieces of streams.
  public var up = RelayWayCounts()
  public var down = RelayWayCounts()
  /// What was done to connections; nil where nothing was asked for.
  public var faults: StreamFaultCounts?
  /// What the network that the relay plays did, each way; nil where it plays none.
  public var network: (up: NetworkAccount, down: NetworkAccount)?

  /// Nothing yet.
  public init() {}
}

/// What a network did to living datagrams, or pieces of streams, one way.
public struct NetworkAccount: Sendable {
  /// What a relay passes on.
  public enum Unit: String, Sendable {
    case datagrams, pieces
  }

  /// What came.
  public var unit: Unit
  /// What was asked for.
  public var impairments: Impairments
  /// What came out.
  public var rates: AppliedRates
  /// What was to be set and is in no message.
  public var withoutEffect: [SetFields.Item]
  /// Those that are on their way, and are lost when the relay ends.
  public var waiting: Int
  /// Whether it is known which protocol they speak: otherwise no field of theirs can be changed.
  public var isUnderstood: Bool
  /// What all networks did that were played one after another; the rates are those of the last.
  public var totals: NetworkTotals
  /// How often the network was changed while it ran.
  public var changes: Int

  /// A line for each impairment, beside what came out; and what had no effect.
  public var lines: [String] {
    rates.account(of: impairments).map(\.description) + withoutEffect.map(\.isInNone)
      + (impairments.changesFields && !isUnderstood
        ? ["no field was changed: no protocol is known at this relay's ports; name them, as with --tele-udp"] : [])
      + (changes > 0
        ? ["changed \(changes) \(changes == 1 ? "time" : "times") while it ran; in all \(totals.words(unit))"] : [])
      + (waiting > 0 ? ["\(waiting) still on their way at the end: lost"] : [])
  }
}

/// How many datagrams, or pieces of streams, came one way of a relay, and how many it passed on.
public struct RelayWayCounts: Hashable, Sendable {
  /// Those that came.
  public var came = 0
  /// Those that were passed on, each copy counted.
  public var passedOn = 0
}

/// What networks did, in all.
public struct NetworkTotals: Hashable, Sendable {
  /// Datagrams, or pieces of streams, of which it is settled what became of them.
  public private(set) var came = 0
  /// Those that were dropped.
  public private(set) var dropped = 0
  /// Those that were passed on more than once.
  public private(set) var duplicated = 0
  /// Those of which a bit or a field was changed.
  public private(set) var changed = 0

  /// Nothing yet.
  public init() {}

  /// Adds what one network did.
  mutating func add(_ rates: AppliedRates) {
    came += rates.selected
    dropped += rates.selected - rates.delivered
    duplicated += rates.duplicated
    changed += max(rates.corrupted, rates.hostile, rates.set)
  }

  /// In words.
  func words(_ unit: NetworkAccount.Unit) -> String {
    "\(came) \(unit.rawValue)"
      + (unit == .datagrams ? ": \(dropped) dropped, \(duplicated) duplicated, \(changed) changed" : "")
  }
}

/// The bounds within which a relay works.
public struct RelayLimits: Hashable, Sendable {
  /// How many clients at once, for each relay.
  public var clients: Int
  /// After how many seconds without a datagram either way a UDP client is forgotten.
  public var idleSeconds: Int64
  /// How many bytes may wait to be written to one TCP peer before the other is no longer read, or to one UDP socket before
  /// datagrams are dropped.
  public var backlog: Int
  /// How many bytes of datagrams a network that the relay plays keeps on their way, each way of each relay; what comes beyond is
  /// dropped.
  public var held: Int

  /// Limits of these figures.
  public init(clients: Int = 256, idleSeconds: Int64 = 60, backlog: Int = 256 << 10, held: Int = 64 << 20) {
    self.held = held
    self.clients = clients
    self.idleSeconds = idleSeconds
    self.backlog = backlog
  }
}
