import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapText
import TelecapWire

/// The part of recording that does not depend on where packets come from: numbers, limits, commits, the progress line.
struct Recorder {
  private let writer: CaptureWriter
  private let source: String
  private let limit: Int?
  private let duration: Int64?
  private let clock = SystemMonotonicClock()
  private let started = SystemMonotonicClock().now()
  private let progress = Progress()
  private var packets = 0
  private var bytes = 0
  private var dropped = DropCounts()

  init(_ writer: CaptureWriter, source: String, limit: Int?, duration: Int64?) {
    self.writer = writer
    self.source = source
    self.limit = limit
    self.duration = duration
  }

  /// From now on Ctrl-C and SIGTERM end the recording; says so, since scripts wait for this line.
  func begin() {
    _ = StopFlag.signals.isRaised
    Console.say("recording \(source)")
  }

  /// Whether neither a signal nor a limit has ended the recording.
  func goesOn() -> Bool {
    if StopFlag.signals.isRaised { return false }
    if let limit, packets >= limit { return false }
    if let duration, elapsed >= duration { return false }
    return true
  }

  /// Adds a packet; those past the limit are left out.
  mutating func add(_ header: PacketHeader, _ frame: RawSpan) throws {
    if let limit, packets >= limit { return }
    packets += 1
    bytes += header.originalLength
    var numbered = header
    numbered.number = packets
    try writer.add(numbered, frame)
  }

  /// Adds what a relay has heard.
  mutating func drain(_ queue: PacketQueue, _ batch: inout PacketBatch) throws {
    _ = queue.take(&batch, after: 0)
    try batch.forEach { try add($0, $1) }
    try tick(DropCounts(queue: queue.droppedCount))
  }

  /// Commits when it is time, and tells how it goes.
  mutating func tick(_ dropped: DropCounts) throws {
    self.dropped = dropped
    writer.report(dropped: dropped)
    try writer.commitIfDue(now: Timestamp(nanoseconds: elapsed))
    let (packets, lost) = (packets, dropped.total)
    progress.show(at: elapsed) {
      "\(Numbers.grouped(packets)) packets" + (lost > 0 ? ", \(Numbers.grouped(lost)) dropped" : "")
    }
  }

  /// Ends the recording.
  mutating func finish() throws -> RecordSummary {
    progress.clear()
    writer.report(dropped: dropped)
    try writer.finish(ended: WallClock.now())
    return RecordSummary(packets: packets, bytes: bytes, nanoseconds: elapsed, dropped: dropped)
  }

  private var elapsed: Int64 { clock.now() - started }
}

/// What a recording came to.
struct RecordSummary {
  var packets: Int
  var bytes: Int
  var nanoseconds: Int64
  var dropped: DropCounts

  /// Prints it: on stdout, since it is the command's result.
  func print(output path: String, findings: DissectionSummary, format: OutputFormat) throws {
    var output = Output()
    switch format {
    case .text:
      try output.line(
        "\(path): \(Numbers.grouped(packets)) packets, \(Numbers.grouped(bytes)) bytes in "
          + "\(Numbers.fixed(Double(nanoseconds) / 1e9, 1)) s; dropped: kernel \(dropped.kernel), "
          + "interface \(dropped.interface), queue \(dropped.queue)")
      for line in findings.text(style: Console.style(for: 1)).dropFirst() { try output.line(line) }
    case .json:
      var json = JSONWriter()
      json.beginObject()
      json.put("file", path)
      json.put("packets", packets)
      json.put("bytes", bytes)
      json.put("duration_ns", nanoseconds)
      json.beginObject("dropped")
      json.put("kernel", dropped.kernel)
      json.put("interface", dropped.interface)
      json.put("queue", dropped.queue)
      json.endObject()
      json.endObject()
      json.endLine()
      try output.take(&json)
    }
    try output.flush()
  }
}
