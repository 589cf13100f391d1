import TelecapRecording

/// Events from a core to its shell, by polling: the core ticks, the shell drains (Multisensory Architectures, The Swift
/// Integration Loop). Each event is delivered once, in order of time; events with equal times keep the order in which
/// they were scheduled.
public struct EventQueue<Event: Sendable>: Sendable {
  private struct Scheduled: Sendable {
    var time: Timestamp
    var event: Event
  }

  /// The scheduled events, the next one last.
  private var coming: [Scheduled] = []
  private var happened: [Event] = []
  /// The core's time.
  public private(set) var now: Timestamp

  /// An empty queue whose core starts at `time`.
  public init(at time: Timestamp = .zero) { now = time }

  /// The number of events to drain.
  public var waiting: Int { happened.count }
  /// The number of events that are not due yet.
  public var pending: Int { coming.count }

  /// Schedules an event at `time`. If that time has passed, the event is due at the next tick.
  public mutating func schedule(_ event: Event, at time: Timestamp) {
    var low = 0
    var high = coming.count
    while low < high {
      let middle = (low + high) / 2
      // Latest first; a new event is inserted before those with the same time, so that they are taken first.
      if coming[middle].time > time { low = middle + 1 } else { high = middle }
    }
    coming.insert(Scheduled(time: time, event: event), at: low)
  }

  /// Advances the core's time by this many ns; due events happen. Time never goes back.
  public mutating func tick(byNanoseconds step: Nanoseconds) {
    now = now.advanced(byNanoseconds: max(0, step))
    while let next = coming.last, next.time <= now {
      happened.append(next.event)
      coming.removeLast()
    }
  }

  /// Removes and returns all events that happened since the last drain.
  public mutating func drain() -> [Event] {
    defer { happened.removeAll(keepingCapacity: true) }
    return happened
  }
}
