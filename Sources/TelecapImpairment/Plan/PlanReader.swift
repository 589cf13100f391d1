import TelecapRecording
import TelecapText

/// Parses a plan in chunks of any size. It accepts edited files: keys in any order, white space, blank lines, several
/// due times and flips, a due time without brackets, and leftover due times of a line that was changed to a drop.
/// Anything else is an error with its line and column.
public struct PlanReader {
  /// The header, once its line was read.
  public private(set) var header: PlanHeader?

  private var scanner = PlanScanner()
  private var lastPacket = 0
  private static let longestLine = 1 << 20

  private let list: ImpairmentList
  private let fields: FieldNames

  /// A reader at the start of a plan, with the impairments and the fields that it may contain.
  public init(of list: ImpairmentList = .all, _ fields: FieldNames = .none) {
    (self.list, self.fields) = (list, fields)
  }

  /// Parses the next chunk and passes each completed line to `body`. Throws `PlanSyntaxError`, or any error of `body`.
  public mutating func read(_ piece: RawSpan, body: (PlanLine) throws -> Void) throws {
    for offset in 0..<piece.byteCount {
      let byte = piece.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
      if byte == UInt8(ascii: "\n") {
        try endLine(body)
      } else if scanner.bytes.count < PlanReader.longestLine {
        scanner.bytes.append(byte)
      } else {
        throw PlanSyntaxError(
          line: scanner.line, column: PlanReader.longestLine, problem: "this line is too long for a plan")
      }
    }
  }

  /// Ends the plan: a last line without a line feed counts.
  public mutating func finish(body: (PlanLine) throws -> Void) throws {
    try endLine(body)
    if header == nil { throw PlanSyntaxError(line: 1, column: 1, problem: "a plan begins with its header") }
  }

  private mutating func endLine(_ body: (PlanLine) throws -> Void) throws {
    defer {
      scanner.bytes.removeAll(keepingCapacity: true)
      scanner.line += 1
    }
    if scanner.isBlank() { return }
    if header == nil {
      header = try PlanReader.header(&scanner, of: list)
    } else {
      try body(try line())
    }
  }

  private mutating func line() throws(PlanSyntaxError) -> PlanLine {
    var line = PlanLine.drop(0, by: nil)
    var seen = SeenKeys(known: PlanKey.line)
    var packetAt = 0
    let (list, fields) = (list, fields)
    let set = Set((header?.impairments[SetFields.self]?.items ?? []).map(\.field))
    try scanner.object { (scanner, name, keyAt) throws(PlanSyntaxError) in
      switch try seen.add(name, keyAt, scanner) {
      case .packet:
        scanner.skipSpace()
        packetAt = scanner.position
        line.packet = Int(try scanner.number("a packet's number", limit: UInt64(Int64.max)))
      case .verdict: line.verdict = try PlanReader.verdict(&scanner)
      case .by: line.by = try PlanReader.impairment(&scanner, of: list)
      case .set: line.changes = try PlanReader.changes(&scanner, fields, set)
      case .due: line.due = try scanner.numbers("a due time in ns", limit: Nanoseconds.max)
      case .flip: line.flips = try scanner.numbers("a bit of the payload", limit: UInt32.max)
      default: break
      }
    }
    try seen.require([.packet, .verdict], scanner)
    if line.packet <= lastPacket {
      throw scanner.error(
        "packet \(line.packet) follows packet \(lastPacket); packet numbers must increase", at: packetAt)
    }
    lastPacket = line.packet
    if line.verdict == .drop { return .drop(line.packet, by: line.by) }
    if line.due.isEmpty { throw scanner.error("a delivered packet needs \"due\", such as \"due\":[216666667]", at: 0) }
    line.due.sort()
    return line
  }

  private static func header(
    _ scanner: inout PlanScanner, of list: ImpairmentList
  ) throws(PlanSyntaxError) -> PlanHeader {
    var header = PlanHeader(seed: 0, capture: "")
    var seen = SeenKeys(known: PlanKey.header)
    try scanner.object { (scanner, name, keyAt) throws(PlanSyntaxError) in
      let key = try seen.add(name, keyAt, scanner)
      scanner.skipSpace()
      let start = scanner.position
      switch key {
      case .version:
        let version = try scanner.number("the plan's version", limit: UInt64(Int64.max))
        if version != UInt64(PlanHeader.version) {
          throw scanner.error("this plan is of version \(version); expected \(PlanHeader.version)", at: start)
        }
      case .seed: header.seed = try scanner.number("the seed", limit: .max)
      default:
        let text = try scanner.string("text in quotes")
        try set(key, to: text, in: &header, of: list, at: start, scanner)
      }
    }
    try seen.require([.format, .version, .seed], scanner)
    return header
  }

