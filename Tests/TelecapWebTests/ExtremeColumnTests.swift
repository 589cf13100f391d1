import CSQLite
import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapWeb

/// Each column of a capture with numbers at the ends of what it can hold, and with none: its pages answer, or say what is damaged.
@Suite("Extreme numbers in each column of a capture") struct ExtremeColumnTests {
  private static let values = [
    "-9223372036854775807 - 1", "9223372036854775807", "-1", "0", "NULL", "'text'", "1e308", "x'00'", "4294967296",
  ]

  /// A capture of a session with a finding, derived; each case begins with its bytes.
  private static func capture(_ path: String) throws {
    var list = PacketList(interface: "test")
    let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
    let host = Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000)
    let up = Flow(.udp, from: phone, to: host)
    let payloads =
      [(up, Bytes.hello), (up.reversed, Bytes.ack)] + (1...12).map { (up, Bytes.pose(UInt16($0))) }
      + [(up, Array(Bytes.pose(13).dropLast(3)))]
    for (index, (flow, bytes)) in payloads.enumerated() {
      try list.add(bytes, flow, at: Timestamp(nanoseconds: Int64(index) * 100_000_000))
    }
    try RecordingFiles.standard.importing(.packets(list), into: path, force: true, ports: .standard)
  }

  private static func run(_ sql: String, on path: String) throws -> [String] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return rows
  }

  /// Each table with each of its columns that can be written.
  private static let columns: [(table: String, column: String)] = {
    guard let folder = try? Folder(), (try? capture(folder["a"])) != nil else { return [] }
    let tables = ["capture", "interface", "packet", "session", "flow", "message", "finding", "tele_pose", "tele_hello"]
    return tables.flatMap { table in
      ((try? run("SELECT name FROM pragma_table_info('\(table)')", on: folder["a"])) ?? []).map { (table, $0) }
    }
  }()

  /// Requests that read each table.
  private static let requests: [(path: String, query: [String: String])] = [
    ("", [:]), ("timeline", [:]), ("timeline/figures", ["from": "0.2", "until": "0.3"]), ("packets", [:]),
    ("packets", ["packet": "3"]), ("packets/rows", ["where": "seconds > 0.1"]), ("packets/detail", ["message": "15"]),
    ("packets", ["at": "0.5"]),
  ]

  @Test("The pages show the capture or name the damage, and so does a report")
  func columns() async throws {
    try #require(Self.columns.count > 50)
    let folder = try Folder()
    try Self.capture(folder["whole"])
    let whole = try [UInt8](file: folder["whole"])
    let cases = Self.columns.flatMap { place in Self.values.map { (place, $0) } }
    for ((table, column), value) in sampled(cases, oneIn: 29) {
      try whole.write(to: folder["a"])
      // All rows, or the last one.
      let isAll = (table.count + column.count + value.count).isMultiple(of: 2)
      let rows = isAll ? "" : " WHERE rowid = (SELECT max(rowid) FROM \(table))"
      _ = try Self.run("UPDATE \(table) SET \(column) = \(value)\(rows)", on: folder["a"])
      try await Self.read(folder["a"], "\(table).\(column) = \(value)")
    }
  }

  private static func read(_ path: String, _ name: String) async throws {
    do {
      let recording = try RecordingFiles.standard.recording(path)
      _ = try recording.report(named: "a", tool: "test", suites: .all) { _ in }
      let (summary, _, _) = try recording.summary()
      _ = SummaryText(summary, style: .plain).lines(of: path)
      try await recording.withCapture { reader, _ in
        let server = try PageServer(
          [ShownCapture(name: "a", recording: recording, reader: reader)], at: HostPort(host: "127.0.0.1", port: nil),
          suites: .all, tool: "test")
        let gate = PageGate(token: "t", hosts: ["h"])
        for request in requests {
          let answer = await server.answer(
            PageRequest(path: "/t/0/\(request.path)", query: request.query, host: "h"), gate)
          #expect([200, 400, 500].contains(answer.status), "\(name): \(request)")
        }
      }
    } catch is StoreError {}
  }
}
