import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapText
import TelecapTransport

/// The part of recording that does not depend on where packets come from: numbers, limits, commits, the progress line.
struct Recorder {
  private let writer: CaptureWriter
  private let limits: RecordingLimits
  private let clock = SystemMonotonicClock()
  private let started = SystemMonotonicClock().now()
  private let progress: any ProgressLine
  private var packets = 0
  private var bytes = 0
  private var dropped = DropCounts()
  private var relays: [RelayTally] = []

  init(_ writer: CaptureWriter, _ limits: RecordingLimits, _ progress: any ProgressLine) {
    (self.writer, self.limits, self.progress) = (writer, limits, progress)
    // From now on Ctrl-C and SIGTERM end the recording, where the flag is theirs.
    _ = limits.stop.isRaised
  }

  /// Whether neither a signal nor a limit has ended the recording.
  func goesOn() -> Bool {
    if limits.stop.isRaised { return false }
    if let limit = limits.packets, packets >= limit { return false }
    if let duration = limits.duration, elapsed >= duration { return false }
    return true
  }

  /// Adds a packet; those past the limit are left out.
  mutating func add(_ header: PacketHeader, _ frame: RawSpan) throws {
    if let limit = limits.packets, packets >= limit { return }
    packets += 1
    bytes += header.originalLength
    var numbered = header
    numbered.number = packets
    try writer.add(numbered, frame)
  }

  /// Adds what relays have heard, and what became of their clients.
  mutating func drain(_ queue: PacketQueue, _ batch: inout PacketBatch, _ relays: [RelayTally]) throws {
    _ = queue.take(&batch, after: 0)
    try batch.forEach { try add($0, $1) }
    self.relays = relays
    writer.report(relays: relays)
    let kernel = relays.reduce(0) { $0 + ($1.droppedByKernel ?? 0) }
    try tick(DropCounts(kernel: kernel, queue: queue.droppedCount))
  }

  /// Commits when it is time, and tells how it goes.
  mutating func tick(_ dropped: DropCounts) throws {
    self.dropped = dropped
    writer.report(dropped: dropped)
    try writer.commitIfDue(now: Timestamp(nanoseconds: elapsed))
    let (packets, lost) = (packets, dropped.total)
    progress.show(at: elapsed) {
      Numbers.counted(packets, "packet") + (lost > 0 ? ", \(Numbers.grouped(lost)) dropped" : "")
    }
  }

  /// Keeps what happened to the interface beside what it heard.
  func note(_ line: String) { writer.add("\(CalendarTime.exact(WallClock.now())): \(line)", toCommentOf: 0) }

  /// Ends the recording.
  mutating func finish() throws -> RecordSummary {
    progress.clear()
    writer.report(dropped: dropped)
    try writer.finish(ended: WallClock.now())
    return RecordSummary(
      packets: packets, bytes: bytes, nanoseconds: elapsed, dropped: dropped, relays: relays)
  }

  private var elapsed: Nanoseconds { clock.now() - started }
}

/// What ends a recording.
public struct RecordingLimits: Sendable {
  /// So many packets.
  public var packets: Int?
  /// So long, in ns.
  public var duration: Nanoseconds?
  /// Somebody raises it.
  public var stop: StopFlag

  /// These, and nothing else.
  public init(packets: Int? = nil, duration: Nanoseconds? = nil, stop: StopFlag) {
    (self.packets, self.duration, self.stop) = (packets, duration, stop)
  }
}
