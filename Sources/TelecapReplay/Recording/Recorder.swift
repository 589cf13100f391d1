import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapText
import TelecapTransport

/// The part of recording that is independent of the source of packets: numbers, limits, commits, the progress line.
struct Recorder {
  private let writer: CaptureWriter
  private let limits: RecordingLimits
  private let clock = SystemMonotonicClock()
  private let started = SystemMonotonicClock().now()
  private let progress: any ProgressLine
  private let stamps: RecordingStamps
  private var steps: ClockWatch
  private var standstills: StandstillWatch
  private let tell: (String) -> Void
  private var notices = LockNotices()
  /// The number of recorded packets.
  private(set) var packets = 0
  private var bytes = 0
  private var dropped = DropCounts()
  private var relays: [RelayTally] = []

  /// - Parameters:
  ///   - stamps: the clock of its packets.
  ///   - tell: receives the messages about the capture.
  init(
    _ writer: CaptureWriter, _ limits: RecordingLimits, _ progress: any ProgressLine, _ stamps: RecordingStamps,
    tell: @escaping (String) -> Void
  ) {
    (self.stamps, steps) = (stamps, ClockWatch(shift: stamps.shift()))
    standstills = StandstillWatch(at: stamps.steady())
    (self.writer, self.limits, self.progress, self.tell) = (writer, limits, progress, tell)
    // From now on Ctrl-C and SIGTERM end the recording, where the flag belongs to them.
    _ = limits.stop.isRaised
  }

  /// Whether neither a signal nor a limit has ended the recording.
  func goesOn() -> Bool {
    if limits.stop.isRaised { return false }
    if let limit = limits.packets, packets >= limit { return false }
    if let duration = limits.duration, elapsed >= duration { return false }
    return true
  }

  /// Whether there is room for more packets; otherwise they stay in a bounded buffer that counts drops.
  func makeRoom() throws -> Bool { try writer.makeRoom() }

  /// Waits briefly for room.
  func pause() { clock.sleep(until: clock.now() + 20_000_000) }

  /// Adds a packet, unless the limit is reached.
  mutating func add(_ header: PacketHeader, _ frame: RawSpan) throws {
    if let limit = limits.packets, packets >= limit { return }
    packets += 1
    bytes += header.originalLength
    var numbered = header
    numbered.number = packets
    try writer.add(numbered, frame)
  }

  /// Adds the packets and the counts of relays.
  ///
  /// - Parameter isLast: whether to empty the queue, even if the file is behind by much.
  mutating func drain(
    _ queue: PacketQueue, _ batch: inout PacketBatch, _ relays: [RelayTally], isLast: Bool = false
  ) throws {
    if try makeRoom() || isLast {
      queue.take(&batch)
      try batch.forEach { try add($0, $1) }
    }
    self.relays = relays
    writer.report(relays: relays)
    let kernel = relays.reduce(0) { $0 + ($1.droppedByKernel ?? 0) }
    try tick(DropCounts(kernel: kernel, queue: queue.droppedCount))
  }

  /// Commits when it is due, and shows the progress.
  mutating func tick(_ dropped: DropCounts) throws {
    self.dropped = dropped
    writer.report(dropped: dropped)
    try writer.commitIfDue(now: Timestamp(nanoseconds: elapsed))
    noteLock()
    noteClock()
    noteStandstill()
    let (packets, lost) = (packets, dropped.total)
    progress.show(at: elapsed) {
      Numbers.counted(packets, "packet") + (lost > 0 ? ", \(Numbers.grouped(lost)) dropped" : "")
    }
  }

  /// Adds an event of the interface to its comment in the capture.
  func note(_ line: String) { writer.add("\(CalendarTime.exact(stamps.now())): \(line)", toCommentOf: 0) }

  /// Reports a jump of the system clock, and adds it to the capture.
  private mutating func noteClock() {
    guard let step = steps.look(shift: stamps.shift()) else { return }
    let line = ClockNote(step: step, movesPackets: stamps.followsSystemClock).text
    progress.clear()
    tell(line)
    note(line)
  }

  /// Reports the lock of another program, and adds its duration to the capture.
  private mutating func noteLock() {
    keep(notices.look(lockedFor: writer.lockedFor, dropped: dropped.total))
  }

  private func keep(_ notice: LockNotices.Notice?) {
    guard let notice else { return }
    progress.clear()
    tell(notice.line)
    if notice.isOver { note(notice.line) }
  }

  /// Reports that telecap was stopped, where it dates packets itself, and adds it to the capture.
  private mutating func noteStandstill() {
    guard let time = standstills.look(at: stamps.steady()), !stamps.followsSystemClock else { return }
    let line =
      "telecap was stopped or starved for \(Numbers.time(time)): packets of that time have the time at which they were read"
    progress.clear()
    tell(line)
    note(line)
  }

  /// Ends the recording. If another program holds the lock of the file, waits for it until a time limit or another
  /// signal.
  ///
  /// - Throws: `StoreError.locked` where the lock was not released.
  mutating func finish() throws -> RecordSummary {
    progress.clear()
    writer.report(dropped: dropped)
    noteLock()
    let (ended, stamp, signals, limit) = (clock.now(), stamps.now(), StopFlag.signalCount, limits.lockPatience)
    var isTold = false
    try StopFlag.holdingSecond {
      try writer.finish(
        ended: stamp,
        waits: {
          // Poll every time: the last poll before the release shows the duration of the lock.
          let notice = notices.look(lockedFor: writer.lockedFor, dropped: dropped.total)
          if notice?.isOver == true { keep(notice) }
          if let time = writer.lockedFor, time >= LockNotices.shortest, !isTold {
            isTold = true
            tell(notices.ending(within: limit, packets: writer.waitingPackets))
          }
          return clock.now() - ended < limit && StopFlag.signalCount == signals
        }, last: { keep(notices.look(lockedFor: writer.lockedFor, dropped: dropped.total)) })
    }
    return RecordSummary(
      packets: packets, bytes: bytes, nanoseconds: elapsed, dropped: dropped, relays: relays)
  }

  /// The time since the start, in ns.
  var elapsed: Nanoseconds { clock.now() - started }
}

/// The conditions that end a recording.
public struct RecordingLimits: Sendable {
  /// The number of packets.
  public var packets: Int?
  /// The duration in ns.
  public var duration: Nanoseconds?
  /// The stop flag.
  public var stop: StopFlag
  /// The maximum time in ns for which the end of a recording waits for another program's lock on its file.
  public var lockPatience: Nanoseconds = 30_000_000_000

  /// These conditions only.
  public init(packets: Int? = nil, duration: Nanoseconds? = nil, stop: StopFlag) {
    (self.packets, self.duration, self.stop) = (packets, duration, stop)
  }
}
