import CSQLite
import TelecapRecording

/// Which messages a page of a list begins with.
public enum PageStart: Hashable, Sendable {
  /// The messages after the one with this number; 0 is the beginning.
  case after(Int)
  /// Those that come last before it.
  case before(Int)
}

extension CaptureReader {
  /// The numbers of the messages of a page, in their order: those for which `condition` holds, an SQL expression over
  /// `columns`, and no more than `most`.
  ///
  /// - Parameter timeout: of a condition, in seconds; nil for none.
  /// - Throws: `StoreError.badCondition`
  public func messages(where condition: String?, _ start: PageStart, most: Int, timeout: Int? = nil) throws -> [Int] {
    var (comparison, number, order) = (">", 0, "ASC")
    switch start {
    case .after(let id): number = id
    case .before(let id): (comparison, number, order) = ("<", id, "DESC")
    }
    return try read { db in
      var ids: [Int] = []
      let end = " AND message \(comparison) \(number) ORDER BY message \(order) LIMIT \(most)"
      try withQuery("SELECT message FROM dissection", where: condition, ending: end, timeout: timeout, db) { query in
        try query.forEach { ids.append($0.integer(0)) }
      }
      return order == "ASC" ? ids : ids.reversed()
    }
  }

  /// The number of the first message in a packet of this number or a later one; nil where there is none.
  public func firstMessage(fromPacket packet: Int) throws -> Int? {
    try read {
      try $0.integer(sql: "SELECT id FROM message WHERE packet >= ? ORDER BY id LIMIT 1", arguments: [packet])
    }
  }

  /// The number of the first message in the first packet at this time or later, or after that packet; nil without one. Times go on
  /// where the clock was set back (`SteadyTimes`).
  public func firstMessage(since time: Timestamp) throws -> Int? {
    let packet = try read { db in
      let steps = try clockSteps(db)
      guard steps.isEmpty else { return try firstPacket(since: time, steps, db) }
      let sql = "SELECT id FROM packet WHERE time_ns >= ? ORDER BY id LIMIT 1"
      return try db.integer(sql: sql, arguments: [time.nanoseconds])
    }
    return try packet.flatMap { try firstMessage(fromPacket: $0) }
  }

  private func firstPacket(since time: Timestamp, _ steps: ClockSteps, _ db: Database) throws -> Int? {
    let packets = try db.statement(sql: "SELECT id, time_ns, interface FROM packet ORDER BY id")
    let row = QueryRow(statement: packets.handle)
    while try packets.step() {
      if steps.time(row.integer(1), ofPacket: row.integer(0), interface: row.integer(2)) >= time {
        return row.integer(0)
      }
    }
    return nil
  }
}
