import TelecapImpairment
import TelecapLoop
import TelecapWire

/// The network that a relay plays between the two ends: what it does to datagrams each way. Streams are passed on as they are.
public struct RelayNetwork: Sendable {
  /// What happens from the clients to the server.
  public var up: Impairments
  /// What happens from the server to its clients.
  public var down: Impairments
  /// What the random choices are keyed by; the way down draws others than the way up.
  public var seed: UInt64
  private let changers: (up: MessageChanger, down: MessageChanger)

  /// A network that does this to messages of these protocols.
  /// - Throws: `FieldProblem` when a field is to be set that no message has.
  public init(up: Impairments, down: Impairments, seed: UInt64, _ protocols: [WireProtocol]) throws(FieldProblem) {
    (self.up, self.down, self.seed) = (up, down, seed)
    changers = (try MessageChanger(protocols, up), try MessageChanger(protocols, down))
  }

  /// Both ways of one relay, which passes on messages of this dialect; nil for what nobody knows.
  func links(_ dialect: Dialect?, limits: RelayLimits) -> (up: RelayLink, down: RelayLink) {
    let played = played
    return (RelayLink(played.up, dialect, limits), RelayLink(played.down, dialect, limits))
  }

  /// Both ways, as links play them.
  var played: (up: RelayLink.Played, down: RelayLink.Played) {
    (
      RelayLink.Played(planner: LivePlanner(up, seed: seed), changer: changers.up),
      RelayLink.Played(planner: LivePlanner(down, seed: seed &+ 0x9e37_79b9_7f4a_7c15), changer: changers.down)
    )
  }
}
