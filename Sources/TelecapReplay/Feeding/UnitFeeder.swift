import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapTele
import TelecapTransport
import TelecapWire

/// Who takes the units of a recording and their plan lines: the lines come in the order of the units, at once or later.
public protocol UnitSink: ~Copyable {
  /// The next unit, which would be sent at `time`, ns from the start of the run, if nothing impaired it.
  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws
  /// The line of the first unit that has none yet.
  mutating func add(_ line: PlanLine, sentAt time: Nanoseconds)
  /// It wants messages before the network changed their fields, and does what the lines say of that by itself.
  var changesFields: Bool { get }
}

extension UnitSink where Self: ~Copyable {
  public var changesFields: Bool { false }
}

extension ReplayFeedWriter: UnitSink {
  /// Adds the next unit; its time comes with its line.
  public mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws {
    try add(unit, pieces: pieces, bytes)
  }
}

extension RecordedStimulus: UnitSink {
  public var changesFields: Bool { true }

  /// Adds the next unit, which is meant to be sent at `time`.
  public mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws {
    add(unit, pieces, bytes, at: Timestamp(nanoseconds: time))
  }

  /// Adds the line of the first unit that has none yet.
  public mutating func add(_ line: PlanLine, sentAt time: Nanoseconds) { add(line) }
}

/// Reads the units of a recording, rewrites and plans them, and feeds them to whoever sends: the reading thread's work.
public struct UnitFeeder: Sendable {
  /// What to read.
  public let source: ReplaySource
  /// What the plan is made from.
  public let header: PlanHeader
  /// A saved plan to carry out instead of making one.
  public let planPath: String?
  /// From recorded time to run time.
  public let timeline: Timeline
  /// Which packets suffer, by their numbers.
  public let selection: @Sendable (Int) -> Bool
  /// Knows the fields of messages that are to be changed.
  public let changer: MessageChanger
  /// What the payloads of each flow are, by its number; nil where nobody knows.
  private let dialects: [Dialect?]
  /// What a survey of the source came to.
  private let survey: RecordingScan

  /// What a reading came to.
  public struct Fed: Sendable {
    /// What came out, over all runs.
    public var rates = AppliedRates()
    /// The fingerprint of the plan's text.
    public var planDigest: CaptureDigest?
    /// What broke the file.
    public var damage: Damage?
    /// What was to be set, and is in no message that it was drawn for.
    public var withoutEffect: [SetFields.Item] = []

    /// Nothing yet.
    public init() {}

    /// What was asked for beside what came out, and what of it had no effect, a line each.
    public func account(of header: PlanHeader) -> [String] {
      rates.account(of: header.impairments).map(\.description) + idle
    }

    /// What had no effect, a line each.
    public var idle: [String] { withoutEffect.map(\.isInNone) }
  }

