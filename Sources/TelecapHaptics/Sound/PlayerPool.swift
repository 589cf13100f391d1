import TelecapRecording

/// The players of sounds, created once and used in turn (Multisensory Architectures, The Trigger Logic). If all are
/// busy, a trigger interrupts the one that has played longest, as `.interrupts` does.
public struct PlayerPool: Hashable, Sendable {
  /// The possible numbers of players.
  public static let possible = 1...256

  private struct Player: Hashable, Sendable {
    var began = Timestamp(nanoseconds: .min)
    var end = Timestamp(nanoseconds: .min)
  }

  private var players: [Player]

  /// A pool of this many players, clamped to the possible numbers.
  public init(_ count: Int) {
    let held = max(PlayerPool.possible.lowerBound, min(PlayerPool.possible.upperBound, count))
    players = [Player](repeating: Player(), count: held)
  }

  /// Starts a sound of this length at `time`.
  ///
  /// - Returns: the index of the player, and whether it interrupts another sound.
  public mutating func trigger(at time: Timestamp, lasting length: Nanoseconds) -> (player: Int, interrupts: Bool) {
    let idle = players.firstIndex { $0.end <= time }
    let chosen = idle ?? players.indices.min { players[$0].began < players[$1].began } ?? 0
    players[chosen] = Player(began: time, end: time.advanced(byNanoseconds: max(0, length)))
    return (chosen, idle == nil)
  }
}
