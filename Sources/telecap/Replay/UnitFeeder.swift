import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapTele
import TelecapTransport

/// Who takes the units of a recording and their plan lines: the lines come in the order of the units, at once or later.
protocol UnitSink: ~Copyable {
  /// The next unit, which would be sent at `time`, ns from the start of the run, if nothing impaired it.
  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws
  /// The line of the first unit that has none yet.
  mutating func add(_ line: PlanLine, sentAt time: Int64)
}

extension ReplayFeedWriter: UnitSink {
  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws {
    try add(unit, pieces: pieces, bytes)
  }
}

extension RecordedStimulus: UnitSink {
  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws {
    add(unit, pieces, bytes, at: Timestamp(nanoseconds: time))
  }

  mutating func add(_ line: PlanLine, sentAt time: Int64) { add(line) }
}

/// Reads the units of a recording, rewrites and plans them, and feeds them to whoever sends: the reading thread's work.
struct UnitFeeder: Sendable {
  /// What to read.
  let source: ReplaySource
  /// What the plan is made from.
  let header: PlanHeader
  /// A saved plan to carry out instead of making one.
  let planPath: String?
  /// From recorded time to run time.
  let timeline: Timeline
  /// Which packets suffer, by their numbers.
  let selection: @Sendable (Int) -> Bool
  /// The number of the last packet to read.
  let lastPacket: Int

  /// What a reading came to.
  struct Fed: Sendable {
    /// What came out, over all runs.
    var rates = AppliedRates()
    /// The fingerprint of the plan's text.
    var planDigest: CaptureDigest?
    /// What broke the file.
    var damage: Damage?
    /// When the last packet would be sent unimpaired, ns.
    var end: Int64 = 0
  }

  /// Feeds the whole recording once. `rewriter` is nil when nothing is to be rewritten.
  func feed<Sink: UnitSink & ~Copyable>(_ sink: inout Sink, _ rewriter: inout MessageRewriter?) throws -> Fed {
    var planner = UnitPlanner(header, timeline, file: try SavedPlan.opening(planPath), selection: selection)
    var lines: [(PlanLine, Int64)] = []
    var scratch: [UInt8] = []
    let reading = try source.read(upTo: lastPacket) { unit, pieces, bytes in
      let time = planner.runTime(of: unit)
      if rewriter != nil {
        scratch.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { scratch.append(contentsOf: $0) }
        rewriter?.rewrite(unit, pieces, &scratch, at: time)
        try sink.add(unit, pieces: pieces, scratch.span.bytes, at: time)
      } else {
        try sink.add(unit, pieces: pieces, bytes, at: time)
      }
      try planner.plan(unit, at: time, length: bytes.byteCount) { lines.append(($0, $1)) }
      for (line, sentAt) in lines { sink.add(line, sentAt: sentAt) }
      lines.removeAll(keepingCapacity: true)
      if planner.text.count > 32_768 { planner.takeText { _ in } }
    }
    try planner.finish { lines.append(($0, $1)) }
    for (line, sentAt) in lines { sink.add(line, sentAt: sentAt) }
    rewriter?.beginAgain(after: planner.end)
    return Fed(rates: planner.rates, planDigest: planner.digest(), damage: reading.damage, end: planner.end)
  }
}

extension SavedPlan {
  /// Opens the plan at this path and reads its header; nil stays nil.
  ///
  /// - Throws: `Failure` 66 when there is none, `SavedPlanError` when it is no plan.
  static func opening(_ path: String?) throws -> SavedPlan? {
    guard let path else { return nil }
    var file = try FileInput(path: path)
    return try SavedPlan(path) { try file.readPiece() }
  }
}
