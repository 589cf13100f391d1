import TelecapImpairment
import TelecapRecording

/// A saved plan, read line by line as the packets come.
struct PlanFile: ~Copyable {
  private let path: String
  private var file: FileInput
  private var reader = PlanReader()
  private var lines: [PlanLine] = []
  private var next = 0
  private var isEnded = false

  /// Opens a plan and reads its header.
  ///
  /// - Throws: `Failure` 66 when there is none, 65 when it is no plan.
  static func open(_ path: String) throws -> PlanFile {
    var plan = PlanFile(path: path, file: try FileInput(path: path))
    while plan.reader.header == nil, !plan.isEnded { try plan.readPiece() }
    return plan
  }

  private init(path: String, file: consuming FileInput) {
    self.path = path
    self.file = file
  }

  /// Its first line.
  func header() throws -> PlanHeader {
    guard let header = reader.header else { throw Failure(.data, "\(path): a plan begins with its header") }
    return header
  }

  /// Throws unless the plan was made for these packets.
  func check(_ digest: CaptureDigest, _ source: ReplaySource) throws {
    let made = try header().capture
    guard made != digest.description else { return }
    throw Failure(
      .data, "\(path): made for other packets (digest \(made.isEmpty ? "missing" : made); these are \(digest))",
      advice: "give the capture, and the --as, --from and --until, that it was made with; "
        + "or make a new one with telecap plan \(source.path) -o \(path)")
  }

  /// The line of this packet; nil when there is none, because a person took it out.
  ///
  /// - Throws: `Failure` 65 at a line of a packet that is not replayed.
  mutating func line(of packet: Int) throws -> PlanLine? {
    guard let line = try peek() else { return nil }
    if line.packet < packet { throw stray(line) }
    guard line.packet == packet else { return nil }
    next += 1
    return line
  }

  /// Throws when lines are left.
  mutating func finish() throws {
    if let line = try peek() { throw stray(line) }
  }

  private func stray(_ line: PlanLine) -> Failure {
    Failure(
      .data, "\(path): a line for packet \(line.packet), which is no packet of this replay",
      advice: "take the line out, or give the --as, --from and --until that the plan was made with")
  }

  private mutating func peek() throws -> PlanLine? {
    while next == lines.count {
      if isEnded { return nil }
      lines.removeAll(keepingCapacity: true)
      next = 0
      try readPiece()
    }
    return lines[next]
  }

  private mutating func readPiece() throws {
    do {
      let piece = try file.readPiece()
      if piece.isEmpty {
        isEnded = true
        try reader.finish { lines.append($0) }
      } else {
        try reader.read(piece.span.bytes) { lines.append($0) }
      }
    } catch let error as PlanSyntaxError {
      throw Failure(.data, "\(path): \(error)")
    }
  }
}
