import TelecapRecording

/// Performs paced work on time.
///
/// Deadlines are absolute: start + due. A late packet does not move the next one, so errors do not add up to drift. The
/// pacer sleeps until shortly before a deadline and then spins, since a sleep alone wakes tens of microseconds late.
/// Packets that are due together, or overdue, are sent as one batch.
public struct Pacer<Clock: MonotonicClock> {
  /// The outcome of a run.
  public enum Ending: Equatable, Sendable {
    /// Everything was sent.
    case done
    /// The stop flag was raised first.
    case stopped
  }

  private let clock: Clock
  private let stop: StopFlag
  private let timing: PacerTiming
  /// The due times of the loaded packets; its storage is reused for each batch.
  private var loaded: [Nanoseconds] = []
  private var batchesSinceIdle = 0

  /// The send timing errors of this pacer's runs.
  public private(set) var lateness = LatenessRecorder()

  /// A pacer with this clock, which ends early when `stop` is raised.
  public init(clock: Clock, stop: StopFlag, timing: PacerTiming = .standard) {
    self.clock = clock
    self.stop = stop
    self.timing = timing
    loaded.reserveCapacity(1024)
  }

  /// Sends all of `work`, each packet when it is due, and returns at the end or when the flag is raised. Packets that
  /// are loaded at that time are not sent. The first deadline is `timing.lead` after the call.
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

  /// Loads the next packet and those after it that are due by `horizon`, while there is room.
  private mutating func load(upTo horizon: Nanoseconds, from work: inout some PacedWork) throws {
    while let due = try work.nextDue(), due <= horizon, try work.load() { loaded.append(due) }
    if loaded.isEmpty { throw PacingError.noRoom(due: horizon) }
  }

  /// Waits for the deadline, and returns the time then, or nil when the flag was raised.
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

  /// Clamps due times to the start and to 146 years.
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

/// The parameters of a pacer, all in nanoseconds except the last.
public struct PacerTiming: Hashable, Sendable {
  /// The time before a deadline at which it starts to spin.
  public var spin: Nanoseconds
  /// The maximum time of a sleep, after which it checks the stop flag and reads replies.
  public var slice: Nanoseconds
  /// The time from the call to the start of a run, so that the first packet is not late.
  public var lead: Nanoseconds
  /// The minimum time before the next deadline for reading replies.
  public var idleSlack: Nanoseconds
  /// The number of batches after which it reads replies even without time.
  public var batchesWithoutIdle: Int

  /// Timing with these parameters.
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
