import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapTele
import TelecapTransport
import TelecapWire

/// A consumer of a recording's units and their plan lines. The lines come in the order of the units, at once or later.
public protocol UnitSink: ~Copyable {
  /// Adds the next unit, which would be sent at `time`, in ns from the start of the run, without impairments.
  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws
  /// Adds the line of the first unit without one.
  mutating func add(_ line: PlanLine, sentAt time: Nanoseconds)
  /// Whether it gets messages before field changes, and applies the changes of the lines itself.
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

  /// Adds the next unit, which is due at `time`.
  public mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) throws {
    add(unit, pieces, bytes, at: Timestamp(nanoseconds: time))
  }

  /// Adds the line of the first unit without one.
  public mutating func add(_ line: PlanLine, sentAt time: Nanoseconds) { add(line) }
}

/// Reads the units of a recording, rewrites and plans them, and feeds them to a sink: the work of the reading thread.
public struct UnitFeeder: Sendable {
  /// The packets to read.
  public let source: ReplaySource
  /// The parameters of the plan.
  public let header: PlanHeader
  /// The path of a saved plan that replaces a new one.
  public let planPath: String?
  /// Converts recorded time to run time.
  public let timeline: Timeline
  /// Selects the packets to impair, by number.
  public let selection: @Sendable (Int) -> Bool
  /// The changer of message fields.
  public let changer: MessageChanger
  /// The protocol version of each flow's payloads, by flow number; nil for unknown ones.
  private let dialects: [Dialect?]
  /// The scan of the source.
  private let survey: RecordingScan

  /// The result of feeding.
  public struct Fed: Sendable {
    /// The resulting rates over all runs.
    public var rates = AppliedRates()
    /// The fingerprint of the plan's text.
    public var planDigest: CaptureDigest?
    /// The damage of the file.
    public var damage: Damage?
    /// The messages, and the effect of the plan on them; nil where they were not counted.
    public var messages: PlannedMessages?
    /// Fields that were to be set and are in none of the chosen messages.
    public var withoutEffect: [SetFields.Item] = []

    /// An empty result.
    public init() {}

    /// The requested impairments with the resulting rates, and settings without effect, a line each.
    public func account(of header: PlanHeader) -> [String] {
      rates.account(of: header.impairments).map(\.description) + idle
    }

    /// Settings without effect, a line each.
    public var idle: [String] { withoutEffect.map(\.isInNone) }
  }

  /// Feeds the packets of `source`, by a saved plan or a new one.
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

  /// Observes a plan, on the reading thread.
  public struct Watcher: Sendable {
    /// Called with the decision on a packet, and the time at which it would have been sent, in ns since the start of
    /// the run.
    let line: @Sendable (PlanLine, _ sentAt: Nanoseconds) -> Void
    /// Called with the original of a packet whose fields are changed, before any other observer.
    let original: @Sendable (_ packet: Int, RawSpan) -> Void

    /// An observer with these functions.
    public init(
      line: @escaping @Sendable (PlanLine, _ sentAt: Nanoseconds) -> Void,
      original: @escaping @Sendable (_ packet: Int, RawSpan) -> Void
    ) {
      (self.line, self.original) = (line, original)
    }
  }

  /// Feeds the whole recording once. `rewriter` is nil when nothing is to be rewritten.
  ///
  /// - Parameters:
  ///   - watcher: observes the plan; nil for none.
  ///   - countsMessages: whether messages are counted by kind, which costs time for each packet.
  /// - Throws: errors of reading and of the sink.
  public func feed<Sink: UnitSink & ~Copyable>(
    _ sink: inout Sink, _ rewriter: inout MessageRewriter?, telling watcher: Watcher? = nil,
    countsMessages: Bool = false
  ) throws -> Fed {
    try feed(&sink, &rewriter, telling: watcher, countsMessages ? PlannedMessages(of: source.role.owner) : nil) { _ in }
  }

  /// Reads the whole recording and passes on the plan's text, in pieces.
  ///
  /// - Throws: errors of reading and of `body`.
  public func plan(_ body: ([UInt8]) throws -> Void) throws -> Fed {
    var nobody = Nobody()
    var rewriter: MessageRewriter?
    return try feed(&nobody, &rewriter, telling: nil, nil, text: body)
  }

  private func feed<Sink: UnitSink & ~Copyable>(
    _ sink: inout Sink, _ rewriter: inout MessageRewriter?, telling watcher: Watcher?, _ counted: PlannedMessages?,
    text: ([UInt8]) throws -> Void
  ) throws -> Fed {
    var planner = UnitPlanner(
      header, timeline, file: try SavedPlan.opening(planPath, changer.names), changer.names,
      selection: selection)
    var messages = counted
    func emit(_ line: PlanLine, _ time: Nanoseconds) throws {
      for copy in 0..<line.due.count { try UnitFeeder.bound(line.packet, line.due[copy], after: time) }
      watcher?.line(line, time)
      messages?.add(line)
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
            messages?.add(bytes, packet: unit.packet, flow: unit.flow, over: unit.carrier)
            return try sink.add(unit, pieces: pieces, bytes, at: time)
          }
          scratch.removeAll(keepingCapacity: true)
          bytes.withUnsafeBytes { scratch.append(contentsOf: $0) }
          rewriter?.rewrite(unit, pieces, &scratch, at: time)
          if sink.changesFields { try sink.add(unit, pieces: pieces, scratch.span.bytes, at: time) }
          if !line.changes.isEmpty { watcher?.original(unit.packet, scratch.span.bytes) }
          try change(&scratch, line.changes, of: unit, dialect)
          messages?.add(scratch.span.bytes, packet: unit.packet, flow: unit.flow, over: unit.carrier)
          if !sink.changesFields { try sink.add(unit, pieces: pieces, scratch.span.bytes, at: time) }
        },
        emit: emit)
      if planner.text.count > 32_768 { try planner.takeText(text) }
    }
    // If a line of the plan could not be applied, later ones were not requested.
    if !(damage?.reason is SavedPlanError) { try planner.finish(emit: emit) }
    try planner.takeText(text)
    rewriter?.beginAgain(after: planner.end)
    var fed = Fed()
    (fed.rates, fed.planDigest, fed.damage) = (planner.rates, planner.digest(), damage)
    fed.messages = messages
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

  /// Passes on every unit: the kept ones, or without room for them those of the recording up to the same packet. A
  /// damaged plan ends it like a damaged recording.
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

/// A sink that drops all units.
private struct Nobody: UnitSink {
  func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) {}
  func add(_ line: PlanLine, sentAt time: Nanoseconds) {}
}
