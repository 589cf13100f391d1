import TelecapImpairment
import TelecapLoop
import TelecapWire

/// The network that a relay plays between the two ends: what it does to datagrams each way, and to streams, whose bytes all arrive
/// in their order unless the connection breaks.
public struct RelayNetwork: Sendable {
  /// What happens from the clients to the server.
  public var up: Impairments
  /// What happens from the server to its clients.
  public var down: Impairments
  /// What the random choices are keyed by; the way down draws others than the way up.
  public var seed: UInt64
  /// What happens to connections.
  public var faults: StreamFaults
  /// Where it is kept what happens to datagrams each way; nil where nobody wants to know. Of the network with which a relay begins.
  public var kept: (up: ExecutedPlan?, down: ExecutedPlan?)
  private let changers: (up: MessageChanger, down: MessageChanger)

  /// A network that does this to messages of these protocols.
  /// - Throws: `FieldProblem` when a field is to be set that no message has which goes a way that is struck.
  public init(
    up: Impairments, down: Impairments, seed: UInt64, _ protocols: [WireProtocol], faults: StreamFaults = StreamFaults()
  ) throws(FieldProblem) {
    (self.up, self.down, self.seed, self.faults) = (up, down, seed, faults)
    let struck: Set<Side> = up == .none ? [.host] : down == .none ? [.client] : [.client, .host]
    for impairments in [up, down] { try MessageChanger.check(impairments, of: protocols, sentBy: struck) }
    changers = (try MessageChanger(protocols, up), try MessageChanger(protocols, down))
  }

  /// What is asked for, whichever way it strikes.
  public var asked: Impairments { up.asked.isEmpty ? down : up }

  /// Both ways of one relay, which passes on messages of this dialect; nil for what nobody knows.
  func links(_ dialect: Dialect?, limits: RelayLimits) -> (up: RelayLink, down: RelayLink) {
    let played = played
    return (
      RelayLink(played.up, dialect, limits, keptBy: kept.up), RelayLink(played.down, dialect, limits, keptBy: kept.down)
    )
  }

  /// Both ways of one relay of streams.
  var streamLinks: (up: StreamLink, down: StreamLink) {
    let played = playedToStreams
    return (StreamLink(played.up), StreamLink(played.down))
  }

  /// Both ways, as links play them.
  typealias Played = (up: ChangingNetwork.Played, down: ChangingNetwork.Played)

  var played: Played {
    (RelayNetwork.played(up, up, seed, changers.up), RelayNetwork.played(down, down, downSeed, changers.down))
  }

  /// Both ways, as links of streams play them.
  var playedToStreams: Played {
    let (up, down) = (up.strikingStreams, down.strikingStreams)
    return (
      RelayNetwork.played(up, up.overStreams, seed, changers.up),
      RelayNetwork.played(down, down.overStreams, downSeed, changers.down)
    )
  }

  private var downSeed: UInt64 { seed &+ 0x9e37_79b9_7f4a_7c15 }

  /// What the random choices are keyed by, of what this side sends.
  public func seed(_ sender: Side) -> UInt64 { sender == .client ? seed : downSeed }

  private static func played(
    _ asked: Impairments, _ impairments: Impairments, _ seed: UInt64, _ changer: MessageChanger
  ) -> ChangingNetwork.Played {
    ChangingNetwork.Played(planner: LivePlanner(impairments, seed: seed), changer: changer, asked: asked)
  }
}
