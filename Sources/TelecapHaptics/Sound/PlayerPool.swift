import TelecapRecording

/// The players that sounds are played on: made once, and taken in turn (Multisensory Architectures, The Trigger Logic). A
/// trigger while all are busy takes the one that has played longest, as `.interrupts` does.
public struct PlayerPool: Hashable, Sendable {
  /// How many players a pool may have.
  public static let possible = 1...256

  private struct Player: Hashable, Sendable {
    var began = Timestamp(nanoseconds: .min)
    var end = Timestamp(nanoseconds: .min)
  }

  private var players: [Player]

  /// So many players, held to those that are possible.
  public init(_ count: Int) {
    let held = max(PlayerPool.possible.lowerBound, min(PlayerPool.possible.upperBound, count))
    players = [Player](repeating: Player(), count: held)
  }

  /// A sound of this length begins at `time`.
  ///
  /// - Returns: which player plays it, from 0, and whether that had to break off another sound.
  public mutating func trigger(at time: Timestamp, lasting length: Nanoseconds) -> (player: Int, interrupts: Bool) {
    let idle = players.firstIndex { $0.end <= time }
    let chosen = idle ?? players.indices.min { players[$0].began < players[$1].began } ?? 0
    players[chosen] = Player(began: time, end: time.advanced(byNanoseconds: max(0, length)))
    return (chosen, idle == nil)
  }
}
