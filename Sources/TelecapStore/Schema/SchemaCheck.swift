/// Compares the schema of a file with what telecap makes. The author of the file wrote the SQL in it: a CHECK, a DEFAULT,
/// a generated column or an index on an expression runs when a table is written or read, and an index may hold other values than
/// its table. So a capture is read only where the tables that hold the truth have the text of ours, and no index.
/// (https://www.sqlite.org/security.html, 1.1)
enum SchemaCheck {
  /// Holds the tables that hold the truth to those of a format.
  ///
  /// - Throws: `StoreError.changedSchema`, which says what differs; `damaged` where a table is missing.
  static func verify(_ db: Database, _ path: String, format: Int, _ schema: CaptureSchema) throws {
    for table in try tables(ofFormat: format) {
      guard let text = try text(of: table.name, db) else {
        throw StoreError.damaged(path: path, reason: "it has no table \(table.name)")
      }
      guard let difference = difference(of: text, from: table.sql) else { continue }
      throw StoreError.changedSchema(
        path: path,
        reason:
          "table \(table.name) differs from format \(format): \(difference); telecap runs no SQL of a file: restore the table with "
          + "sqlite3, or export the packets with the telecap that wrote it")
    }
    for table in try storedTables(format, db, schema) {
      let index = try db.row(
        sql: "SELECT name FROM pragma_index_list(?) WHERE origin = 'c' ORDER BY name LIMIT 1", arguments: [table])
      guard let name = index?.text("name") else { continue }
      throw StoreError.changedSchema(
        path: path,
        reason:
          "its index \"\(StoreError.shortened(name))\" on table \(table) is not telecap's, and an index may hold other "
          + "values than its table; remove it with sqlite3 (DROP INDEX)")
    }
  }

  /// Whether a table has the text that telecap gives it, but for spaces and quotes around names.
  static func isStored(_ table: String, _ sql: String, _ db: Database) throws -> Bool {
    try text(of: table, db).map { difference(of: $0, from: sql) == nil } ?? false
  }

  /// Tables, views, indexes and triggers that telecap did not make, by name: `table "mine"`. At most `max` of them.
  static func additions(_ db: Database, _ schema: CaptureSchema, max: Int) throws -> (all: [String], count: Int) {
    var (all, count) = ([String](), 0)
    let ours = Set(try storedTables(Schema.format, db, schema) + schema.all.map(\.name))
    let rows = try db.statement(
      sql: """
        SELECT CAST(type AS TEXT) AS type, CAST(name AS TEXT) AS name FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
        """)
    while let row = try rows.next() {
      // A trigger may bear the name of a table.
      guard let type = row.text("type"), let name = row.text("name"), type == "trigger" || !ours.contains(name) else {
        continue
      }
      count += 1
      if all.count < max { all.append("\(StoreError.shortened(type)) \"\(StoreError.shortened(name))\"") }
    }
    return (all, count)
  }

  /// The tables of ours that are in a file: those that hold the truth, and those derived that have our text.
  private static func storedTables(_ format: Int, _ db: Database, _ schema: CaptureSchema) throws -> [String] {
    let optional = [("relay", Schema.relay), ("annotation", Annotations.table)]
    let stored = try (optional + schema.all.map { ($0.name, $0.sql) }).filter { try isStored($0.0, $0.1, db) }
    return try tables(ofFormat: format).map(\.name) + stored.map(\.0)
  }

  private static func text(of table: String, _ db: Database) throws -> String? {
    try db.row(
      sql: "SELECT CAST(sql AS TEXT) AS sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table]
    )?.text("sql")
  }

  // MARK: - Texts

  /// The statements of a format's tables, as SQLite keeps them after all steps to it.
  static func tables(ofFormat format: Int) throws -> [(name: String, sql: String)] { try formats[format - 1].get() }

  private static let formats = (1...Migration.all.count).map { format in
    Result {
      try SharedDatabase("", .memory).use { db in
        for migration in Migration.all.prefix(format) { try db.execute(sql: migration.sql) }
        return try db.rows(sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").compactMap {
          row -> (name: String, sql: String)? in
          guard let name = row.text("name"), let sql = row.text("sql") else { return nil }
          return (name, sql)
        }
      }
    }
  }

  /// The first difference of a statement from ours, in words; nil where there is none. Ignores spaces, and double quotes
  /// around names, which SQLite adds when it renames. SQLite does not store "IF NOT EXISTS", and captures of older telecaps do
  /// not name the column of a reference.
  private static func difference(of text: String, from ours: String) -> String? {
    let optional = "CREATE TABLE IF NOT EXISTS"
    let ours = ours.hasPrefix(optional) ? "CREATE TABLE\(ours.dropFirst(optional.count))" : ours
    // Nearly every file has our text byte for byte.
    if text == ours { return nil }
    let (found, wanted) = (tokens(text), tokens(ours))
    if found == wanted { return nil }
    let same = zip(found, wanted).prefix { $0 == $1 }.count
    func shown(_ tokens: [String]) -> String {
      let some = tokens.dropFirst(max(0, same - 1)).prefix(6)
      return "\"\(StoreError.shortened(some.joined(separator: " ")))\""
    }
    return "it has \(shown(found)), expected \(shown(wanted))"
  }

  /// The words and the signs of a statement.
  private static func tokens(_ sql: String) -> [String] {
    var (tokens, word) = ([String](), "")
    for character in sql where character != "\"" {
      let isSign = "(),;'".contains(character)
      if isSign || character.isWhitespace {
        if !word.isEmpty { tokens.append(word) }
        word = ""
      }
      if isSign { tokens.append(String(character)) } else if !character.isWhitespace { word.append(character) }
    }
    if !word.isEmpty { tokens.append(word) }
    for index in tokens.indices.reversed()
    where tokens[index] == "REFERENCES" && tokens.dropFirst(index + 2).starts(with: ["(", "id", ")"]) {
      tokens.removeSubrange(index + 2...index + 4)
    }
    return tokens
  }
}
