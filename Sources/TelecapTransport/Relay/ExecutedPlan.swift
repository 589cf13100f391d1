import TelecapImpairment
import TelecapPlatform
import TelecapRecording

/// The decisions of a relay's network on the datagrams of one direction, to be written as a plan. The relay's event
/// loop fills it; others read it after the relay has stopped.
public final class ExecutedPlan: Sendable {
  /// A datagram and its plan line.
  public struct Fate: Sendable {
    /// The time of day at which it came, which is its time in recordings.
    public let cameAt: Timestamp
    /// The decision, with due times in ns since it came; nil where it was lost, like those in flight at the end.
    public fileprivate(set) var line: PlanLine?
    /// The time at which it came, in ns of the network.
    fileprivate let time: Nanoseconds
  }

  /// The maximum number of datagrams.
  public static let most = 1_000_000

  /// The first datagrams in order of arrival, and the number of further ones.
  private let state = Locked((fates: [Fate](), beyond: 0))

  /// An empty plan.
  public init() {}

  /// The kept datagrams, in order of arrival.
  public var fates: [Fate] { state.with { $0.fates } }

  /// The number of datagrams beyond the maximum.
  public var beyond: Int { state.with { $0.beyond } }

  /// Adds the next datagram.
  func took(_ datagram: RelayedDatagram, at time: Nanoseconds) {
    state.with { state in
      if state.fates.count == ExecutedPlan.most {
        state.beyond += 1
      } else {
        state.fates.append(Fate(cameAt: datagram.cameAt, line: nil, time: time))
      }
    }
  }

  /// Sets the decision on a datagram, by its index from 1.
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
