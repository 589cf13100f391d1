import TelecapRecording

/// The two ends of a flow, as a capture keeps them.
public struct StoredFlow: Hashable, Sendable {
  /// The transport: `udp`.
  public var carrier: String
  /// The sender: `192.0.2.2:40001`.
  public var source: String
  /// The receiver.
  public var destination: String
}

extension CaptureReader {
  /// The packet of this number with its frame; nil where there is none.
  public func packet(_ number: Int) throws -> (header: PacketHeader, frame: [UInt8])? {
    try read { db in
      guard
        let found = try db.row(
          sql: "SELECT id, time_ns, interface, original_length FROM packet WHERE id = ?", arguments: [number])
      else {
        return nil
      }
      let row = StoredRow(found, of: "packet", path)
      let interfaces = try interfaces()
      let interface: Int = try row.integer("interface")
      var frame: [UInt8]?
      try Query(db, path, "SELECT frame FROM packet WHERE id = ?", [number]).forEach { row in
        if case .blob(let bytes) = row.value(0) { frame = bytes }
      }
      guard let frame, frame.count <= PacketHeader.largestFrame else {
        throw row.wrong("frame", "a blob of at most \(PacketHeader.largestFrame) bytes")
      }
      guard interfaces.indices.contains(interface) else { throw row.wrong("interface", "0…\(interfaces.count - 1)") }
      let header = PacketHeader(
        number: number, time: Timestamp(nanoseconds: try row.integer("time_ns")), interface: interface,
        originalLength: try row.count("original_length"), linkType: interfaces[interface].linkType)
      return (header, frame)
    }
  }

  /// The numbers of the last packet and of the last message; 0 where there is none. No row but these is looked at.
  public func lastNumbers() throws -> (packet: Int, message: Int) {
    try read { db in
      (
        try db.integer(sql: "SELECT MAX(id) FROM packet") ?? 0,
        try schema.isCurrent(db) ? try db.integer(sql: "SELECT MAX(id) FROM message") ?? 0 : 0
      )
    }
  }

  /// The time of the first packet, which is not number 1 in a part of a recording; nil without packets.
  public func firstTime() throws -> Timestamp? {
    let first = try read { try $0.integer(sql: "SELECT MIN(id) FROM packet") }
    return try first.flatMap { try time(ofPacket: $0) }
  }

  /// The sessions with the most messages.
  ///
  /// - Parameter most: how many of them.
  /// - Throws: `StoreError`
  public func busiestSessions(most: Int) throws -> Set<Int> {
    try read { db in
      let sql = """
        SELECT CAST(session AS INTEGER) AS number FROM message WHERE session IS NOT NULL
        GROUP BY number ORDER BY COUNT(*) DESC, number LIMIT \(most)
        """
      var numbers: Set<Int> = []
      try Query(db, path, sql).forEach { numbers.insert($0.integer(0)) }
      return numbers
    }
  }

  /// The flow of this number; nil where there is none. A capture may hold any number of flows: nobody keeps them all.
  public func flow(_ number: Int) throws -> StoredFlow? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT carrier, source, destination FROM flow WHERE id = ?")
      defer { statement.reset() }
      try statement.bind([number])
      return try statement.next().map { found in
        let row = StoredRow(found, of: "flow", path)
        return StoredFlow(
          carrier: try row.text("carrier"), source: try row.text("source"), destination: try row.text("destination"))
      }
    }
  }
}
