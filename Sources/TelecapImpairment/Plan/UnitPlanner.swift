import TelecapRecording

/// Gives every unit its plan line, computed or read, and counts the effects. Parts of streams are never dropped,
/// duplicated, changed or reordered, whatever the impairments are.
public struct UnitPlanner: ~Copyable {
  private var planner: Planner
  private var file: SavedPlan?
  private var timeline: Timeline
  private let selection: @Sendable (Int) -> Bool
  private let fields: FieldNames
  /// The due time of the last part of each flow of streams.
  private var streamDue: [Int: Nanoseconds] = [:]
  private var now: Nanoseconds = 0

  /// The observed rates so far.
  public private(set) var rates = AppliedRates()
  /// The plan's text since the last `takeText`; the same bytes as a saved plan's.
  public private(set) var text: [UInt8] = []
  private var textDigest = CaptureDigest()
  /// The time of unimpaired sending of the last packet, ns.
  public private(set) var end: Nanoseconds = 0

  /// Computes lines from impairments, or reads them from a saved plan.
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

  /// The time of unimpaired sending of this unit, ns from the start of the run; call once for each unit, in order.
  public mutating func runTime(of unit: ReplayUnit) -> Nanoseconds {
    end = timeline.runTime(of: unit.time)
    return end
  }

  /// Plans the next unit and emits the lines that it settles.
  ///
  /// - Parameters:
  ///   - changing: returns the changed fields of a message.
  ///   - decided: receives the decision on this unit itself, before any line is emitted: its copies and changes are
  ///     final, its due times may still change.
  /// - Throws: `SavedPlanError`, and any error of reading the saved plan, of `decided` and of `emit`.
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

  /// Emits the remaining lines.
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

  /// The fingerprint of the plan's text, after all lines.
  public mutating func digest() -> CaptureDigest {
    takeText { _ in }
    return textDigest
  }

  /// Passes the text to `body` and clears it.
  public mutating func takeText(_ body: ([UInt8]) throws -> Void) rethrows {
    var digest = textDigest
    digest.add(text.span.bytes)
    textDigest = digest
    try body(text)
    text.removeAll(keepingCapacity: true)
  }

  /// Takes the text out meanwhile, because both are changed at once; nothing is copied.
  private mutating func planning(_ body: (inout Planner, inout [UInt8]) throws -> Void) rethrows {
    var text: [UInt8] = []
    swap(&text, &self.text)
    defer { swap(&text, &self.text) }
    try body(&planner, &text)
  }

  /// An edited plan may shift a part of a stream in time, but not drop or change bytes, or reorder them.
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
