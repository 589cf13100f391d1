import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// Whether a declaration decodes test vectors to their values, and encodes these values to the same bytes.
public struct VectorCheck: Hashable, Sendable {
  /// A vector that is decoded or encoded otherwise.
  public struct Problem: Hashable, Sendable {
    /// The line of the vectors' file, from 1.
    public var line: Int
    /// The expected and the observed value.
    public var reason: String
  }

  /// The fields of a message that no vector has a value of.
  public struct Gap: Hashable, Sendable {
    /// The message's name.
    public var message: String
    /// The fields; empty where there is no vector of the message at all.
    public var fields: [String]
  }

  /// The number of vectors.
  public private(set) var count: Int
  /// The problems, in the order of the file.
  public private(set) var problems: [Problem] = []
  /// The messages with fields that no vector shows, in the order of the declaration.
  public private(set) var gaps: [Gap] = []

  /// The number of vectors without a problem.
  public private(set) var right = 0

  /// Decodes each vector by a declaration.
  ///
  /// - Parameter file: the name of the vectors' file, for errors.
  /// - Throws: `YAMLFileError` for a message, transport or field that the declaration does not have, and a value that a field cannot hold.
  public init(_ vectors: [TestVector], of owner: WireProtocol, file: String) throws(YAMLFileError) {
    count = vectors.count
    for vector in vectors {
      let found = try VectorCheck.problems(of: Subject(vector, owner, file: file))
      if found.isEmpty { right += 1 }
      problems += found
    }
    gaps = VectorCheck.gaps(owner, vectors)
  }

  /// A vector, and the message and transport that it names.
  private struct Subject {
    let vector: TestVector
    let file: String
    let carrier: Dialect

    init(_ vector: TestVector, _ owner: WireProtocol, file: String) throws(YAMLFileError) {
      (self.vector, self.file) = (vector, file)
      let kinds = owner.kinds(named: vector.message)
      guard !kinds.isEmpty else {
        throw Subject.error(vector.line, file, "message", vector.message, among: owner.messages.map(\.name))
      }
      let names = vector.carrier.map { [$0] } ?? owner.dialects.map(\.name)
      guard
        let carrier = owner.dialects.first(where: { dialect in
          names.contains(dialect.name) && kinds.contains { $0.layout.dialects.contains(dialect.name) }
        })
      else {
        let carriers = Set(kinds.flatMap(\.layout.dialects)).sorted()
        throw Subject.error(vector.line, file, "transport of \(vector.message)", vector.carrier ?? "", among: carriers)
      }
      self.carrier = carrier
    }

    static func error(
      _ line: Int, _ file: String, _ what: String, _ name: String, among names: [String]
    ) -> YAMLFileError {
      let advice = Spelling.advice(for: name, among: names)
      return YAMLFileError(file: file, line: line, column: 1, "there is no \(what) \"\(name)\"; \(advice)")
    }
  }

  private static func problems(of subject: Subject) throws(YAMLFileError) -> [Problem] {
    let vector = subject.vector
    let (message, findings) = Message.decode(vector.bytes.span.bytes, as: subject.carrier)
    guard let message, message.kind.name == vector.message else {
      let observed = message?.kind.name ?? findings.first { $0.severity == .error }.map { "\($0)" } ?? "no message"
      return [Problem(line: vector.line, reason: "expected \(vector.message), observed \(observed)")]
    }
    var problems: [Problem] = []
    for expectation in vector.expectations {
      if let reason = try difference(expectation, in: message, subject.file) {
        problems.append(Problem(line: expectation.line, reason: "\(expectation.field): \(reason)"))
      }
    }
    if let reason = encodingDifference(message) { problems.append(Problem(line: vector.line, reason: reason)) }
    return problems
  }

  /// The difference from the expected value of a field; nil if there is none.
  private static func difference(
    _ expectation: TestVector.Expectation, in message: Message, _ file: String
  ) throws(YAMLFileError) -> String? {
    guard let row = message.kind.layout.row(at: expectation.field)?.row else {
      throw Subject.error(
        expectation.line, file, "field of \(message.kind)", expectation.field,
        among: message.kind.layout.fields.map(\.name))
    }
    let observed = message.value(of: expectation.field)
    guard expectation.value != "none" else { return observed.map { "expected none, observed \($0)" } }
    guard let expected = FieldValue(expectation.value, of: row) else {
      throw YAMLFileError(
        file: file, line: expectation.line, column: 1,
        "\"\(row.name)\" is \(row.valueType.name), which cannot hold \"\(expectation.value)\"")
    }
    if observed?.isSame(as: expected, of: row) == true { return nil }
    return "expected \(expectation.value), observed \(observed.map { "\($0)" } ?? "none")"
  }

