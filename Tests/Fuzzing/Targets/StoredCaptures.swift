import CSQLite
import Foundation
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapStore
import TelecapSuites
import TelecapWeb
import TelecapWire

extension FuzzTarget {
  /// A capture with changed values: for each change a byte for the operation, then table, column, row and value. Any
  /// such capture is read, or rejected with an error of telecap.
  static let storedCapture = FuzzTarget("stored-capture", seeds: { StoredCapture.seeds }) { bytes in
    try StoredCapture.whole.changed(by: bytes) { path in
      do {
        try StoredCapture.read(path)
        return true
      } catch let error as Broken {
        throw error
      } catch {
        let isOurs =
          error is StoreError || error is FileError || error is CaptureFileError || error is YAMLFileError
          || error is PortProblem
        try hold(isOurs, "an error that nobody put into words: \(type(of: error)) \(error)")
        return false
      }
    }
  }
}

/// A small capture, as it can be changed by somebody who knows SQLite.
struct StoredCapture: Sendable {
  static let files = RecordingFiles(
    builtIn: Protocols.builtIn, declared: [],
    maker: RecordingFiles.Maker(version: "0", host: "here", commandLine: "fuzz") { Timestamp(nanoseconds: 7) },
    reading: Known.declared)

  /// The constraints of the tables, which are removed while values are changed.
  private static let checks = [" STRICT", " NOT NULL"]

  private static let columns: [(table: String, column: String)] =
    [
      ("packet", "id"), ("packet", "time_ns"), ("packet", "interface"), ("packet", "original_length"),
      ("packet", "frame"), ("interface", "id"), ("interface", "name"), ("interface", "link_type"),
      ("interface", "snap_length"), ("interface", "ticks_per_second"), ("interface", "comment"), ("port", "id"),
      ("port", "number"), ("protocol", "name"), ("protocol", "digest"), ("protocol", "declaration"),
      ("capture", "tool"),
      ("capture", "started_ns"), ("capture", "ended_ns"), ("capture", "dropped_kernel"),
      ("capture", "dropped_interface"),
      ("capture", "dropped_queue"), ("capture", "damage"), ("capture", "dissection_complete"), ("capture", "version"),
    ] + derived

  /// The columns derived from the frames: a change to them needs no second derivation.
  private static let derived: [(table: String, column: String)] = [
    (
      "session",
      [
        "id", "protocol", "carrier", "phone", "host", "session_id", "opened_ns", "last_seen_ns", "ended", "messages",
      ]
    ),
    ("flow", ["id", "carrier", "source", "source_port", "destination", "destination_port"]),
    (
      "message",
      [
        "id", "packet", "offset", "length", "kind_code", "dialect_code", "direction_code", "severity_code", "session",
        "flow",
      ]
    ),
    ("finding", ["id", "packet", "message", "rule", "severity", "offset", "length", "text"]),
    ("tele_hello", ["message", "session_id", "code"]), ("tele_pose", ["message", "seq", "timestamp_us", "x", "qw"]),
  ].flatMap { table, columns in columns.map { (table, $0) } }

  private static let values = [
    "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "65535", "65536", "-32768", "4294967296",
    "262144", "NULL", "''", "'x'", "1.5", "-1e300", "x''", "x'00'", "zeroblob(300000)", "char(27,91,51,49,109)",
    "'tele-udp'", "'tele'", "id", "rowid * 1000000007", "rowid - 5", "hex(zeroblob(40000))",
  ]

  /// A change of each kind.
  static let seeds: [[UInt8]] = [
    [], [0, 0, 1, 3], [0, 1, 2, 4], [0, 3, 0, 2], [1, 2, 0, 5], [2, 0, 3], [3, 4, 1, 1], [0, 7, 0, 5, 0, 12, 0, 2],
    [4, 1, 0, 0, 255], [0, 15, 0, 12], [5, 1, 2, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1],
    [0, 31, 0, 3], [0, 32, 1, 4], [1, 42, 0, 3], [0, 43, 2, 8], [1, 45, 0, 4], [0, 51, 0, 3], [0, 60, 1, 4],
    [1, 65, 0, 14],
  ]

