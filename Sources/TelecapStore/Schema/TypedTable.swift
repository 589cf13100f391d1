import TelecapWire

/// The table of a capture that holds the messages of one type: a column for each field, made from the wire tables.
struct TypedTable: Sendable {
  /// The table's name: `tele_pose`.
  let name: String
  /// The kinds of message that it contains: more than one if protocol versions differ in length only.
  let kinds: [MessageKind]
  /// The protocol whose messages they are.
  var protocolName: String { kinds.first?.owner.name ?? "" }
  /// The fields that are columns, in wire order.
  let fields: [FieldRow]

  /// The tables of these messages, in their order.
  static func all(of kinds: [MessageKind]) -> [TypedTable] {
    var names: [String] = []
    for kind in kinds where !names.contains(kind.layout.table) { names.append(kind.layout.table) }
    return names.map { name in TypedTable(name, kinds.filter { $0.layout.table == name }) }
  }

  private init(_ name: String, _ kinds: [MessageKind]) {
    self.name = name
    self.kinds = kinds
    var fields: [FieldRow] = []
    for kind in kinds {
      for field in kind.layout.fields.flatMap(\.withRaw)
      where !kind.owner.isImplied(field, in: kind) && !fields.contains(where: { $0.name == field.name }) {
        fields.append(field)
      }
    }
    self.fields = fields
  }

  /// The statement that makes the table.
  var sql: String {
    let columns = fields.map { ",\n  \($0.name)\(TypedTable.sqlType($0.valueType))" }.joined()
    return TypedTable.head(of: name) + " (id)" + columns + "\n)"
  }

  /// How the statement of every such table begins, whichever telecap made it.
  static func head(of name: String) -> String {
    "CREATE TABLE \(name) (\n  message INTEGER PRIMARY KEY REFERENCES message"
  }

  /// The type of a field's column, after a space. A float's has none: SQLite stores −0.0 as 0 in a REAL column
  /// (https://www.sqlite.org/datatype3.html, 2), and in one without a type as it is.
  static func sqlType(_ type: FieldType) -> String {
    switch type {
    case .u8, .u16, .u24, .u32, .u64, .i8, .i16, .i24, .i32, .i64, .bits, .decimal: " INTEGER"
    case .f32, .f64: ""
    case .text, .variableText: " TEXT"
    case .octets, .variableOctets, .rest: " BLOB"
    }
  }
}
