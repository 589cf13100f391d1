import TelecapRecording
import TelecapText

/// A saved plan that is read line by line with the packets.
public struct SavedPlan: ~Copyable {
  private let name: String
  private let readPiece: () throws -> ArraySlice<UInt8>
  private var reader: PlanReader
  private var lines: [PlanLine] = []
  private var next = 0
  private var isEnded = false
  /// Its first line.
  public let header: PlanHeader

  /// Reads a plan's header.
  ///
  /// - Parameters:
  ///   - name: the name of the plan in errors: its file.
  ///   - fields: the fields that its lines may change.
  ///   - readPiece: returns the plan's next bytes, any number of them; none at its end.
  /// - Throws: `SavedPlanError` if it is not a plan, or any error of `readPiece`.
  public init(
    _ name: String, _ fields: FieldNames = .none, readPiece: @escaping () throws -> ArraySlice<UInt8>
  ) throws {
    self.name = name
    self.readPiece = readPiece
    var (reader, lines, isEnded) = (PlanReader(of: .all, fields), [PlanLine](), false)
    while reader.header == nil, !isEnded { isEnded = try Self.read(name, readPiece, &reader, &lines) }
    guard let header = reader.header else { throw SavedPlanError.noHeader(plan: name) }
    (self.reader, self.lines, self.isEnded, self.header) = (reader, lines, isEnded, header)
  }

  /// Checks that the plan was made for these packets.
  ///
  /// - Throws: `SavedPlanError.otherPackets`, which names the recording.
  public func check(_ digest: CaptureDigest, of recording: String) throws(SavedPlanError) {
    guard header.capture != digest.description else { return }
    throw .otherPackets(plan: name, made: header.capture, digest, recording: recording)
  }

  /// The line of this packet; nil if the user removed it. Packets must be ascending.
  ///
  /// - Throws: `SavedPlanError.stray` at a line of a packet that is not replayed; any error of reading the plan.
  mutating func line(of packet: Int) throws -> PlanLine? {
    guard let line = try peek() else { return nil }
    if line.packet < packet { throw SavedPlanError.stray(plan: name, packet: line.packet) }
    guard line.packet == packet else { return nil }
    next += 1
    return line
  }

  /// The first and the last packet of its lines; nil without lines. Consumes all lines.
  ///
  /// - Throws: any error of reading the plan.
  public mutating func packets() throws -> ClosedRange<Int>? {
    guard let first = try peek()?.packet else { return nil }
    var last = first
    while let line = try peek() { (last, next) = (line.packet, next + 1) }
    return first...last
  }

  /// Throws if lines are left.
  mutating func finish() throws {
    if let line = try peek() { throw SavedPlanError.stray(plan: name, packet: line.packet) }
  }

  private mutating func peek() throws -> PlanLine? {
    while next == lines.count {
      if isEnded { return nil }
      lines.removeAll(keepingCapacity: true)
      next = 0
      isEnded = try Self.read(name, readPiece, &reader, &lines)
    }
    return lines[next]
  }

  /// Reads a chunk; returns whether the plan has ended.
  private static func read(
    _ name: String, _ readPiece: () throws -> ArraySlice<UInt8>, _ reader: inout PlanReader, _ lines: inout [PlanLine]
  ) throws -> Bool {
    let piece = try readPiece()
    do {
      if piece.isEmpty {
        try reader.finish { lines.append($0) }
      } else {
        try reader.read(piece.span.bytes) { lines.append($0) }
      }
    } catch let error as PlanSyntaxError {
      throw SavedPlanError.syntax(plan: name, error)
    }
    return piece.isEmpty
  }
}

/// The reason why a saved plan cannot be carried out. A plan is named by its file.
public enum SavedPlanError: Advising, Hashable, Sendable, CustomStringConvertible {
  /// The file is not a plan.
  case syntax(plan: String, PlanSyntaxError)
  /// The plan has no first line.
  case noHeader(plan: String)
  /// The plan was made for packets with another fingerprint than the recording's; empty if it has none.
  case otherPackets(plan: String, made: String, CaptureDigest, recording: String)
  /// The plan was made for packets with this fingerprint, but no side sent them, in the recording or in the plan's part
  /// of it.
  case ofNobody(plan: String, made: String, recording: String)
  /// The plan has another speed than the recording, or skips silence.
  case otherTime(plan: String)
  /// The recording of the picture is still being recorded.
  case growing(plan: String)
  /// The plan has a line for a packet that is not replayed.
  case stray(plan: String, packet: Int)
  /// The plan changes a field that this packet's message does not have, or to an impossible value.
  case notChanged(packet: Int, FieldProblem)
  /// The plan impairs a TCP stream in a way that TCP never does.
  case streamChanged(packet: Int)

  /// The problem, as a sentence.
  public var description: String {
    switch self {
    case .syntax(let plan, let error): "\(plan): \(error)"
    case .noHeader(let plan): "\(plan): a plan begins with its header"
    case .otherPackets(let plan, let made, let digest, _):
      "\(plan): made for other packets (digest \(made.isEmpty ? "missing" : made); these are \(digest))"
    case .ofNobody(let plan, let made, let recording):
      "\(plan): made for other packets (digest \(made.isEmpty ? "missing" : made)) than anybody sent in \(recording)"
    case .otherTime(let plan): "\(plan): it does not run in the recording's own time, in which it would be drawn"
    case .growing(let plan): "\(plan): a plan is drawn over a recording that has ended, and this one goes on"
    case .stray(let plan, let packet): "\(plan): a line for packet \(packet), which is no packet of this replay"
    case .notChanged(let packet, let problem): "the plan's line of packet \(packet): \(problem)"
    case .streamChanged(let packet): "the plan drops, repeats or changes packet \(packet), a part of a TCP stream"
    }
  }

  /// The command that makes such a plan again.
  private static func renewal(_ recording: String, _ plan: String) -> String {
    "telecap plan \(Escaping.shellPath(recording)) -o \(Escaping.shellPath(plan))"
  }

  /// The advice; empty if there is none.
  public var advice: String {
    switch self {
    case .syntax, .noHeader, .notChanged: ""
    case .otherPackets(let plan, _, _, let recording):
      "give the capture, and the --role, --from and --until, that it was made with; "
        + "or make a new one with \(SavedPlanError.renewal(recording, plan))"
    case .ofNobody(let plan, _, let recording):
      "give the capture that it was made for; or make a new one with \(SavedPlanError.renewal(recording, plan))"
    case .growing: "leave out --plan, or wait for the end of the recording"
    case .otherTime: "make one without --speed and --max-gap"
    case .stray: "take the line out, or give the --role, --from and --until that the plan was made with"
    case .streamChanged: "TCP delivers every byte once: only the due time of such a packet can be edited"
    }
  }
}