  /// Feeds what was found of `source`, by a plan that is read or made.
  /// - Throws: `FieldProblem` when a field is to be set that no message has.
  public init(
    source: ReplaySource, _ survey: RecordingScan, header: PlanHeader, planPath: String? = nil,
    timeline: Timeline = Timeline(speed: .recorded), selection: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws(FieldProblem) {
    (self.source, self.survey, self.header, self.planPath) = (source, survey, header, planPath)
    (self.timeline, self.selection) = (timeline, selection)
    changer = try MessageChanger(source.ports.protocols, header.impairments)
    try MessageChanger.check(header.impairments, of: [source.role.owner], sentBy: [source.role.side])
    dialects = source.dialects(of: survey.reading.flows)
  }

  /// Is told, by the thread that reads, what a plan does.
  public struct Watcher: Sendable {
    /// What becomes of a packet, and when it would have been sent, in ns since the start of the run.
    let line: @Sendable (PlanLine, _ sentAt: Nanoseconds) -> Void
    /// A packet of this number whose fields are changed, as it was before; told before anybody else hears of it.
    let original: @Sendable (_ packet: Int, RawSpan) -> Void

    /// One that does this.
    public init(
      line: @escaping @Sendable (PlanLine, _ sentAt: Nanoseconds) -> Void,
      original: @escaping @Sendable (_ packet: Int, RawSpan) -> Void
    ) {
      (self.line, self.original) = (line, original)
    }
  }

  /// Feeds the whole recording once. `rewriter` is nil when nothing is to be rewritten.
  ///
  /// - Parameter watcher: is told what the plan does; nil where nobody wants to know.
  /// - Throws: what reading throws, and what the sink throws.
  public func feed<Sink: UnitSink & ~Copyable>(
    _ sink: inout Sink, _ rewriter: inout MessageRewriter?, telling watcher: Watcher? = nil
  ) throws -> Fed {
    try feed(&sink, &rewriter, telling: watcher) { _ in }
  }

  /// Reads the whole recording and hands on the plan's text, in pieces.
  ///
  /// - Throws: what reading throws, and what `body` throws.
  public func plan(_ body: ([UInt8]) throws -> Void) throws -> Fed {
    var nobody = Nobody()
    var rewriter: MessageRewriter?
    return try feed(&nobody, &rewriter, telling: nil, text: body)
  }

  private func feed<Sink: UnitSink & ~Copyable>(
    _ sink: inout Sink, _ rewriter: inout MessageRewriter?, telling watcher: Watcher?,
    text: ([UInt8]) throws -> Void
  ) throws -> Fed {
    var planner = UnitPlanner(
      header, timeline, file: try SavedPlan.opening(planPath, changer.names), changer.names,
      selection: selection)
    func emit(_ line: PlanLine, _ time: Nanoseconds) throws {
      for copy in 0..<line.due.count { try UnitFeeder.bound(line.packet, line.due[copy], after: time) }
      watcher?.line(line, time)
      sink.add(line, sentAt: time)
    }
    var scratch: [UInt8] = []
    var last: Nanoseconds = 0
    let damage = try read { unit, pieces, bytes in
      let time = planner.runTime(of: unit)
      try UnitFeeder.bound(unit.packet, time, after: last)
      last = time
      let dialect = dialects.indices.contains(unit.flow) ? dialects[unit.flow] : nil
      try planner.plan(
        unit, at: time, length: bytes.byteCount,
        changing: { wish in dialect.map { changer.changes(wish, of: bytes, as: $0) } ?? FieldChanges() },
        decided: { line in
          guard rewriter != nil || !line.changes.isEmpty else {
            return try sink.add(unit, pieces: pieces, bytes, at: time)
          }
          scratch.removeAll(keepingCapacity: true)
          bytes.withUnsafeBytes { scratch.append(contentsOf: $0) }
          rewriter?.rewrite(unit, pieces, &scratch, at: time)
          if sink.changesFields { try sink.add(unit, pieces: pieces, scratch.span.bytes, at: time) }
          if !line.changes.isEmpty { watcher?.original(unit.packet, scratch.span.bytes) }
          try change(&scratch, line.changes, of: unit, dialect)
          if !sink.changesFields { try sink.add(unit, pieces: pieces, scratch.span.bytes, at: time) }
        },
        emit: emit)
      if planner.text.count > 32_768 { try planner.takeText(text) }
    }
    // Where a line of the plan could not be carried out those behind it were not asked for.
    if !(damage?.reason is SavedPlanError) { try planner.finish(emit: emit) }
    try planner.takeText(text)
    rewriter?.beginAgain(after: planner.end)
    var fed = Fed()
    (fed.rates, fed.planDigest, fed.damage) = (planner.rates, planner.digest(), damage)
    fed.withoutEffect = changer.withoutEffect(fed.rates)
    return fed
  }

  private static func bound(
    _ packet: Int, _ time: Nanoseconds, after before: Nanoseconds
  ) throws(ReplayProblem) {
    let (gap, isOver) = time.subtractingReportingOverflow(before)
    guard isOver || gap > Script.longestStandstill else { return }
    throw .standstill(packet: packet, length: isOver ? .max : gap, most: Script.longestStandstill)
  }

  private func change(
    _ bytes: inout [UInt8], _ changes: FieldChanges, of unit: ReplayUnit, _ dialect: Dialect?
  ) throws {
    guard !changes.isEmpty else { return }
    do throws(FieldProblem) {
      guard let dialect else {
        throw FieldProblem("nobody knows the messages of its flow: only their bits can be flipped")
      }
      try changer.apply(changes, to: &bytes, as: dialect)
    } catch {
      throw SavedPlanError.notChanged(packet: unit.packet, error)
    }
  }

  /// Hands on every unit: those that were kept, or, where there was no room for them, the recording's up to the same packet.
  /// A damaged plan ends it as a damaged recording does.
  private func read(_ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void) throws -> Damage? {
    var damage = survey.reading.damage
    let broken = try Damage.ending(
      {
        if let spool = survey.spool {
          try spool.forEach(body)
        } else {
          damage = try source.read(upTo: survey.reading.lastPacket, body).damage
        }
      }, or: { $0 is SavedPlanError })
    return broken ?? damage
  }
}

/// Takes units and keeps none of them.
private struct Nobody: UnitSink {
  func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) {}
  func add(_ line: PlanLine, sentAt time: Nanoseconds) {}
}
