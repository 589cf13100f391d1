import TelecapWire

/// The table of a capture that holds the messages of one type: a column for each field, made from the wire tables.
struct TypedTable: Sendable {
  /// The table's name: `tele_pose`.
  let name: String
  /// The kinds of message that it holds: more than one where dialects differ in length only.
  let kinds: [MessageKind]
  /// The fields that are columns, in wire order.
  let fields: [FieldRow]

  /// Every table, in the order of `MessageKind`.
  static let all: [TypedTable] = {
    var names: [String] = []
    for kind in MessageKind.allCases where !names.contains(kind.layout.table) { names.append(kind.layout.table) }
    return names.map { name in TypedTable(name, MessageKind.allCases.filter { $0.layout.table == name }) }
  }()

  /// For each kind, by its raw value: the place of its table in `all`.
  static let indexOfKind: [Int] = MessageKind.allCases.map { kind in
    all.firstIndex { $0.kinds.contains(kind) } ?? 0
  }

  private init(_ name: String, _ kinds: [MessageKind]) {
    self.name = name
    self.kinds = kinds
    var fields: [FieldRow] = []
    for kind in kinds {
      for field in kind.layout.fields
      where !TypedTable.isImplied(field, by: kind) && !fields.contains(where: { $0.name == field.name }) {
        fields.append(field)
      }
    }
    self.fields = fields
  }

  /// A TELE header's fields say nothing that the message's type does not, but for the type that nobody defined. (A wrong
  /// magic or version is a finding.)
  private static func isImplied(_ field: FieldRow, by kind: MessageKind) -> Bool {
    guard Header.rows.contains(field) else { return false }
    return !(field == Header.fields.type.row && kind.teleType == nil)
  }

  /// The statement that makes the table.
  var sql: String {
    let columns = fields.map { ",\n  \($0.name) \(TypedTable.sqlType($0.type))" }.joined()
    return "CREATE TABLE \(name) (\n  message INTEGER PRIMARY KEY REFERENCES message\(columns)\n)"
  }

  /// How SQLite holds a field's values.
  static func sqlType(_ type: FieldType) -> String {
    switch type {
    case .u8, .u16, .u32, .u64, .i8, .i16: "INTEGER"
    case .f32: "REAL"
    case .text, .variableText: "TEXT"
    case .rest: "BLOB"
    }
  }
}

extension Header {
  /// The header's rows.
  fileprivate static let rows = [fields.magic.row, fields.type.row, fields.version.row]
}
