import TelecapCapture
import TelecapRecording

/// A source of packets next to the recorded interface.
protocol TrafficProbe {
  /// The name of the interface.
  var name: String { get }
  /// The number of packets since the last call.
  func newPackets() -> Int
}

extension InterfaceProbe: TrafficProbe {}

/// An interface next to the recorded one, and its matching packets.
struct ProbedInterface: Hashable {
  let name: String
  let packets: Int
}

/// Detects a recording without packets. Before it reports that, it looks at the other interfaces for a moment.
struct QuietWatch {
  /// The time without packets after which the other interfaces are opened, in ns.
  static let patience: Nanoseconds = 2_000_000_000
  /// The time for which they are observed, in ns.
  static let observation: Nanoseconds = 1_000_000_000

  private enum State {
    case waiting
    case observing(since: Nanoseconds, [(probe: any TrafficProbe, packets: Int)])
    case over
  }

  private var state = State.waiting
  private let open: () -> [any TrafficProbe]

  /// - Parameter open: opens the other interfaces; called at most once.
  init(opening open: @escaping () -> [any TrafficProbe]) { self.open = open }

  /// Call it often.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the start, in ns.
  ///   - packets: the number of recorded packets.
  /// - Returns: the other interfaces, once, if there was no packet; otherwise nil.
  mutating func look(at elapsed: Nanoseconds, packets: Int) -> [ProbedInterface]? {
    guard packets == 0 else {
      // Closes the other interfaces.
      state = .over
      return nil
    }
    switch state {
    case .over: return nil
    case .waiting:
      if elapsed >= QuietWatch.patience { state = .observing(since: elapsed, open().map { ($0, 0) }) }
      return nil
    case .observing(let since, let probes):
      let counted = probes.map { (probe: $0.probe, packets: $0.packets + $0.probe.newPackets()) }
      guard elapsed >= since + QuietWatch.observation else {
        state = .observing(since: since, counted)
        return nil
      }
      state = .over
      return counted.map { ProbedInterface(name: $0.probe.name, packets: $0.packets) }
    }
  }
}
