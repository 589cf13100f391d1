import TelecapRecording
import TelecapText

/// A saved plan, read line by line as the packets come.
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
  ///   - name: what errors call the plan: its file.
  ///   - fields: the fields that its lines may change.
  ///   - readPiece: gives the plan's next bytes, of any number; none at its end.
  /// - Throws: `SavedPlanError` when it is no plan, or what `readPiece` throws.
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

  /// The line of this packet; nil when there is none, because a person took it out. Ask for packets in ascending order.
  ///
  /// - Throws: `SavedPlanError.stray` at a line of a packet that is not replayed; what reading the plan throws.
  mutating func line(of packet: Int) throws -> PlanLine? {
    guard let line = try peek() else { return nil }
    if line.packet < packet { throw SavedPlanError.stray(plan: name, packet: line.packet) }
    guard line.packet == packet else { return nil }
    next += 1
    return line
  }

  /// The first and the last packet of its lines; nil when there are none. It takes them all: nothing is left to be asked for.
  ///
  /// - Throws: what reading the plan throws.
  public mutating func packets() throws -> ClosedRange<Int>? {
    guard let first = try peek()?.packet else { return nil }
    var last = first
    while let line = try peek() { (last, next) = (line.packet, next + 1) }
    return first...last
  }

  /// Throws when lines are left.
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

  /// Reads a piece; whether the plan has ended.
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

/// Why a saved plan cannot be carried out. A plan is called by its file.
public enum SavedPlanError: Advising, Hashable, Sendable, CustomStringConvertible {
  /// It is no plan.
  case syntax(plan: String, PlanSyntaxError)
  /// It has no first line.
  case noHeader(plan: String)
  /// It was made for packets of another fingerprint than those of the recording; empty when it does not say for which.
  case otherPackets(plan: String, made: String, CaptureDigest, recording: String)
  /// It was made for packets of this fingerprint, and nobody sent such in the recording, nor in the part that it speaks of.
  case ofNobody(plan: String, made: String, recording: String)
  /// It runs at another speed than the recording, or leaves out silence.
  case otherTime(plan: String)
  /// More is being recorded of what it would be drawn over.
  case growing(plan: String)
  /// It has a line for a packet that is not replayed.
  case stray(plan: String, packet: Int)
  /// It changes what this packet's message does not have, or cannot hold.
  case notChanged(packet: Int, FieldProblem)
  /// It does to a part of a TCP stream what TCP never does.
  case streamChanged(packet: Int)

  /// What is wrong, in a sentence.
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

  /// The command that makes such a plan anew.
  private static func renewal(_ recording: String, _ plan: String) -> String {
    "telecap plan \(Escaping.shellPath(recording)) -o \(Escaping.shellPath(plan))"
  }

  /// What to do about it; empty when nothing can be said.
  public var advice: String {
    switch self {
    case .syntax, .noHeader, .notChanged: ""
    case .otherPackets(let plan, _, _, let recording):
      "give the capture, and the --as, --from and --until, that it was made with; "
        + "or make a new one with \(SavedPlanError.renewal(recording, plan))"
    case .ofNobody(let plan, _, let recording):
      "give the capture that it was made for; or make a new one with \(SavedPlanError.renewal(recording, plan))"
    case .growing: "leave out --plan, or wait for the end of the recording"
    case .otherTime: "make one without --speed and --max-gap"
    case .stray: "take the line out, or give the --as, --from and --until that the plan was made with"
    case .streamChanged: "TCP delivers every byte once: only the due time of such a packet can be edited"
    }
  }
}
