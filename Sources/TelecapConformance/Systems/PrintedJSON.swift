import TelecapText

/// What a system under test prints: JSON, taken as programs mean it. Bare `NaN`, `Infinity` and `-Infinity` are numbers, as
/// Python and JavaScript programs print them: a host that applies a pose of NaN must be seen to.
extension JSONNode {
  /// A line that is one JSON object; nil for any other line.
  public static func object(printed line: some Collection<UInt8>) -> JSONNode? {
    let read = PrintedLine(line)
    return read.problem == nil ? read.objects.first : nil
  }

  /// What stands at a path of names, and of places in arrays from 0; nil where nothing does. Of two members with one name
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

  /// A number: also of a text that holds one, such as `"NaN"`; true is 1 and false 0.
  public var meantNumber: Double? {
    switch value {
    case .number: number ?? .nan
    case .bool(let value): value ? 1 : 0
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    case .string(let text): text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(text) : nil
    default: nil
    }
  }

  /// Text, or a number or a flag as it is written; a whole number without a point.
  public var meantText: String? {
    switch value {
    case .string(let text): text
    case .bool(let value): value ? "true" : "false"
    case .number: number.map { value in Int64(exactly: value).map(String.init) ?? "\(value)" }
    default: nil
    }
  }
}

/// A line that a system under test printed, with the JSON objects in it.
struct PrintedLine {
  /// The objects; one where it is an event.
  private(set) var objects: [JSONNode] = []
  /// What keeps it from being an event though it looks like one; nil for an event, and for text.
  private(set) var problem: Mapping.Malformed?
  /// What is wrong with it, in words; empty where nothing more is known.
  private(set) var why = ""

  /// How many objects of a line are looked at.
  private static let most = 16

  init(_ line: some Collection<UInt8>) {
    var rest = Array(line)
    let isCut = rest.count >= Mapping.longestLine
    while let start = rest.firstIndex(where: { !" \t".utf8.contains($0) }) {
      rest.removeFirst(start)
      let reading = JSONReading(rest, allowing: .programs)
      guard let node = reading.node, reading.problem == nil || reading.problem?.isBehindValue == true else {
        if rest.first == UInt8(ascii: "{") || !objects.isEmpty { fail(reading.problem, isCut) }
        return
      }
      // An array of objects is several as well; a number or a word is no event.
      let found = node.elements?.filter { $0.members != nil } ?? (node.members == nil ? [] : [node])
      guard !found.isEmpty else {
        if !objects.isEmpty { fail(reading.problem, isCut) }
        return
      }
      objects += found
      if objects.count > 1 { problem = .several }
      guard let problem = reading.problem, objects.count < PrintedLine.most else { return }
      rest.removeFirst(problem.offset)
    }
  }

  private mutating func fail(_ problem: JSONProblem?, _ isCut: Bool) {
    self.problem = isCut ? .cut : .noJSON
    why = isCut ? "" : problem.map { "\($0)" } ?? ""
    objects = []
  }
}
