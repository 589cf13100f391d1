import TelecapWire

/// The table of a capture that holds the entries of one field of a message: a row for each entry, a column for each of its fields.
struct EntryTable: Sendable {
  /// The table's name: `xplane_data_rows`.
  let name: String
  /// The fields of an entry that are columns, in wire order.
  let fields: [FieldRow]
  /// The fields whose entries it holds, by the message: more than one where a message has several forms.
  let sources: [(kind: MessageKind, field: FieldRow)]

  /// The tables of the entries of these messages, in their order.
  static func all(of kinds: [MessageKind]) -> [EntryTable] {
    let sources = kinds.flatMap { kind in
      kind.layout.fields.filter { $0.repeated != nil }.map { (kind: kind, field: $0) }
    }
    var names: [String] = []
    for source in sources {
      guard let name = source.field.repeated?.entry.table, !names.contains(name) else { continue }
      names.append(name)
    }
    return names.map { name in EntryTable(name, sources.filter { $0.field.repeated?.entry.table == name }) }
  }

  private init(_ name: String, _ sources: [(kind: MessageKind, field: FieldRow)]) {
    (self.name, self.sources) = (name, sources)
    fields = sources.first?.field.repeated?.entry.fields.flatMap(\.withRaw) ?? []
  }

  /// The statement that makes the table.
  var sql: String {
    let columns = fields.map { ",\n  \($0.name)\(TypedTable.sqlType($0.valueType))" }.joined()
    return EntryTable.head(of: name) + " (id),\n  entry INTEGER NOT NULL" + columns
      + ",\n  PRIMARY KEY (message, entry)\n) WITHOUT ROWID"
  }

  /// How the statement of every such table begins, whichever telecap made it.
  static func head(of name: String) -> String {
    "CREATE TABLE \(name) (\n  message INTEGER NOT NULL REFERENCES message"
  }
}
