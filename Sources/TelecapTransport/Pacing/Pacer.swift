import TelecapRecording

/// Carries out paced work on time.
///
/// Deadlines are absolute: start + due. A packet that is sent late does not move the next one, so errors do not add up to
/// drift. It sleeps until shortly before a deadline and spins the rest, because a sleep alone wakes tens of microseconds
/// late. Packets that are due together, or overdue, go out as one batch.
public struct Pacer<Clock: MonotonicClock> {
  /// How a run ended.
  public enum Ending: Equatable, Sendable {
    /// Everything was sent.
    case done
    /// The stop flag was raised first.
    case stopped
  }

  private let clock: Clock
  private let stop: StopFlag
  private let timing: PacerTiming
  /// The due times of what is loaded; its storage is kept from batch to batch.
  private var loaded: [Nanoseconds] = []
  private var batchesSinceIdle = 0

  /// What the runs of this pacer came to.
  public private(set) var lateness = LatenessRecorder()

  /// A pacer on this clock, which ends early when `stop` is raised.
  public init(clock: Clock, stop: StopFlag, timing: PacerTiming = .standard) {
    self.clock = clock
    self.stop = stop
    self.timing = timing
    loaded.reserveCapacity(1024)
  }

  /// Sends all of `work`, each packet when it is due, and returns at the end or when the flag is raised. What was loaded
  /// when the flag was raised is not sent. The first deadline counts from `timing.lead` after the call.
  public mutating func run(_ work: inout some PacedWork) throws -> Ending {
    let start = clock.now() &+ timing.lead
    loaded.removeAll(keepingCapacity: true)
    while let due = try work.nextDue() {
      let horizon = max(due, clock.now() &- start)
      try load(upTo: horizon, from: &work)
      guard let time = try wait(until: deadline(of: due, start), working: &work) else { return .stopped }
      try work.send(at: time &- start)
      lateness.record(due: loaded, sent: time &- start)
      loaded.removeAll(keepingCapacity: true)
      try idleIfTimely(&work, start: start)
    }
    return .done
  }

  /// Loads the next packet and those after it that are due by `horizon`, as far as there is room.
  private mutating func load(upTo horizon: Nanoseconds, from work: inout some PacedWork) throws {
    while let due = try work.nextDue(), due <= horizon, try work.load() { loaded.append(due) }
    if loaded.isEmpty { throw PacingError.noRoom(due: horizon) }
  }

  /// Waits for the deadline; the time then, or nil when the flag was raised.
  private func wait(until deadline: Nanoseconds, working work: inout some PacedWork) throws -> Nanoseconds? {
    while true {
      if stop.isRaised { return nil }
      let now = clock.now()
      if deadline &- now <= timing.spin { break }
      clock.sleep(until: min(deadline &- timing.spin, now &+ timing.slice))
      if deadline &- clock.now() > timing.spin { try work.idle() }
    }
    var now = clock.now()
    while now < deadline {
      clock.spin()
      now = clock.now()
    }
    return now
  }

  /// A due time before the start is the start; one after 146 years is that.
  private func deadline(of due: Nanoseconds, _ start: Nanoseconds) -> Nanoseconds {
    start &+ min(max(due, 0), .max / 2)
  }

  private mutating func idleIfTimely(_ work: inout some PacedWork, start: Nanoseconds) throws {
    batchesSinceIdle += 1
    let slack = try work.nextDue().map { deadline(of: $0, start) &- clock.now() } ?? .max
    guard slack >= timing.idleSlack || batchesSinceIdle >= timing.batchesWithoutIdle else { return }
    batchesSinceIdle = 0
    try work.idle()
  }
}

/// The figures a pacer works by, all in nanoseconds but the last.
public struct PacerTiming: Hashable, Sendable {
  /// How long before a deadline it stops sleeping and starts to spin.
  public var spin: Nanoseconds
  /// How long it sleeps at most before it looks at the stop flag and for replies again.
  public var slice: Nanoseconds
  /// How long after the call a run starts, so that the first packet is not late for being the first.
  public var lead: Nanoseconds
  /// How much time there must be before the next deadline for looking for replies.
  public var idleSlack: Nanoseconds
  /// After how many batches it looks for replies though there is no time.
  public var batchesWithoutIdle: Int

  /// Timing of these figures.
  public init(
    spin: Nanoseconds = 200_000, slice: Nanoseconds = 50_000_000, lead: Nanoseconds = 1_000_000,
    idleSlack: Nanoseconds = 50_000,
    batchesWithoutIdle: Int = 16
  ) {
    self.spin = spin
    self.slice = slice
    self.lead = lead
    self.idleSlack = idleSlack
    self.batchesWithoutIdle = batchesWithoutIdle
  }

  /// Spin 200 µs, sleep 50 ms at most, start after 1 ms.
  public static let standard = PacerTiming()
}
