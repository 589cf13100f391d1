import TelecapImpairment
import TelecapPlatform
import TelecapRecording

/// What a relay's network did to the datagrams of one way, kept to be written as a plan. Filled on the relay's event loop, read by
/// others when the relay has stopped.
public final class ExecutedPlan: Sendable {
  /// A datagram, and what became of it.
  public struct Fate: Sendable {
    /// When it came, by the time of day: the time by which it is recorded.
    public let cameAt: Timestamp
    /// What became of it, its due times being ns since it came; nil where it was lost, as those are that are on their way at the end.
    public fileprivate(set) var line: PlanLine?
    /// When it came, in ns of the network.
    fileprivate let time: Nanoseconds
  }

  /// So many datagrams are kept.
  public static let most = 1_000_000

  /// The first of them, in the order in which they came, and how many came beyond.
  private let state = Locked((fates: [Fate](), beyond: 0))

  /// Nothing yet.
  public init() {}

  /// Those that are kept, in the order in which they came.
  public var fates: [Fate] { state.with { $0.fates } }

  /// How many more came than are kept.
  public var beyond: Int { state.with { $0.beyond } }

  /// The next datagram came.
  func took(_ datagram: RelayedDatagram, at time: Nanoseconds) {
    state.with { state in
      if state.fates.count == ExecutedPlan.most {
        state.beyond += 1
      } else {
        state.fates.append(Fate(cameAt: datagram.cameAt, line: nil, time: time))
      }
    }
  }

  /// It is settled what becomes of a datagram: the one of this number, from 1.
  func settle(_ line: PlanLine) {
    state.with { state in
      let place = line.packet - 1
      guard state.fates.indices.contains(place) else { return }
      var line = line
      for copy in 0..<line.due.count { line.due[copy] -= state.fates[place].time }
      state.fates[place].line = line
    }
  }
}