  private static func set(
    _ key: PlanKey, to text: String, in header: inout PlanHeader, of list: ImpairmentList, at start: Int,
    _ scanner: PlanScanner
  ) throws(PlanSyntaxError) {
    do throws(ImpairmentSyntaxError) {
      switch key {
      case .capture: header.capture = text
      case .selection: header.selection = text
      case .impairments: header.impairments = try Impairments(parsing: text, of: list)
      case .speed: header.speed = try Speed(parsing: text)
      case .maxGap: header.maxGap = try Interval(parsing: text)
      default:
        if text != PlanHeader.format {
          throw ImpairmentSyntaxError(text, "is not the format of a plan", expected: "\"\(PlanHeader.format)\"")
        }
      }
    } catch {
      throw scanner.error(error.description, at: start)
    }
  }

  /// `{"intensity":1.0000001}`, where a number may be `"bits:7fc00000"`; `set` has the fields that `SetFields` may
  /// change.
  private static func changes(
    _ scanner: inout PlanScanner, _ fields: FieldNames, _ set: Set<String>
  ) throws(PlanSyntaxError) -> FieldChanges {
    var changes = FieldChanges()
    try scanner.members("what fields become begins with") { (scanner, name, keyAt) throws(PlanSyntaxError) in
      guard let field = fields.number(of: name) else {
        throw scanner.error(fields.unknown(name).description, at: keyAt)
      }
      let value = try scanner.changedValue()
      guard changes.put(FieldChange(field: field, value, isHostile: !set.contains(name))) else {
        let isTwice = changes.contains { $0.field == field }
        throw scanner.error(
          isTwice
            ? "the field \"\(name)\" is there twice"
            : "a message has at most \(FieldChanges.capacity) fields changed", at: keyAt)
      }
    }
    return changes
  }

  private static func verdict(_ scanner: inout PlanScanner) throws(PlanSyntaxError) -> PlanLine.Verdict {
    scanner.skipSpace()
    let start = scanner.position
    switch try scanner.string("\"deliver\" or \"drop\"") {
    case "deliver": return .deliver
    case "drop": return .drop
    case let word: throw scanner.error("\"\(word)\" is not a verdict; expected \"deliver\" or \"drop\"", at: start)
    }
  }

  private static func impairment(
    _ scanner: inout PlanScanner, of list: ImpairmentList
  ) throws(PlanSyntaxError) -> ImpairmentID {
    scanner.skipSpace()
    let start = scanner.position
    let word = try scanner.string("the name of an impairment")
    if let impairment = list.id(named: word) { return impairment }
    let nearest = Spelling.closest(to: word, among: list.inOrder.map { $0.name }) ?? ""
    throw scanner.error("\"\(word)\" is not an impairment; did you mean \"\(nearest)\"?", at: start)
  }
}

/// The keys of an object that have been read: each once, none unknown, some required.
private struct SeenKeys {
  let known: [PlanKey]
  private var seen: UInt16 = 0

  init(known: [PlanKey]) { self.known = known }

  mutating func add(_ name: String, _ keyAt: Int, _ scanner: PlanScanner) throws(PlanSyntaxError) -> PlanKey {
    guard let key = PlanKey(rawValue: name), known.contains(key) else {
      let nearest = Spelling.closest(to: name, among: known.map(\.rawValue)) ?? ""
      throw scanner.error("unknown key \"\(name)\"; did you mean \"\(nearest)\"?", at: keyAt)
    }
    if seen & bit(key) != 0 { throw scanner.error("the key \"\(name)\" is there twice", at: keyAt) }
    seen |= bit(key)
    return key
  }

  func require(_ keys: [PlanKey], _ scanner: PlanScanner) throws(PlanSyntaxError) {
    for key in keys where seen & bit(key) == 0 {
      throw scanner.error("expected the key \"\(key.rawValue)\"", at: 0)
    }
  }

  private func bit(_ key: PlanKey) -> UInt16 { 1 << UInt16(PlanKey.allCases.firstIndex(of: key) ?? 0) }
}
