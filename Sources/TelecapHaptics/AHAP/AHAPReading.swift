import TelecapRecording
import TelecapText

/// A parsed AHAP file: the readable part of the pattern, and all findings.
///
/// Lenient as the format is (haptics.md, AHAP): a missing key has its default, a value out of range is clamped at
/// playback, an unknown key is ignored. Each is a finding, not a failure.
public struct AHAPReading: Sendable {
  /// The pattern; with errors, its readable part.
  public let pattern: AHAP
  /// All findings, in the order of the text.
  public let findings: [AHAPFinding]

  /// Whether there is an error, so that the pattern must not be played.
  public var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Reads the bytes of a file. Never fails: problems become findings.
  public init(_ text: [UInt8]) {
    var reader = AHAPReader(TextLines(text))
    let json = JSONReading(text)
    for comma in json.trailingCommas {
      reader.find(.trailingComma, "$", comma, "a comma behind the last member; strict readers refuse it")
    }
    var pattern = AHAP([])
    if let node = json.node, let root = reader.fields(of: node, at: "$") { pattern = reader.file(root) }
    if let problem = json.problem {
      // Keys after the syntax error were not read, so do not report them as missing.
      let missing: Set<AHAPRule> = [
        .missingKey, .missingPattern, .version, .unpublishedDefault, .missingDuration, .missingWaveform,
      ]
      reader.findings.removeAll { finding in
        // Keep the finding of an EventType that is present but unknown.
        missing.contains(finding.rule) || (finding.rule == .eventType && !finding.path.hasSuffix(".EventType"))
      }
      let end = problem.offset >= text.count ? "the text ends here: " : ""
      reader.find(.syntax, "$", problem.offset, end + problem.description)
    } else {
      AHAPAdvice.give(pattern, to: &reader)
    }
    self.pattern = pattern
    findings = reader.findings.enumerated().sorted { left, right in
      let (first, second) = (left.element.position, right.element.position)
      return (first.line, first.column, left.offset) < (second.line, second.column, right.offset)
    }.map(\.element)
  }
}

/// The members of one object, which are taken one after the other.
struct AHAPFields {
  /// The path of the object.
  let path: String
  let offset: Int
  /// The members that were not taken yet.
  var rest: [JSONMember]

  /// The path of a member.
  func path(_ key: String) -> String { "\(path).\(key)" }
}

/// Reads single values and collects the findings.
struct AHAPReader {
  let lines: TextLines
  var findings: [AHAPFinding] = []
  /// The offsets of the pattern's items, for later findings about them.
  var itemOffsets: [Int] = []

  init(_ lines: TextLines) { self.lines = lines }

  mutating func find(_ rule: AHAPRule, _ path: String, _ offset: Int, _ message: String) {
    findings.append(AHAPFinding(rule, path, lines.position(at: offset), message))
  }

  /// The members of an object. If the node is not an object, adds a finding and returns nil.
  mutating func fields(of node: JSONNode, at path: String) -> AHAPFields? {
    guard let members = node.members else {
      find(.wrongType, path, node.offset, "an object belongs here, not \(node.kind)")
      return nil
    }
    return AHAPFields(path: path, offset: node.offset, rest: members)
  }

  /// Takes the value of `key`, the last one if it is repeated.
  mutating func take(_ key: String, _ fields: inout AHAPFields) -> JSONNode? {
    guard let last = fields.rest.lastIndex(where: { $0.key == key }) else { return nil }
    let node = fields.rest[last].node
    for earlier in fields.rest[..<last] where earlier.key == key {
      find(.repeatedKey, fields.path(key), earlier.offset, "\(key) occurs twice here; the last one counts")
    }
    fields.rest.removeAll { $0.key == key }
    return node
  }

  /// The finite number of `key`; nil if there is none. A value of another kind stays among the unknown members.
  mutating func number(_ key: String, _ fields: inout AHAPFields) -> Double? {
    guard let node = take(key, &fields) else { return nil }
    guard let number = node.number else {
      wrong(key, node, "a number", &fields)
      return nil
    }
    guard number.isFinite else {
      find(.notFinite, fields.path(key), node.offset, "\(key) is too large a number")
      fields.rest.append(JSONMember(key, node, at: node.offset))
      return nil
    }
    return number
  }

  /// The string of `key`; nil if there is none.
  mutating func string(_ key: String, _ fields: inout AHAPFields) -> String? {
    guard let node = take(key, &fields) else { return nil }
    if node.string == nil { wrong(key, node, "a string", &fields) }
    return node.string
  }

  /// The elements of `key`; nil if there is none.
  mutating func array(_ key: String, _ fields: inout AHAPFields) -> [JSONNode]? {
    guard let node = take(key, &fields) else { return nil }
    if node.elements == nil { wrong(key, node, "an array", &fields) }
    return node.elements
  }

  /// `Time`, in s; 0 if it is missing.
  mutating func time(_ fields: inout AHAPFields) -> Double {
    let offset = fields.rest.last { $0.key == "Time" }?.node.offset ?? fields.offset
    let isThere = fields.rest.contains { $0.key == "Time" }
    let time = number("Time", &fields)
    if !isThere { missing("Time", "0 is taken", fields) }
    if let time, time < 0 {
      find(.negativeTime, fields.path("Time"), offset, "Time is \(time); nothing begins before 0")
    }
    return time ?? 0
  }

  /// Adds a finding if the value is outside its range.
  mutating func check(
    _ value: Double?, in range: ClosedRange<Double>, _ name: String, _ path: String, _ offset: Int
  ) {
    guard let value, !range.contains(value) else { return }
    find(
      .outOfRange, path, offset,
      "\(name) is \(value); \(range.clamp(value)) is taken, since it lies in \(range.lowerBound)…\(range.upperBound)")
  }

  mutating func missing(_ key: String, _ instead: String, _ fields: AHAPFields) {
    find(.missingKey, fields.path, fields.offset, "\(key) is missing; \(instead)")
  }

  /// The remaining members, each of which is unknown. Adds a finding for each that is not `known`.
  mutating func unknown(_ fields: AHAPFields, known: [String]) -> [JSONMember] {
    for member in fields.rest where !known.contains(member.key) {
      let likely = known.first { AHAPReader.areAlike($0, member.key) }
      find(
        .unknownKey, fields.path(member.key), member.offset,
        "\(member.key) is ignored: nobody defined it here" + (likely.map { "; \($0) is meant, perhaps" } ?? ""))
    }
    return fields.rest
  }

  private mutating func wrong(_ key: String, _ node: JSONNode, _ wanted: String, _ fields: inout AHAPFields) {
    find(.wrongType, fields.path(key), node.offset, "\(key) is \(node.kind); \(wanted) belongs here")
    fields.rest.append(JSONMember(key, node, at: node.offset))
  }

  /// Whether two keys differ only in case, or by one additional character.
  private static func areAlike(_ left: String, _ right: String) -> Bool {
    let (short, long) = [left.lowercased(), right.lowercased()].sorted { $0.count < $1.count }.pair
    let common = zip(short, long).prefix { $0 == $1 }.count
    return long.count - short.count <= 1
      && short.dropFirst(common).elementsEqual(
        long.dropFirst(common + long.count - short.count))
  }
}

extension [String] {
  fileprivate var pair: (String, String) { (self[0], self[1]) }
}
