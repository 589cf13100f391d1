import Foundation

/// A value of JSON or YAML, to be compared whole: not by how it is written, in which order, and with which spaces.
public enum PlainValue: Equatable, Sendable {
  case null
  case flag(Bool)
  case integer(Int64)
  /// A whole number beyond what an Int64 holds.
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([PlainValue])
  case object([String: PlainValue])

  /// The member of this name; nil where it is no object or has none.
  public subscript(key: String) -> PlainValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The elements of a list; of another value none.
  public var list: [PlainValue] { if case .list(let values) = self { values } else { [] } }

  /// The text; nil where it is none.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension PlainValue: Decodable {
  /// - Throws: `DecodingError` for what is no JSON.
  public init(json text: some StringProtocol) throws {
    self = try JSONDecoder().decode(PlainValue.self, from: Data(text.utf8))
  }

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let unsigned = try? value.decode(UInt64.self) {
      self = .unsigned(unsigned)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([PlainValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: PlainValue].self))
    }
  }
}

extension PlainValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral number: Int64) { self = .integer(number) }
  public init(floatLiteral number: Double) { self = .number(number) }
  public init(booleanLiteral flag: Bool) { self = .flag(flag) }
  public init(arrayLiteral values: PlainValue...) { self = .list(values) }
  public init(dictionaryLiteral members: (String, PlainValue)...) {
    self = .object(Dictionary(members) { _, last in last })
  }
}

extension Finished {
  /// The values of JSON Lines that it printed.
  ///
  /// - Throws: `DecodingError` for a line that is none.
  public func values() throws -> [PlainValue] { try lines.map { try PlainValue(json: $0) } }
}
