import TelecapImpairment
import TelecapLoop
import TelecapWire

/// The network of a relay between the two peers: impairments of datagrams in each direction, and of byte streams, whose
/// bytes arrive complete and in order unless the connection breaks.
public struct RelayNetwork: Sendable {
  /// The impairments from the clients to the server.
  public var up: Impairments
  /// The impairments from the server to its clients.
  public var down: Impairments
  /// The seed of random choices; those of the two directions differ.
  public var seed: UInt64
  /// The faults of connections.
  public var faults: StreamFaults
  /// The records of decisions on datagrams for each direction; nil where none is requested. Only for the network with
  /// which a relay starts.
  public var kept: (up: ExecutedPlan?, down: ExecutedPlan?)
  private let changers: (up: MessageChanger, down: MessageChanger)

  /// A network with these impairments for messages of these protocols.
  /// - Throws: `FieldProblem` when a field is to be set that no message in an impaired direction has.
  public init(
    up: Impairments, down: Impairments, seed: UInt64, _ protocols: [WireProtocol], faults: StreamFaults = StreamFaults()
  ) throws(FieldProblem) {
    (self.up, self.down, self.seed, self.faults) = (up, down, seed, faults)
    let struck: Set<Side> = up == .none ? [.host] : down == .none ? [.client] : [.client, .host]
    for impairments in [up, down] { try MessageChanger.check(impairments, of: protocols, sentBy: struck) }
    changers = (try MessageChanger(protocols, up), try MessageChanger(protocols, down))
  }

  /// The requested impairments, of either direction.
  public var asked: Impairments { up.asked.isEmpty ? down : up }

  /// Both directions of one relay for messages of this protocol version; nil for an unknown one.
  func links(_ dialect: Dialect?, limits: RelayLimits) -> (up: RelayLink, down: RelayLink) {
    let played = played
    return (
      RelayLink(played.up, dialect, limits, keptBy: kept.up), RelayLink(played.down, dialect, limits, keptBy: kept.down)
    )
  }

  /// Both directions of one relay of byte streams.
  var streamLinks: (up: StreamLink, down: StreamLink) {
    let played = playedToStreams
    return (StreamLink(played.up), StreamLink(played.down))
  }

  /// Both directions of the network.
  typealias Played = (up: ChangingNetwork.Played, down: ChangingNetwork.Played)

  var played: Played {
    (RelayNetwork.played(up, up, seed, changers.up), RelayNetwork.played(down, down, downSeed, changers.down))
  }

  /// Both directions of the network for byte streams.
  var playedToStreams: Played {
    let (up, down) = (up.strikingStreams, down.strikingStreams)
    return (
      RelayNetwork.played(up, up.overStreams, seed, changers.up),
      RelayNetwork.played(down, down.overStreams, downSeed, changers.down)
    )
  }

  private var downSeed: UInt64 { seed &+ 0x9e37_79b9_7f4a_7c15 }

  /// The seed of random choices for the packets of this side.
  public func seed(_ sender: Side) -> UInt64 { sender == .client ? seed : downSeed }

  private static func played(
    _ asked: Impairments, _ impairments: Impairments, _ seed: UInt64, _ changer: MessageChanger
  ) -> ChangingNetwork.Played {
    ChangingNetwork.Played(planner: LivePlanner(impairments, seed: seed), changer: changer, asked: asked)
  }
}
