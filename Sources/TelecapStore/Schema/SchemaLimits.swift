import CSQLite
import TelecapWire

/// The limits of a capture, checked before a protocol from a file is used.
extension CaptureSchema {
  /// Why no column of messages can have this name, of letters, digits and `_`; nil where one can.
  public static func problem(ofColumn name: String) -> String? {
    if name == "message" { return "captures number their messages in a column of that name" }
    let word = "it is a keyword of SQL, which conditions cannot name"
    if name == "true" || name == "false" { return word }
    guard sqlite3_keyword_check(name, Int32(name.utf8.count)) != 0 else { return nil }
    // Most words of SQL are names as well where they cannot be anything else, such as "key" and "left". The others may be
    // values, such as "current_time": at seven o'clock that is 7 too, but a text.
    let tried = try? SharedDatabase("", .memory).use { db in
      try db.execute(sql: "CREATE TABLE one (\(name) INTEGER); INSERT INTO one VALUES (7)")
      return try db.row(
        sql: """
          SELECT \(name) AS tried FROM (SELECT one.\(name) AS \(name) FROM one) WHERE \(name) > 6 AND NOT \(name) = 8
          """)
    }
    return tried?["tried"] == .integer(7) ? nil : word
  }

  /// Why no capture can hold the messages of these protocols; nil where one can.
  public var problem: String? {
    // The view of all messages joins their tables with those of messages, packets and flows.
    let most = CaptureSchema.mostJoined - 3
    if tables.count > most {
      return
        "with those of the other protocols there are \(tables.count) kinds of message; a capture has at most \(most)"
    }
    if columns.count > CaptureSchema.mostColumns {
      return "with those of the other protocols there are \(columns.count) fields; a capture has at most "
        + "\(CaptureSchema.mostColumns)"
    }
    // Tables of these names are SQLite's own, or ours while we write.
    for name in ["batch", "sqlite"] where protocols.contains(where: { $0.name == name }) {
      return "a protocol cannot be called \"\(name)\": captures have tables of that name"
    }
    return nil
  }

  /// SQLite joins no more tables (https://www.sqlite.org/limits.html, 4).
  private static let mostJoined = 64
  /// SQLite's tables and views have no more columns (2).
  private static let mostColumns = 2_000
}
