import TelecapText

/// JSON in the output of a system under test, read leniently. Bare `NaN`, `Infinity` and `-Infinity` are numbers, since
/// Python and JavaScript programs print them, and a host that applies a pose of NaN must be caught. Printed Python
/// dictionaries are read as well.
extension JSONNode {
  /// The objects of a line; empty where it is text or unreadable.
  public static func objects(printed line: some Collection<UInt8>) -> [JSONNode] { PrintedLine(line).objects }

  /// The value at a path of names, and of array indices from 0; nil where there is none. Of two members with one name
  /// the last counts.
  public subscript(path: [String]) -> JSONNode? {
    var node = self
    for name in path {
      switch node.value {
      case .object(let members):
        guard let member = members.last(where: { $0.key == name }) else { return nil }
        node = member.node
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        node = elements[index]
      default: return nil
      }
    }
    return node
  }

  /// The value as a number, also from a text such as `"0.5"` or `"nan"`; true is 1 and false 0.
  public var meantNumber: Double? {
    switch value {
    case .number: number ?? .nan
    case .bool(let value): value ? 1 : 0
    case .string(let text): JSONNode.number(of: text)
    default: nil
    }
  }

  /// The value as an exact whole number, also from a text; with decimals or an exponent only where a double is exact.
  public var meantWhole: WholeNumber? {
    switch value {
    case .number(let text), .string(let text): WholeNumber(text) ?? meantNumber.flatMap { WholeNumber(exactly: $0) }
    case .bool(let value): WholeNumber(value ? 1 : 0)
    default: nil
    }
  }

  /// Whether it is a number without decimals or an exponent, which the output did not round.
  var isWrittenWhole: Bool {
    switch value {
    case .number(let text), .string(let text): WholeNumber(text) != nil
    default: false
    }
  }

  /// The number in a text; also NaN and infinity as programming languages print them (`nan`, `-inf`, `Infinity`), in
  /// any case and with a sign.
  private static func number(of text: String) -> Double? {
    if text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }) { return Double(text) }
    let isNegative = text.hasPrefix("-")
    switch text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0).lowercased() {
    case "nan": return .nan
    case "inf", "infinity": return isNegative ? -.infinity : .infinity
    default: return nil
    }
  }

  /// The value as text: a number or flag as printed, a whole number without a point.
  public var meantText: String? {
    switch value {
    case .string(let text): text
    case .bool(let value): value ? "true" : "false"
    case .number:
      meantWhole.map { "\($0)" } ?? number.map { value in Int64(exactly: value).map(String.init) ?? "\(value)" }
    default: nil
    }
  }
}

/// A line of output of a system under test with its JSON objects, each of which is an event.
struct PrintedLine {
  /// The objects in order; empty where the line is text or unreadable.
  private(set) var objects: [JSONNode] = []
  /// The problem of a line that looks like JSON; nil for objects and for text.
  private(set) var problem: MappingStatistics.Malformed?
  /// The problem in words; empty where no more is known.
  private(set) var why = ""

  /// The maximum number of objects in a line: many small ones take long.
  private static let most = 1_024

  init(_ line: some Collection<UInt8>) {
    var rest = Array(line)
    let isCut = rest.count >= MappingStatistics.longestLine
    if let first = rest.first(where: { !" \t".utf8.contains($0) }), "{[(".utf8.contains(first),
      rest.contains(UInt8(ascii: "'")),
      !isCut, let found = PrintedLine.python(rest)
    {
      objects = found
      if found.count > PrintedLine.most { fail(.many, nil) }
      return
    }
    while let start = rest.firstIndex(where: { !" \t".utf8.contains($0) }) {
      rest.removeFirst(start)
      let reading = JSONReading(rest, allowing: .programs)
      guard let node = reading.node, reading.problem == nil || reading.problem?.isBehindValue == true else {
        if rest.first == UInt8(ascii: "{") || !objects.isEmpty { fail(isCut ? .cut : .noJSON, reading.problem) }
        return
      }
      // An array may contain several objects; a number or a word is no event.
      let found = node.elements?.filter { $0.members != nil } ?? (node.members == nil ? [] : [node])
      guard !found.isEmpty else {
        if !objects.isEmpty { fail(isCut ? .cut : .noJSON, reading.problem) }
        return
      }
      objects += found
      if objects.count > PrintedLine.most {
        fail(.many, nil)
        return
      }
      guard let problem = reading.problem else { return }
      rest.removeFirst(problem.offset)
    }
  }

  /// Printed Python dictionaries; nil where the line is JSON or anything else.
  private static func python(_ line: [UInt8]) -> [JSONNode]? {
    guard JSONReading(line, allowing: .programs).problem != nil, let values = PythonText.values(of: line) else {
      return nil
    }
    let found = values.flatMap { $0.elements ?? [$0] }.filter { $0.members?.isEmpty == false }
    return found.isEmpty ? nil : found
  }

  /// The maximum number of positions in a line at which to look for an object after text.
  private static let mostLeads = 4

  /// The object of a line without the text before it; the whole line without an object or such text.
  static func withoutLead(_ line: [UInt8]) -> [UInt8] {
    guard line.count < MappingStatistics.longestLine, PrintedLine(line).objects.isEmpty else { return line }
    let starts = line.indices.filter { line[$0] == UInt8(ascii: "{") }
    for start in starts.prefix(mostLeads) {
      let rest = Array(line[start...])
      if !PrintedLine(rest).objects.isEmpty { return rest }
      let reading = JSONReading(rest, allowing: .programs)
      if reading.node?.members?.isEmpty == false, let problem = reading.problem, problem.isBehindValue {
        return Array(rest.prefix(problem.offset).reversed().drop { $0 == UInt8(ascii: " ") }.reversed())
      }
    }
    return line
  }

  /// An object for a report: the whole line if it has no other object.
  func quoted(_ place: Int, of text: String) -> String { objects.count == 1 ? text : objects[place].onOneLine }

  private mutating func fail(_ problem: MappingStatistics.Malformed, _ found: JSONProblem?) {
    self.problem = problem
    why = problem == .noJSON ? found.map { "\($0)" } ?? "" : ""
    objects = []
  }
}
