import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

@Suite("The limits of what a capture can store") struct WhatCaptureCannotHoldTests {
  /// A protocol with a message for each list of fields, all of a byte.
  private func toy(_ messages: [[String]], protocol name: String = "toy") throws -> WireProtocol {
    let lines = messages.enumerated().map { index, names in
      let fields = names.map { "{name: \($0), type: u8}" }.joined(separator: ", ")
      return "  - {name: M\(index), type: \(index), from: host, fields: [\(fields)]}"
    }
    let text = """
      protocol: \(name)
      carriers: [{name: udp, over: udp, port: 4000}]
      header: [{name: kind, type: u16, is: type}, {name: length, type: u16, is: length}]
      messages:
      \(lines.joined(separator: "\n"))
      """
    return try ProtocolFile.read(text, file: "toy.yaml")
  }

  @Test(
    "A keyword that SQL reserves is no column name",
    arguments: ["order", "group", "select", "table", "null", "not", "current_time", "current_date", "true"])
  func words(_ name: String) {
    #expect(CaptureSchema.problem(ofColumn: name) == "it is a keyword of SQL, which conditions cannot name")
  }

  @Test(
    "Any other name is a column, also a keyword that SQL does not reserve",
    arguments: ["key", "left", "right", "range", "end", "row", "action", "offset", "rowid", "x"])
  func others(_ name: String) throws {
    #expect(CaptureSchema.problem(ofColumn: name) == nil)
    let schema = CaptureSchema(Protocols.builtIn + [try toy([[name]])])
    #expect(try made(schema, "\(name == "offset" ? "toy_offset" : name) > 3 OR length > toy_length"))
  }

  @Test("A field cannot have the name of a column that every capture has")
  func aColumnThatCapturesHaveIsNone() {
    #expect(CaptureSchema.problem(ofColumn: "message") == "captures number their messages in a column of that name")
  }

  @Test("A field named like a column of every message gets its protocol's name as a prefix")
  func aFieldThatEveryMessageHasAColumnOfStandsBehindItsProtocolsName() throws {
    let columns = CaptureSchema(Protocols.builtIn + [try toy([["source", "x"]])]).columns
    #expect(Set(columns).count == columns.count)
    #expect(Set(columns).isSuperset(of: ["source", "toy_source", "length", "toy_length"]))
  }

  @Test("The limit of messages is what SQLite can join, and one more is an error")
  func asManyKindsOfMessageAsSQLiteJoinsAndOneMore() throws {
    let built = CaptureSchema.standard.tables.count
    let most = try toy((0..<59 - built).map { _ in [] })
    let schema = CaptureSchema(Protocols.builtIn + [most])
    #expect(schema.tables.count == 61 && schema.problem == nil)
    #expect(try made(schema, "toy_length > 1"))
    let more = CaptureSchema(Protocols.builtIn + [try toy((0..<60 - built).map { _ in [] })])
    #expect(
      more.problem == "with those of the other protocols there are 62 kinds of message; a capture has at most 61")
  }

  @Test("More fields than the limit of a capture are an error")
  func asManyFieldsAsATableHasColumnsAndMore() throws {
    let many = try toy((0..<20).map { message in (0..<100).map { "f\(message)_\($0)" } })
    let schema = CaptureSchema([many])
    #expect(schema.problem?.hasSuffix("fields; a capture has at most 2000") == true)
  }

  @Test("A protocol cannot have the name of a table that captures have", arguments: ["batch", "sqlite"])
  func namesOfTablesThatAreTaken(_ name: String)
    throws
  {
    #expect(
      CaptureSchema([try toy([["packet"]], protocol: name)]).problem
        == "a protocol cannot be called \"\(name)\": captures have tables of that name")
  }

  /// Whether a capture of this schema can be made, and asked this.
  private func made(_ schema: CaptureSchema, _ condition: String) throws -> Bool {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a.telecap"], .test, schema).finish(ended: .zero)
    _ = try CaptureReader(path: folder["a.telecap"], schema).select(where: condition)
    return true
  }
}
