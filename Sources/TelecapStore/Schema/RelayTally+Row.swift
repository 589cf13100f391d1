import GRDB
import TelecapRecording

extension RelayTally {
  /// The tallies of a capture; none where its table `relay` is somebody else's.
  static func all(_ db: Database) throws -> [RelayTally] {
    let columns = try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_info('relay')")
    guard Set(columns.map { "\($0["name"] as String) \($0["type"] as String)" }) == Schema.relayColumns else {
      return []
    }
    return try Row.fetchAll(db, sql: "SELECT * FROM relay ORDER BY rowid").map { row in
      var tally = RelayTally(route: row["route"])
      tally.clients = max(0, row["clients"])
      tally.refused = max(0, row["refused"])
      tally.forgotten = max(0, row["forgotten"])
      tally.notPassedOn = max(0, row["not_passed_on"])
      tally.droppedByKernel = (row["dropped_kernel"] as Int?).map { max(0, $0) }
      return tally
    }
  }

  /// Stores these in the place of those that are there.
  static func write(_ tallies: [RelayTally], _ db: Database) throws {
    guard !tallies.isEmpty else { return }
    try db.execute(sql: Schema.relay)
    try db.execute(sql: "DELETE FROM relay")
    for tally in tallies {
      try db.execute(
        sql: "INSERT INTO relay VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          tally.route, tally.clients, tally.refused, tally.forgotten, tally.notPassedOn, tally.droppedByKernel,
        ])
    }
  }
}