  /// Whether bytes differ from a message in nothing but how the digits of its numbers are written.
  private static func isOtherSpelling(_ encoded: [UInt8], _ message: Message) -> Bool {
    let fields = message.kind.layout.fields
    let (ours, theirs) = (encoded.span.bytes, message.bytes.span.bytes)
    return !fields.allSatisfy { $0.hasUsualDigits(in: theirs) }
      && fields.allSatisfy { $0.check != nil || $0.value(in: ours) == $0.value(in: theirs) }
  }

  /// How the bytes differ that the message's values encode to; nil where they are the same.
  private static func encodingDifference(_ message: Message) -> String? {
    var values: [String: FieldValue] = [:]
    for row in message.kind.layout.fields { values[row.name] = row.value(in: message.bytes.span.bytes) }
    do {
      let encoded = try Message(message.kind, fields: values).bytes
      guard encoded != message.bytes, !isOtherSpelling(encoded, message) else { return nil }
      let offset = zip(encoded, message.bytes).enumerated().first { $1.0 != $1.1 }?.offset
      let first = offset ?? min(encoded.count, message.bytes.count)
      return
        "encodes to \(encoded.count) bytes that differ from byte \(first) on, of \(message.bytes.count): \(Hex.text(encoded.suffix(from: min(first, encoded.count)).prefix(16)))"
    } catch {
      return "cannot be encoded: \(error)"
    }
  }

  private static func gaps(_ owner: WireProtocol, _ vectors: [TestVector]) -> [Gap] {
    var shown: [String: Set<String>] = [:]
    for vector in vectors {
      // One field of one entry shows the others.
      let names = vector.expectations.map { String($0.field.prefix { $0 != "[" }) }
      shown[vector.message, default: []].formUnion(names)
    }
    var gaps: [Gap] = []
    for kind in owner.declaredMessages {
      guard let fields = shown[kind.name] else {
        if !gaps.contains(where: { $0.message == kind.name }) { gaps.append(Gap(message: kind.name, fields: [])) }
        continue
      }
      let missing = kind.layout.fields.filter { !fields.contains($0.name) && owner.isFree($0, in: kind) }
      if !missing.isEmpty { gaps.append(Gap(message: kind.name, fields: missing.map(\.name))) }
    }
    return gaps
  }
}

extension WireProtocol {
  /// Whether a field may have several values in right messages: no constant, type, length, checksum or reserved field.
  fileprivate func isFree(_ field: FieldRow, in kind: MessageKind) -> Bool {
    let recognised = dialects.map { recognition(over: $0) }
    let computed = recognised.flatMap { [$0.length?.field.name, $0.code?.name] }
    if isImplied(field, in: kind) || computed.contains(field.name) || field.check != nil { return false }
    return !field.isConstant && field.rule != .reserved
  }
}

extension FieldValue {
  /// The value that a text stands for in a field; nil where the field cannot hold it. A scaled field has the value, not the number of
  /// the wire.
  fileprivate init?(_ text: String, of row: FieldRow) {
    switch row.valueType {
    case .f32:
      guard let number = Float(text) else { return nil }
      self = .float(number)
    case .f64:
      guard let number = Double(text) else { return nil }
      self = .double(number)
    case .text, .variableText: self = .text(text.unquoted)
    case .octets, .variableOctets, .rest:
      guard let bytes = Hex.bytes(text.filter { $0 != " " && $0 != ":" }) else { return nil }
      self = .bytes(bytes)
    case let type where type.isSigned:
      guard let number = Int64(text) else { return nil }
      self = .signed(number)
    default:
      let number = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
      guard let number else { return nil }
      self = .unsigned(number)
    }
  }

  /// Whether two values of a field are the same: each NaN is like another, and scaled values are the same that the same number of the
  /// wire stands for, so that a vector may round them.
  fileprivate func isSame(as other: FieldValue, of row: FieldRow) -> Bool {
    switch (self, other) {
    case (.float(let one), .float(let two)): one.isNaN ? two.isNaN : one.bitPattern == two.bitPattern
    case (.double(let one), .double(let two)) where row.scale != nil:
      row.bits(ofScaled: one) != nil && row.bits(ofScaled: one) == row.bits(ofScaled: two)
    case (.double(let one), .double(let two)): one.isNaN ? two.isNaN : one.bitPattern == two.bitPattern
    default: self == other
    }
  }
}

extension String {
  /// Without the double quotes around it.
  fileprivate var unquoted: String {
    count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
