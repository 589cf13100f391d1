import TelecapRecording
import TelecapText
import TelecapWire

/// The number in a field of a message, as it is in a capture.
public enum StoredNumber: Hashable, Sendable {
  /// None: the message has no such field, or the field has another kind of value.
  case none
  /// A whole number; a uint64 of 2⁶³ or more is the negative number of the same bits.
  case whole(Int64)
  /// Any other.
  case real(Double)

  /// It as a number of a field of this type; NaN where there is none.
  @inline(__always)
  public func value(as type: FieldType) -> Double {
    switch self {
    case .none: .nan
    case .whole(let number): type.largest > Int64.max ? Double(UInt64(bitPattern: number)) : Double(number)
    case .real(let number): number
    }
  }

  /// Its bits as a whole number; nil where it is none.
  @inline(__always)
  public var bits: UInt64? { if case .whole(let number) = self { UInt64(bitPattern: number) } else { nil } }
}

/// The fields that are read with messages, for all readers together.
public struct WantedNumbers: Sendable {
  /// The fields of each kind, each once.
  private(set) var fields: [MessageKind: [FieldRow]] = [:]

  /// None yet.
  public init() {}

  /// Asks for fields of a kind.
  ///
  /// - Returns: the index of each field's number among those of a message of this kind.
  public mutating func add(_ more: [FieldRow], of kind: MessageKind) -> [Int] {
    var all = fields[kind] ?? []
    let places = more.map { field in
      if let place = all.firstIndex(where: { $0.name == field.name }) { return place }
      all.append(field)
      return all.count - 1
    }
    fields[kind] = all
    return places
  }
}

/// The tables in which wanted fields are, each read in step with the messages: to look each message up in each table would
/// take several times as long.
struct WantedFields {
  /// Where the fields of a kind are.
  private struct Place {
    let table: Table
    /// Their columns in the table's query; nil for a field that is no column because it is always the same.
    let columns: [Int32?]
  }

  private final class Table {
    let query: Query
    private var row: QueryRow?
    private var id = Int.min
    private var isOver = false

    init(_ query: Query) { self.query = query }

    /// The row of the first message after all requested ones; nil without one.
    @inline(__always)
    func row(ofMessage wanted: Int) throws -> QueryRow? {
      while id < wanted, !isOver {
        row = try query.next()
        if let row { id = row.integer(0) } else { isOver = true }
      }
      return id == wanted ? row : nil
    }
  }

  /// For each kind, by its code.
  private let places: [Place?]
  private let tables: [Table]

  /// - Parameter query: makes the query of columns of a table, after the message's number.
  init(_ wanted: WantedNumbers, _ schema: CaptureSchema, _ query: (String, [String]) throws -> Query) rethrows {
    var opened: [Int: (table: Table, columns: [String])] = [:]
    places = try schema.kinds.enumerated().map { code, kind in
      guard let fields = wanted.fields[kind], !fields.isEmpty else { return nil }
      let number = schema.tableOfKind[code]
      let typed = schema.tables[number]
      if opened[number] == nil {
        // The fields that any kind of the table needs.
        let names = Set(typed.kinds.flatMap { wanted.fields[$0] ?? [] }.map(\.name))
        let columns = typed.fields.map(\.name).filter(names.contains)
        let asked = columns.isEmpty ? ["NULL"] : columns.map(Escaping.sqlName)
        opened[number] = (Table(try query(typed.name, asked)), columns)
      }
      return opened[number].map { table, columns in
        Place(table: table, columns: fields.map { field in columns.firstIndex(of: field.name).map { Int32($0 + 1) } })
      }
    }
    tables = opened.values.map(\.table)
  }

  /// The numbers in the wanted fields of a message, which follows all before it.
  @inline(__always)
  func read(ofMessage id: Int, _ code: Int, into numbers: inout [StoredNumber]) throws {
    guard let place = places[code] else { return }
    let row = try place.table.row(ofMessage: id)
    for column in place.columns {
      if let row, let column { numbers.append(row.cell(column).number) } else { numbers.append(.none) }
    }
  }

  func reset() { for table in tables { table.query.reset() } }
}