  let bytes: [UInt8]

  /// Four packets of two interfaces, with what was found in them.
  static let whole: StoredCapture = {
    do { return try StoredCapture() } catch { fatalError("\(error)") }
  }()

  private init() throws {
    let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
    let up = Flow(.udp, from: phone, to: Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000))
    var list = PacketList(interface: "test")
    for (index, kind) in (Protocols.builtIn.first?.messages ?? []).prefix(4).enumerated() {
      try list.add(
        Message.right(kind).bytes, index == 1 ? up.reversed : up, at: Timestamp(nanoseconds: Int64(index) * 20_000_000))
    }
    let folder = try TemporaryFolder()
    let path = folder.file("whole.telecap")
    try StoredCapture.files.importing(.packets(list), into: path, force: false, ports: Ports(Protocols.builtIn))
    bytes = Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Calls `body` with a capture that was changed as `input` says.
  func changed<Result>(by input: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    let path = folder.file("changed.telecap")
    var input = FuzzBytes(input)
    var content = bytes
    try Data(content).write(to: URL(filePath: path))
    let statements = StoredCapture.statements(&input, &content)
    if content != bytes {
      try Data(content).write(to: URL(filePath: path))
    } else if !statements.isEmpty {
      try StoredCapture.change(path, statements)
    }
    return try body(path)
  }

  /// SQL that changes values; or, instead of it, bytes of the file that are changed.
  private static func statements(_ input: inout FuzzBytes, _ content: inout [UInt8]) -> [String] {
    var statements: [String] = []
    while !input.isEmpty, statements.count < 8 {
      let action = input.byte() % 6
      if action == 4 {
        let place = Int(input.number(UInt16.self))
        let value = input.byte()
        if place < content.count { content[place] = value }
        continue
      }
      let (table, column) = input.choice(columns)
      let row = "(SELECT rowid FROM \(table) ORDER BY rowid LIMIT 1 OFFSET \(input.byte() % 4))"
      switch action {
      case 0: statements.append("UPDATE \(table) SET \(column) = \(input.choice(values)) WHERE rowid = \(row)")
      case 1: statements.append("UPDATE \(table) SET \(column) = \(input.choice(values))")
      case 2: statements.append("DELETE FROM \(table) WHERE rowid = \(row)")
      case 3: statements.append("UPDATE \(table) SET rowid = \(input.choice(values)) WHERE rowid = \(row)")
      default:
        let number: Int64 = input.number()
        statements.append("UPDATE \(table) SET \(column) = \(number) WHERE rowid = \(row)")
      }
    }
    return statements
  }

  /// Runs statements that SQLite may refuse, without the checks of the tables.
  private static func change(_ path: String, _ statements: [String]) throws {
    let bare = checks.reduce("sql") { "replace(\($0), '\($1)', '')" }
    let keep = "CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema"
    try run(path, ["PRAGMA writable_schema = ON", keep, "UPDATE sqlite_schema SET sql = \(bare) WHERE type = 'table'"])
    try run(path, statements)
    try run(
      path,
      [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE kept.name = sqlite_schema.name) WHERE name != 'kept'",
        "DROP TABLE kept",
      ])
  }

  private static func run(_ path: String, _ statements: [String]) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw Broken(description: "SQLite cannot open \(path)") }
    for statement in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"] + statements {
      sqlite3_exec(database, statement, nil, nil, nil)
    }
  }

  /// Reads all that telecap reads of a capture.
  static func read(_ path: String) throws {
    let recording = try files.recording(path)
    var sink = CheckedSink()
    sink.frame = .max
    _ = try recording.dissect(to: &sink)
    _ = try recording.summary()
    _ = try recording.packets(where: "type = 'POSE'")
    _ = try recording.report(named: "a", tool: "fuzz", suites: .all) { _ in }
    let reader = try files.reader(path)
    try PacketExport(reader, nil).writePcapng(to: "\(path).pcapng", force: true, tool: "fuzz")
  }
}

/// A folder that is gone with its value.
final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "telecap-fuzz-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> String { url.appending(path: name).path }
}
