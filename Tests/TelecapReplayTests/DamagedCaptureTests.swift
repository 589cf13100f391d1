import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// Captures whose values were changed by hand or by a failing disk: whoever reads them says what is damaged, and nothing
/// traps or spins.
@Suite struct DamagedCaptureTests {
  /// A capture of a session with findings, as a file's bytes.
  private static func whole(_ folder: Folder) throws -> [UInt8] {
    var list = try PacketList.poses(3)
    let up = Flow(.udp, from: PacketList.phone, to: PacketList.host)
    try list.add(Array(Bytes.pose(9).dropLast(3)), up, at: Timestamp(nanoseconds: 30_000_000))
    try RecordingFiles.builtIn.importing(.packets(list), into: folder["whole"], force: true, ports: .standard)
    try Database(folder["whole"]).run("UPDATE capture SET damage = 'none'")
    return try [UInt8](file: folder["whole"])
  }

  /// What each command does with a capture. Only the first two look at what is derived.
  private typealias Reader = (name: String, read: @Sendable (String, Folder) throws -> Void)
  private static let readers: [Reader] = [
    (
      "info",
      { path, _ in
        let (summary, damage, _) = try RecordingFiles.builtIn.recording(path).summary()
        _ = SummaryText(summary, style: .plain).lines(of: path)
        var json = JSONWriter()
        SummaryJSON.write(summary, to: &json)
        if let damage { throw damage }
      }
    ),
    (
      "export",
      { path, folder in
        let recording = try RecordingFiles.builtIn.recording(path)
        let (_, damage) = try recording.withCapture { reader in
          let rows = RowExport(reader, where: nil, columns: reader.columns)
          try rows.writeCSV(to: folder["csv"], force: true)
          try rows.writeJSON(to: folder["jsonl"], force: true)
          let chosen = try reader.select(where: "length > 0")
          try PacketExport(reader, nil).writePcapng(to: folder["pcapng"], force: true, tool: "test")
          try PacketExport(reader, chosen).writePcap(to: folder["pcap"], force: true)
        }
        if let damage { throw damage }
      }
    ),
    (
      "dissect",
      { path, _ in
        for isJSON in [true, false] {
          let recording = try RecordingFiles.builtIn.recording(path)
          var report = DissectionReport(isJSON: isJSON, isSummary: false, style: .plain, recording.protocols) { _ in }
          let damage = try recording.dissect(to: &report)
          try report.finish()
          if let damage { throw damage }
        }
      }
    ),
    (
      "plan",
      { path, _ in
        let source = try ReplaySource(RecordingFiles.builtIn.recording(path), as: nil)
        let survey = try RecordingScan(source)
        let header = PlanHeader(
          seed: 1, capture: survey.digest.description, selection: "",
          impairments: try Impairments(parsing: "--loss 10% --delay 20ms --jitter 5ms"))
        let fed = try UnitFeeder(source: source, survey, header: header).plan { _ in }
        if let damage = fed.damage { throw damage }
      }
    ),
    ("derive", { path, _ in try RecordingFiles.builtIn.derive(path) }),
  ]

  private static let raw: Set = ["capture", "interface", "packet", "port", "protocol"]
  private static let values = [
    "NULL", "-1", "9223372036854775807", "'text'", "x'00ff'", "0", "65536", "4611686018427387904", "1.5",
    "-9223372036854775807 - 1",
  ]

  @Test(
    "Any value in any column of any table: read as far as it goes, or refused with its table and row; nothing traps or spins",
    .timeLimit(.minutes(10)))
  func everyColumn() throws {
    let folder = try Folder()
    let whole = try Self.whole(folder)
    let database = try Database(folder["whole"])
    let tables = try database.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    var cells: [(table: String, column: String, value: String)] = []
    for table in tables where try database.column("SELECT count(*) FROM \(table)") != ["0"] {
      for column in try database.column("SELECT name FROM pragma_table_info('\(table)')") {
        cells += Self.values.prefix(Self.raw.contains(table) ? 8 : 4).map { (table, column, $0) }
      }
    }
    #expect(cells.count > 350)
    for (index, (table, column, value)) in sampled(cells, oneIn: 7).enumerated() {
      try whole.write(to: folder["a"])
      guard try Database.put(value, table, column, last: index.isMultiple(of: 2), in: folder["a"]) != nil else {
        continue
      }
      for reader in Self.readers.prefix(Self.raw.contains(table) ? 5 : 2) {
        refuses(reader, folder, table, "\(table).\(column) = \(value)")
      }
    }
  }

