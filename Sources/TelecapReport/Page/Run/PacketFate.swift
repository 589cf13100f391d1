import TelecapImpairment
import TelecapRecording
import TelecapText

/// The change of a packet by a network, if it was not only forwarded.
public enum PacketFate: Hashable, Sendable {
  /// No copy of it arrived: the impairment that decided that; nil where the plan does not say, for a person took it out, or nobody was there any more.
  case lost(by: ImpairmentID?)
  /// It arrived after one that was sent later (RFC 4737, 3: reordered), this number of ns after it was sent.
  case reordered(Nanoseconds)
  /// It arrived with another content, in words.
  case changed(String)
  /// So many copies of it arrived.
  case duplicated(Int)

  /// The kind of fate in a lane of marks.
  enum Kind: String, CaseIterable, Sendable {
    case lost, reordered, changed, duplicated

    /// The kind of this name in a file of results. Earlier versions wrote "late" for reordered.
    init?(stored name: String) { self.init(rawValue: name == "late" ? "reordered" : name) }

    /// Its mark: kinds are told apart without colour too.
    var shape: String {
      switch self {
      case .lost: "M-4 -4l8 8m0 -8l-8 8"
      case .reordered: "M0 -5l4 5l-4 5l-4 -5z"
      case .changed: "M-4 -4h8v8h-8z"
      case .duplicated: "M-3 -4v8m6 -8v8"
      }
    }

    var meaning: String {
      switch self {
      case .lost: "never arrived"
      case .reordered: "arrived after one that was sent later"
      case .changed: "arrived with another content"
      case .duplicated: "arrived more than once"
      }
    }
  }

  var kind: Kind {
    switch self {
    case .lost: .lost
    case .reordered: .reordered
    case .changed: .changed
    case .duplicated: .duplicated
    }
  }

  /// Its fate, to be read after its number.
  var words: String {
    switch self {
    case .lost(let impairment?): "lost by \(ImpairmentList.all.name(of: impairment) ?? "a network")"
    case .lost(nil): "lost: the plan does not deliver it"
    case .reordered(let delay): "reordered: \(Numbers.time(delay)) after it was sent"
    case .changed(let what): "changed: \(what)"
    case .duplicated(let copies): "duplicated: \(copies) copies"
    }
  }
}

/// The packets of which one thing became, by columns of time.
struct FateLane: Sendable {
  let kind: PacketFate.Kind
  private(set) var marks: ReducedMarks
  /// The fate of the first packet of each column, by its number.
  private var firsts: [Int: PacketFate] = [:]

  init(_ kind: PacketFate.Kind, _ grid: TimeGrid) { (self.kind, marks) = (kind, ReducedMarks(grid)) }

  /// It became of this packet, at this time. The words of those that no mark stands for are never made.
  mutating func add(_ packet: Int, at time: Timestamp, _ fate: () -> PacketFate) {
    if marks.add(packet: packet, at: time) { firsts[packet] = fate() }
  }

  /// The text of a mark: the first packet of its column, its fate, and the number of others.
  func words(_ mark: ReducedMarks.Mark) -> String {
    let more = mark.count > 1 ? ", and \(Numbers.grouped(mark.count - 1)) more" : ""
    return "packet \(Numbers.grouped(mark.packet)) \(firsts[mark.packet]?.words ?? kind.rawValue)\(more)"
  }

  /// The same in other columns, whose first packets are among those of these.
  func reduced(to grid: TimeGrid) -> FateLane {
    var result = self
    result.marks = marks.reduced(to: grid)
    return result
  }
}

/// The fates of packets by the lines of a plan, in columns of time. Another thread than that of the arrivals may read lines.
public struct PlannedFates: Sendable {
  private(set) var lost: FateLane
  private(set) var changed: FateLane
  private(set) var duplicated: FateLane
  /// All packets, when they were sent.
  private(set) var sent: ReducedMarks
  /// When the run began.
  private let start: Timestamp
  private let names: FieldNames

  /// No line yet.
  ///
  /// - Parameters:
  ///   - start: when the run begins, in the time of the grid.
  ///   - names: the fields that lines may change.
  public init(_ grid: TimeGrid, start: Timestamp = .zero, _ names: FieldNames) {
    (lost, changed, duplicated) = (FateLane(.lost, grid), FateLane(.changed, grid), FateLane(.duplicated, grid))
    (sent, self.start, self.names) = (ReducedMarks(grid), start, names)
  }

  /// The line of a packet that would have been sent then, in ns since the start of the run.
  public mutating func add(_ line: PlanLine, sentAt: Nanoseconds) {
    let names = names
    func time(_ copy: Int) -> Timestamp { start.advanced(byNanoseconds: max(sentAt, line.due[copy])) }
    sent.add(packet: line.packet, at: start.advanced(byNanoseconds: sentAt))
    guard line.verdict == .deliver, !line.due.isEmpty else {
      return lost.add(line.packet, at: start.advanced(byNanoseconds: sentAt)) { .lost(by: line.by) }
    }
    if !line.changes.isEmpty || !line.flips.isEmpty {
      changed.add(line.packet, at: time(0)) { .changed(PlannedFates.words(line, names)) }
    }
    if line.due.count > 1 {
      duplicated.add(line.packet, at: time(line.due.count - 1)) { .duplicated(line.due.count) }
    }
  }

  /// The changes of a line: `intensity becomes 1.5, bit 97 flipped`.
  private static func words(_ line: PlanLine, _ names: FieldNames) -> String {
    var words = line.changes.map { "\(names.name(of: $0.field) ?? "a field") becomes \($0.value)" }
    for place in 0..<line.flips.count { words.append("bit \(line.flips[place]) flipped") }
    return words.joined(separator: ", ")
  }
}
