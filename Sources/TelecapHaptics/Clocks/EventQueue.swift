import TelecapRecording

/// Events on their way from a core to its shell, by polling: the core ticks, the shell drains (Multisensory
/// Architectures, The Swift Integration Loop). Each event is delivered once, in the order of its time, and among those of
/// one time in the order in which they were scheduled.
public struct EventQueue<Event: Sendable>: Sendable {
  private struct Scheduled: Sendable {
    var time: Timestamp
    var event: Event
  }

  /// What is yet to happen, the next at the end.
  private var coming: [Scheduled] = []
  private var happened: [Event] = []
  /// The core's time.
  public private(set) var now: Timestamp

  /// An empty queue whose core begins at `time`.
  public init(at time: Timestamp = .zero) { now = time }

  /// How many events wait to be drained.
  public var waiting: Int { happened.count }
  /// How many have not happened yet.
  public var pending: Int { coming.count }

  /// An event happens at `time`; one whose time has passed happens at the next tick.
  public mutating func schedule(_ event: Event, at time: Timestamp) {
    var low = 0
    var high = coming.count
    while low < high {
      let middle = (low + high) / 2
      // Latest first; behind those of the same time, which happen before.
      if coming[middle].time > time { low = middle + 1 } else { high = middle }
    }
    coming.insert(Scheduled(time: time, event: event), at: low)
  }

  /// The core's time goes on by so many ns; what falls due happens. Time never runs back.
  public mutating func tick(byNanoseconds step: Nanoseconds) {
    now = now.advanced(byNanoseconds: max(0, step))
    while let next = coming.last, next.time <= now {
      happened.append(next.event)
      coming.removeLast()
    }
  }

  /// All that has happened since the last drain.
  public mutating func drain() -> [Event] {
    defer { happened.removeAll(keepingCapacity: true) }
    return happened
  }
}
