import TelecapRecording

/// The table `annotation`: the data of a pcapng file about its packets and interfaces that no other table has. Only captures
/// of files with such data have it, whatever their format is.
enum Annotations {
  /// A row for each comment and for the flags of a packet, and for the description of an interface.
  static let table = """
    CREATE TABLE IF NOT EXISTS annotation (
      packet INTEGER REFERENCES packet (id),
      interface INTEGER REFERENCES interface (id),
      flags INTEGER,
      text TEXT
    ) STRICT
    """

  /// Whether a capture has some; not where its table of this name is somebody else's.
  static func areStored(_ db: Database) throws -> Bool { try SchemaCheck.isStored("annotation", table, db) }

  /// Adds the notes of packets, by their numbers.
  static func write(_ notes: [(packet: Int, note: PacketNote)], _ db: Database) throws {
    try db.execute(sql: table)
    let statement = try db.cachedStatement(sql: "INSERT INTO annotation (packet, flags, text) VALUES (?, ?, ?)")
    for (packet, note) in notes {
      if let flags = note.flags { try statement.execute(arguments: [packet, Int64(flags), nil]) }
      for comment in note.comments { try statement.execute(arguments: [packet, nil, comment]) }
    }
  }

  /// Puts the description of an interface in the place of one that is there.
  static func write(_ description: String, ofInterface number: Int, _ db: Database) throws {
    if description.isEmpty { return }
    try db.execute(sql: table)
    try db.execute(sql: "DELETE FROM annotation WHERE interface = ?", arguments: [number])
    try db.execute(sql: "INSERT INTO annotation (interface, text) VALUES (?, ?)", arguments: [number, description])
  }
}

extension CaptureReader {
  /// The descriptions of interfaces, by their numbers.
  func interfaceDescriptions(_ db: Database) throws -> [Int: String] {
    guard try Annotations.areStored(db) else { return [:] }
    var found: [Int: String] = [:]
    let rows = try db.statement(
      sql: "SELECT rowid, * FROM annotation WHERE interface IN (SELECT id FROM interface) ORDER BY rowid")
    while let row = try rows.next().map({ StoredRow($0, of: "annotation", path) }) {
      found[try row.integer("interface")] = try row.text("text")
    }
    return found
  }

  /// How many notes there are.
  public func noteCounts() throws -> PacketNoteCounts {
    try read { db in
      var counts = PacketNoteCounts()
      guard try Annotations.areStored(db) else { return counts }
      func count(_ condition: String) throws -> Int {
        try db.integer(sql: "SELECT COUNT(*) FROM annotation WHERE packet IS NOT NULL AND \(condition)") ?? 0
      }
      counts.comments = try count("text IS NOT NULL")
      counts.inbound = try count("flags & 3 = 1")
      counts.outbound = try count("flags & 3 = 2")
      return counts
    }
  }

  /// Like `forEachPacket`, with what a file said of each packet; nil where it said nothing.
  public func forEachNotedPacket(
    in selection: PacketSelection? = nil, _ body: (PacketHeader, RawSpan, PacketNote?) throws -> Void
  ) throws {
    try read { db in
      guard try Annotations.areStored(db) else { return try forEachPacket(in: selection) { try body($0, $1, nil) } }
      let rows = try db.statement(
        sql: "SELECT rowid, packet, flags, text FROM annotation WHERE packet IS NOT NULL ORDER BY packet, rowid")
      func following() throws -> StoredRow? { try rows.next().map { StoredRow($0, of: "annotation", path) } }
      var next = try following()
      try forEachPacket(in: selection) { header, frame in
        var note: PacketNote?
        while let row = next, try row.integer("packet") <= header.number {
          if try row.integer("packet") == header.number {
            var found = note ?? PacketNote()
            if let flags = try row.integerIfAny("flags") { found.flags = UInt32(truncatingIfNeeded: flags) }
            if let text = try row.textIfAny("text") { found.comments.append(text) }
            note = found
          }
          next = try following()
        }
        try body(header, frame, note)
      }
    }
  }
}
