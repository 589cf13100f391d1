import TelecapConformance
import TelecapText
import TelecapWire

/// The protocols and names with which a protocol file must not collide.
public struct ProtocolSurroundings: Sendable {
  /// The protocols that are known already: no other has their names or the ids of their ports.
  public var protocols: [WireProtocol]
  /// Other names that no protocol may have.
  public var taken: Set<String>
  /// Why no column of a capture, and so no field, can have this name; nil where one can.
  public var problem: @Sendable (String) -> String?

  /// The surroundings of a file that is read in addition to these protocols.
  public init(
    _ protocols: [WireProtocol] = Protocols.builtIn, taken: Set<String> = [],
    problem: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.protocols = protocols
    self.taken = taken
    self.problem = problem
  }
}

/// Names in a protocol file, and errors about those that are none.
enum Spelled {
  /// Whether a name can be a column: a lower-case letter, then these, digits and `_`.
  static func isColumn(_ name: String) -> Bool { isWord(name, joinedBy: "_") }

  /// A word of lower-case letters, digits and dashes, a letter first: it is part of options, SQL and ids.
  static func word(_ value: YAMLValue?, _ what: String, in owner: YAMLValue) throws(YAMLFileError) -> String {
    guard let name = value?.text, isWord(name, joinedBy: "-") else {
      let found = value?.text ?? ""
      throw (value ?? owner).error(
        "\(what) is a lower-case letter, then lower-case letters, digits and -, found \"\(found)\""
          + suggestion(likely(found, joinedBy: "-")))
    }
    return name
  }

  /// The end of an error about a name.
  static func suggestion(_ name: String?) -> String { name.map { "; did you mean \"\($0)\"?" } ?? "" }

  /// A word made of a name of another form: `sequence_number` of `sequenceNumber` and `sequence number`; nil where it has other
  /// characters.
  static func likely(_ name: String, joinedBy mark: Unicode.Scalar) -> String? {
    var scalars = String.UnicodeScalarView()
    var wasSmall = false
    for scalar in name.unicodeScalars {
      switch scalar {
      case "A"..."Z":
        if wasSmall { scalars.append(mark) }
        scalars.append(contentsOf: String(scalar).lowercased().unicodeScalars)
        wasSmall = false
      case " ", "-", "_":
        if !scalars.isEmpty { scalars.append(mark) }
        wasSmall = false
      default:
        scalars.append(scalar)
        wasSmall = true
      }
    }
    let word = String(scalars)
    return word != name && isWord(word, joinedBy: mark) ? word : nil
  }

  private static func isWord(_ name: String, joinedBy mark: Unicode.Scalar) -> Bool {
    // By scalars: of characters "a" with a mark that combines with it lies between "a" and "z" too.
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first) else { return false }
    return name.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == mark }
  }

  static func unknown(_ value: YAMLValue, _ what: String, among known: [String]) -> YAMLFileError {
    let name = value.text ?? ""
    let meant = meant(by: name, among: known).map { "did you mean \($0)?" }
    return value.error(
      "there is no \(what) \"\(name)\"; \(meant ?? (known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"))"
    )
  }

  /// The names, in quotes, that may be meant: those that `crc16` begins, the nearest, `level` by `LEVEL.level`, or the longest that
  /// begins it. Nil where none is like it.
  private static func meant(by name: String, among known: [String]) -> String? {
    let small = name.lowercased()
    let family = small.count > 2 ? known.filter { $0.lowercased().hasPrefix(small) } : []
    if family.count > 1 { return family.map { "\"\($0)\"" }.list(or: true) }
    let member = name.split(separator: ".").last.flatMap { last in known.first { $0 == last } }
    let start = known.filter { $0.count > 3 && small.hasPrefix($0.lowercased()) }.max { $0.count < $1.count }
    return (member ?? Spelling.nearest(to: name, among: known) ?? start).map { "\"\($0)\"" }
  }
}

extension YAMLValue {
  /// The value of a key, or the whole if it is missing: the location of an error.
  func at(_ key: String) -> YAMLValue { self[key] ?? self }
}
