import TelecapRecording
import TelecapText

/// What a field of a message is changed to, as a plan line says it.
public enum ChangedValue: Hashable, BitwiseCopyable, Sendable {
  /// A whole number.
  case integer(Int64)
  /// A number with 32 bits, finite.
  case float(Float)
  /// A number with 64 bits, finite.
  case double(Double)
  /// What JSON cannot hold as a number: the bits of so many bytes (1…8), `"bits:7fc00000"`. Of a number its pattern, the
  /// most significant byte first; of text its bytes in order.
  case bits(UInt64, bytes: UInt8)
}

extension ChangedValue: CustomStringConvertible {
  /// A number in the shortest form that reads back the same; `bits:7fc00000`.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bits(let bits, let bytes):
      "bits:" + Hex.text(bits, digits: 2 * Int(bytes))
    }
  }

  /// Reads what `description` writes, and `nan`, `inf`, `-inf` as numbers of 64 bits; nil where it is none of these.
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

/// One field of one message that is given another value (semantics.md, Impairments: set, hostile).
public struct FieldChange: Hashable, BitwiseCopyable, Sendable {
  /// The field's number in the run's `FieldNames`.
  public var field: UInt16
  /// What it becomes.
  public var value: ChangedValue
  /// `Hostile` chose it; otherwise `SetFields`.
  public var isHostile: Bool

  /// A change of this field to this value.
  public init(field: UInt16, _ value: ChangedValue, isHostile: Bool = false) {
    self.field = field
    self.value = value
    self.isHostile = isHostile
  }
}

/// The names of the fields that plan lines may change, numbered from 0. One reference: it is handed on with each packet.
public struct FieldNames: Hashable, Sendable {
  private final class Table: Sendable {
    let all: [String]
    let numbers: [String: UInt16]

    init(_ all: [String], _ numbers: [String: UInt16]) { (self.all, self.numbers) = (all, numbers) }
  }

  private let table: Table
  /// The names by their numbers, each once.
  public var all: [String] { table.all }

  /// No field: nothing can be changed.
  public static let none = FieldNames([])

  /// These names, each once; more than 65,535 are not numbered.
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

  /// The number of the field called so; nil where there is none.
  public func number(of name: String) -> UInt16? { table.numbers[name] }

  /// That no message has such a field, and which was probably meant.
  public func unknown(_ name: String) -> FieldProblem {
    let meant = Spelling.nearest(to: name, among: all).map { "; did you mean \"\($0)\"?" } ?? ""
    return FieldProblem("no message here has a field \"\(name)\"" + meant)
  }

  /// The name of the field of this number; nil where there is none.
  public func name(of number: UInt16) -> String? { all.indices.contains(Int(number)) ? all[Int(number)] : nil }
}

/// Up to four changes of one message, in place: a list that never allocates. No field is there twice. Each takes 12 bytes:
/// every plan line has room for four, and lines are copied on their way.
public struct FieldChanges: Hashable, Sendable, RandomAccessCollection {
  private var values = InlineList<UInt64>()
  private var heads = InlineList<UInt32>()

  /// How many fit.
  public static let capacity = 4

  /// None.
  @inline(__always)
  public init() {}

  /// How many there are, 0…4.
  public var count: Int { values.count }
  /// 0.
  public var startIndex: Int { 0 }
  /// How many there are.
  public var endIndex: Int { count }

  /// The change at a position from 0 up to `count`.
  public subscript(position: Int) -> FieldChange { FieldChange(value: values[position], head: heads[position]) }

  /// Adds a change behind the others; false, and nothing changes, when its field is there already or four are.
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

  /// The field in the low 16 bits; above it who chose, what the value is, and of how many bytes, in 8, 4 and 4 bits.
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

/// What the impairments want changed in one packet, before anybody has looked at what message it is.
public struct RequestedChanges: Hashable, BitwiseCopyable, Sendable {
  /// 64 random bits that choose one change of all that are worth trying; nil for none.
  public var hostile: UInt64?
  /// Which fields of `SetFields` are set: bit n is its n-th.
  public var sets: UInt8 = 0

  /// Nothing.
  @inline(__always)
  public init() {}

  /// Whether nothing is to be changed.
  @inline(__always)
  public var isEmpty: Bool { hostile == nil && sets == 0 }
}
