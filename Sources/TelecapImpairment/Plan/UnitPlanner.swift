import TelecapRecording

/// Gives every unit its plan line, made or read, and keeps the account. Parts of streams are never dropped, doubled,
/// changed or put out of order, whatever is asked for.
public struct UnitPlanner: ~Copyable {
  private var planner: Planner
  private var file: SavedPlan?
  private var timeline: Timeline
  private let selection: @Sendable (Int) -> Bool
  private let fields: FieldNames
  /// For each flow of streams, when its last part is due.
  private var streamDue: [Int: Nanoseconds] = [:]
  private var now: Nanoseconds = 0

  /// What came out so far.
  public private(set) var rates = AppliedRates()
  /// The plan's text since it was last taken away; the same bytes as a saved plan's.
  public private(set) var text: [UInt8] = []
  private var textDigest = CaptureDigest()
  /// When the last packet would be sent unimpaired, ns.
  public private(set) var end: Nanoseconds = 0

  /// Makes lines from impairments, or takes them from a saved plan.
  public init(
    _ header: PlanHeader, _ timeline: Timeline, file: consuming SavedPlan?, _ fields: FieldNames = .none,
    selection: @escaping @Sendable (Int) -> Bool
  ) {
    planner = Planner(header.impairments, seed: header.seed)
    self.timeline = timeline
    self.file = file
    self.selection = selection
    self.fields = fields
    PlanWriter.append(header, to: &text)
  }

  /// When this unit would be sent unimpaired, ns from the start of the run; ask once for each unit, in order.
  public mutating func runTime(of unit: ReplayUnit) -> Nanoseconds {
    end = timeline.runTime(of: unit.time)
    return end
  }

  /// Takes the next unit and emits the lines that are settled by it.
  ///
  /// - Parameters:
  ///   - changing: is asked, for a message that is to be changed, which of its fields become what.
  ///   - decided: is told what becomes of this unit by itself, before any line is emitted: its copies and changes stay,
  ///     its due times may still move.
  /// - Throws: `SavedPlanError`, what reading the saved plan throws, and what `decided` and `emit` throw.
  public mutating func plan(
    _ unit: ReplayUnit, at time: Nanoseconds, length: Int,
    changing: (RequestedChanges) -> FieldChanges = { _ in FieldChanges() },
    decided: (PlanLine) throws -> Void = { _ in },
    emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void
  ) throws {
    let isSelected = unit.carrier != .tcp && selection(unit.packet)
    let fields = fields
    guard file == nil else {
      now = max(now, time)
      var line = try file?.line(of: unit.packet) ?? .drop(unit.packet, by: nil)
      if unit.carrier == .tcp { line = try streamLine(line, flow: unit.flow) }
      try decided(line)
      rates.count(line, sentAt: now, isSelected: isSelected)
      PlanWriter.append(line, to: &text, fields)
      return try emit(line, now)
    }
    let packet = PlannedPacket(
      number: unit.packet, time: time, flow: UInt32(clamping: unit.flow), length: length, isSelected: isSelected)
    try planning { planner, text in
      try planner.plan(packet, changing: changing, decided: decided) { line, sentAt in
        PlanWriter.append(line, to: &text, fields)
        try emit(line, sentAt)
      }
    }
  }

  /// Emits the lines that are left.
  public mutating func finish(emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) throws {
    guard file == nil else {
      try file?.finish()
      return
    }
    let fields = fields
    try planning { planner, text in
      try planner.finish { line, sentAt in
        PlanWriter.append(line, to: &text, fields)
        try emit(line, sentAt)
      }
    }
    rates = planner.rates
  }

  /// The fingerprint of the plan's text, once all lines are there.
  public mutating func digest() -> CaptureDigest {
    takeText { _ in }
    return textDigest
  }

  /// Hands the text on and forgets it.
  public mutating func takeText(_ body: ([UInt8]) throws -> Void) rethrows {
    var digest = textDigest
    digest.add(text.span.bytes)
    textDigest = digest
    try body(text)
    text.removeAll(keepingCapacity: true)
  }

  /// Both are changed at once, so the text leaves its place meanwhile; nothing is copied.
  private mutating func planning(_ body: (inout Planner, inout [UInt8]) throws -> Void) rethrows {
    var text: [UInt8] = []
    swap(&text, &self.text)
    defer { swap(&text, &self.text) }
    try body(&planner, &text)
  }

  /// A hand may move a part of a stream in time, but no byte may be missing, changed or come before the one ahead of it.
  private mutating func streamLine(_ line: PlanLine, flow: Int) throws -> PlanLine {
    guard line.verdict == .deliver, line.due.count == 1, line.flips.isEmpty, line.changes.isEmpty else {
      throw SavedPlanError.streamChanged(packet: line.packet)
    }
    var line = line
    let due = max(line.due[0], streamDue[flow] ?? 0)
    streamDue[flow] = due
    line.due = [due]
    return line
  }
}
