import TelecapRecording

extension RelayTally {
  /// Whether a capture has tallies; not where its table `relay` is somebody else's.
  static func areStored(_ db: Database) throws -> Bool { try SchemaCheck.isStored("relay", Schema.relay, db) }

  /// The tally of a row.
  init(_ row: StoredRow) throws(StoreError) {
    self.init(route: try row.text("route"))
    clients = try row.count("clients")
    refused = try row.count("refused")
    forgotten = try row.count("forgotten")
    notPassedOn = try row.count("not_passed_on")
    droppedByKernel = try row.integerIfAny("dropped_kernel") == nil ? nil : row.count("dropped_kernel")
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
