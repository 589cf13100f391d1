import TelecapRecording
import TelecapText

/// The new value of a field in a plan line.
public enum ChangedValue: Hashable, BitwiseCopyable, Sendable {
  /// A whole number.
  case integer(Int64)
  /// A finite 32-bit number.
  case float(Float)
  /// A finite 64-bit number.
  case double(Double)
  /// A value that JSON numbers cannot represent: the bits of this many bytes (1…8), `"bits:7fc00000"`. For a number its
  /// pattern, most significant byte first; for text its bytes in order.
  case bits(UInt64, bytes: UInt8)
}

extension ChangedValue: CustomStringConvertible {
  /// A number in the shortest form that parses to the same value; `bits:7fc00000`.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bits(let bits, let bytes):
      "bits:" + Hex.text(bits, digits: 2 * Int(bytes))
    }
  }

  /// Parses the output of `description`, and `nan`, `inf`, `-inf` as 64-bit numbers; nil for other text.
  public init?(_ text: String) {
    if text.hasPrefix("bits:") {
      let digits = text.dropFirst(5)
      guard digits.count.isMultiple(of: 2), (2...16).contains(digits.count), let bits = UInt64(digits, radix: 16)
      else { return nil }
      self = .bits(bits, bytes: UInt8(digits.count / 2))
    } else if let number = Int64(text), !text.hasPrefix("-") || number != 0 {
      self = .integer(number)
    } else if let number = Double(text) {
      self = .double(number)
    } else {
      return nil
    }
  }
}

/// A new value of one field of one message (semantics.md, Impairments: set, hostile).
public struct FieldChange: Hashable, BitwiseCopyable, Sendable {
  /// The field's number in the run's `FieldNames`.
  public var field: UInt16
  /// The new value.
  public var value: ChangedValue
  /// Whether `Hostile` chose it; otherwise `SetFields`.
  public var isHostile: Bool

  /// A change of this field to this value.
  public init(field: UInt16, _ value: ChangedValue, isHostile: Bool = false) {
    self.field = field
    self.value = value
    self.isHostile = isHostile
  }
}

/// The names of the fields that plan lines may change, numbered from 0. A single reference, because it is passed with
/// each packet.
public struct FieldNames: Hashable, Sendable {
  private final class Table: Sendable {
    let all: [String]
    let numbers: [String: UInt16]

    init(_ all: [String], _ numbers: [String: UInt16]) { (self.all, self.numbers) = (all, numbers) }
  }

  private let table: Table
  /// The names by their numbers, each once.
  public var all: [String] { table.all }

  /// No fields.
  public static let none = FieldNames([])

  /// These names, each once; names beyond 65,535 have no number.
  public init(_ names: some Sequence<String>) {
    var all: [String] = []
    var numbers: [String: UInt16] = [:]
    for name in names where numbers[name] == nil && all.count < UInt16.max {
      numbers[name] = UInt16(all.count)
      all.append(name)
    }
    table = Table(all, numbers)
  }

  public static func == (left: FieldNames, right: FieldNames) -> Bool { left.all == right.all }

  public func hash(into hasher: inout Hasher) { hasher.combine(all) }

  /// The number of the field with this name; nil if there is none.
  public func number(of name: String) -> UInt16? { table.numbers[name] }

  /// The error for an unknown field, with the nearest name.
  public func unknown(_ name: String) -> FieldProblem {
    let meant = Spelling.nearest(to: name, among: all).map { "; did you mean \"\($0)\"?" } ?? ""
    return FieldProblem("no message here has a field \"\(name)\"" + meant)
  }

  /// The name of the field with this number; nil if there is none.
  public func name(of number: UInt16) -> String? { all.indices.contains(Int(number)) ? all[Int(number)] : nil }
}

/// A list of up to four changes of one message that never allocates. Each field occurs once. An element takes 12 bytes,
/// because every plan line has room for four, and lines are copied.
public struct FieldChanges: Hashable, Sendable, RandomAccessCollection {
  private var values = InlineList<UInt64>()
  private var heads = InlineList<UInt32>()

  /// The maximum number of changes.
  public static let capacity = 4

  /// An empty list.
  @inline(__always)
  public init() {}

  /// The number of changes, 0…4.
  public var count: Int { values.count }
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of changes.
  public var endIndex: Int { count }

  /// The change at a position, from 0 and below `count`.
  public subscript(position: Int) -> FieldChange { FieldChange(value: values[position], head: heads[position]) }

  /// Appends a change; returns false without a change if its field is present or the list is full.
  @discardableResult
  public mutating func put(_ change: FieldChange) -> Bool {
    guard !contains(where: { $0.field == change.field }), values.append(change.valueBits) else { return false }
    return heads.append(change.head)
  }
}

extension FieldChange {
  /// The bits of the value.
  fileprivate var valueBits: UInt64 {
    switch value {
    case .integer(let number): UInt64(bitPattern: number)
    case .float(let number): UInt64(number.bitPattern)
    case .double(let number): number.bitPattern
    case .bits(let bits, _): bits
    }
  }

  /// The field in the low 16 bits; above it who chose, the kind of value, and its number of bytes, in 8, 4 and 4 bits.
  fileprivate var head: UInt32 {
    let (kind, bytes): (UInt32, UInt8) =
      switch value {
      case .integer: (0, 0)
      case .float: (1, 0)
      case .double: (2, 0)
      case .bits(_, let bytes): (3, bytes)
      }
    return UInt32(field) | (isHostile ? 1 : 0) << 16 | kind << 24 | UInt32(bytes) << 28
  }

  fileprivate init(value: UInt64, head: UInt32) {
    let number: ChangedValue =
      switch head >> 24 & 0xf {
      case 0: .integer(Int64(bitPattern: value))
      case 1: .float(Float(bitPattern: UInt32(truncatingIfNeeded: value)))
      case 2: .double(Double(bitPattern: value))
      default: .bits(value, bytes: UInt8(head >> 28))
      }
    self.init(field: UInt16(truncatingIfNeeded: head), number, isHostile: head >> 16 & 1 == 1)
  }
}

/// The changes that impairments request in one packet, before its message is decoded.
public struct RequestedChanges: Hashable, BitwiseCopyable, Sendable {
  /// 64 random bits that select a boundary or invalid value; nil for none.
  public var hostile: UInt64?
  /// The fields of `SetFields` to set: bit n is its n-th.
  public var sets: UInt8 = 0

  /// No changes.
  @inline(__always)
  public init() {}

  /// Whether no change is requested.
  @inline(__always)
  public var isEmpty: Bool { hostile == nil && sets == 0 }
}