  /// Reads a damaged capture; an error has to be one of data that names the table.
  private func refuses(_ reader: Reader, _ folder: Folder, _ table: String, _ what: String) {
    do {
      try reader.read(folder["a"], folder)
    } catch {
      let reason = (error as? Damage)?.reason ?? error
      let text = "\(reason)"
      if case ReplayProblem.nothing = reason { return }
      if case ReplayProblem.nobody = reason { return }
      // Any time may stand in a capture; not any in a pcap file.
      if case FileError.timeBeyondPcap = reason { return }
      #expect(ExitStatus(of: reason) == .data, "\(what): \(reader.name): \(text)")
      let isTold =
        text.contains("table \(table)") || table == "protocol" && text.contains("protocol ")
        || text.contains("expected the id of a row of \(table)")
      #expect(isTold, "\(what): \(reader.name): \(text)")
    }
  }

  @Test(
    "What cannot be is refused where it is read, with table, row and what belongs there",
    arguments: [
      (
        "packet", "original_length", "-1",
        "row 6: original_length is -1; expected a number from 71, the length of frame, to 4294967295"
      ),
      (
        "packet", "original_length", "3",
        "row 6: original_length is 3; expected a number from 71, the length of frame, to 4294967295"
      ),
      ("packet", "interface", "1", "row 6: interface is 1, and table interface has no such row"),
      ("packet", "interface", "-1", "row 6: interface is -1; expected a number from 0"),
      ("packet", "time_ns", "'noon'", "row 6: time_ns is no whole number"),
      ("packet", "frame", "'text'", "row 6: frame is no blob"),
      ("packet", "frame", "zeroblob(262145)", "row 6: frame has 262145 bytes, and no frame is longer than 262144"),
      (
        "packet", "id", "9223372036854775807",
        "row 9223372036854775807: id is 9223372036854775807, and the largest is 9007199254740991"
      ),
      ("packet", "id", "-4", "row -4: id is -4, and numbers begin at 1"),
      ("interface", "id", "3", "row 3: id is 3; expected 0"),
      ("interface", "link_type", "65536", "row 0: link_type is 65536; expected a whole number, 0…65535"),
      ("interface", "name", "NULL", "row 0: name is NULL; expected text"),
      ("port", "number", "-1", "row 5: number is -1; expected a whole number, 0…65535"),
      (
        "capture", "dropped_kernel", "-1",
        "row 1: dropped_kernel is -1; expected a whole number, 0…9223372036854775807"
      ),
      ("capture", "started_ns", "x'00ff'", "row 1: started_ns is a blob of 2 bytes; expected a whole number"),
    ])
  func told(_ table: String, _ column: String, _ value: String, _ problem: String) throws {
    let folder = try Folder()
    try Self.whole(folder).write(to: folder["a"])
    try #require(try Database.put(value, table, column, last: true, in: folder["a"]) != nil)
    #expect {
      try Self.readers[2].read(folder["a"], folder)
      try Self.readers[0].read(folder["a"], folder)
    } throws: { error in
      let reason = (error as? Damage)?.reason ?? error
      #expect(
        "\(reason)".contains("a: the capture is damaged: table \(table), \(problem); correct it with sqlite3 "),
        "\(reason)")
      return ExitStatus(of: reason) == .data
    }
  }

  @Test("Two ports of a protocol in one place: nothing records so, and the numbers that were asked for count before")
  func sharedPort() throws {
    let folder = try Folder()
    try Self.whole(folder).write(to: folder["a"])
    try Database(folder["a"]).run("UPDATE port SET number = 50001 WHERE id = 'tele-udp'")
    for reader in Self.readers {
      #expect {
        try reader.read(folder["a"], folder)
      } throws: { error in
        let shared = "table port: UDP port 50001 is that of tele-beacon and of tele-udp; correct it with sqlite3 "
        #expect("\(error)".contains("a: the capture is damaged: \(shared)"), "\(reader.name): \(error)")
        return ExitStatus(of: error) == .data
      }
    }
    let moved = try RecordingFiles.builtIn.recording(folder["a"], ports: ["tele-udp": 50_000])
    #expect(moved.ports["tele-udp"] == 50_000)
  }

  @Test(
    "Rows of packets are looked through by those who only count or list messages",
    arguments: [
      ("id", "-9223372036854775807 - 1", "id is -9223372036854775808"), ("time_ns", "'text'", "time_ns is 'text'"),
      ("interface", "77", "interface is 77"), ("original_length", "-1", "original_length is -1"),
    ])
  func countedAndListed(_ column: String, _ value: String, _ problem: String) throws {
    let folder = try Folder()
    for isLast in [false, true] {
      try Self.whole(folder).write(to: folder["a"])
      try #require(try Database.put(value, "packet", column, last: isLast, in: folder["a"]) != nil)
      let recording = try RecordingFiles.builtIn.recording(folder["a"])
      let listing = {
        try recording.withCapture {
          try RowExport($0, where: nil, columns: $0.columns).writeCSV(to: folder["csv"], force: true)
        }
      }
      for read in [{ _ = try recording.summary() }, { _ = try listing() }] {
        #expect {
          try read()
        } throws: {
          "\(($0 as? Damage)?.reason ?? $0)".contains("the capture is damaged: table packet, row ")
            && "\($0)".contains(problem)
        }
      }
      #expect(throws: (any Error).self) { try Self.readers[2].read(folder["a"], folder) }
    }
  }

  @Test(
    "Where the damage comes before every packet, a plan says what it is, and not that nobody sent",
    arguments: [("packet", "id", "-4"), ("interface", "ticks_per_second", "-1")])
  func nobodyIsNoExcuse(_ table: String, _ column: String, _ value: String) throws {
    let folder = try Folder()
    try Self.whole(folder).write(to: folder["a"])
    try #require(try Database.put(value, table, column, last: false, in: folder["a"]) != nil)
    #expect {
      try Self.readers[3].read(folder["a"], folder)
    } throws: { error in
      let reason = (error as? Damage)?.reason ?? error
      #expect("\(reason)".contains("the capture is damaged: table \(table)"), "\(reason)")
      return ExitStatus(of: reason) == .data
    }
  }

  @Test(
    "What SQL would pass over or show as it stands is refused too, and made anew by the way that is told",
    arguments: [
      ("flow", "source_port", "-1", "row 2: source_port is -1; expected a whole number, 0…65535"),
      ("flow", "carrier", "'pigeon'", "row 2: carrier is 'pigeon'; expected udp, tcp, ble"),
      (
        "message", "packet", "9223372036854775807",
        "row 6: packet is 9223372036854775807; expected the id of a row of packet"
      ),
      ("message", "id", "-7", "row -7: id is -7; expected a whole number, 1…9007199254740991"),
      ("message", "kind_code", "900", "row 6: kind_code is 900; expected a whole number, 0…"),
      ("message", "session", "44", "row 6: session is 44; expected the id of a row of session"),
      ("finding", "severity", "'weird'", "row 1: severity is 'weird'; expected note, warning, error"),
      ("finding", "id", "-1", "row -1: id is -1; expected a whole number, 1…9007199254740991"),
      ("finding", "message", "99", "row 1: message is 99; expected the id of a row of message"),
      ("session", "id", "0", "row 0: id is 0; expected a whole number, 1…9007199254740991"),
      ("session", "ended", "'never'", "row 1: ended is 'never'; expected open, bye, timeout, replaced"),
      ("tele_pose", "seq", "65536", "row 6: seq is 65536; expected a whole number, 0…65535"),
      ("tele_pose", "x", "'far'", "row 6: x is 'far'; expected a number"),
      ("tele_pose", "message", "99", "row 99: message is 99; expected the id of a row of message"),
    ])
  func derived(_ table: String, _ column: String, _ value: String, _ problem: String) throws {
    let folder = try Folder()
    try Self.whole(folder).write(to: folder["a"])
    try #require(try Database.put(value, table, column, last: true, in: folder["a"]) != nil)
    for reader in Self.readers.prefix(2) {
      #expect {
        try reader.read(folder["a"], folder)
      } throws: { error in
        let reason = (error as? Damage)?.reason ?? error
        #expect(
          "\(reason)".contains("a: the capture is damaged: table \(table), \(problem)"), "\(reader.name): \(reason)")
        return ExitStatus(of: reason) == .data
      }
    }
    try Database(folder["a"]).run("UPDATE capture SET dissection_complete = 0")
    for reader in Self.readers { try reader.read(folder["a"], folder) }
  }
}
