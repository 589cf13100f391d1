import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("The schema") struct StoredSchemaTests {
  @Test("The schema has a table for each message and a column for each field")
  func hasATableForEachMessageAndAColumnForEachField() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a.telecap"], .test, .standard).finish(ended: .zero)
    let reader = try CaptureReader(path: folder["a.telecap"], .standard)
    for kind in MessageKind.all {
      let columns = try reader.rows("SELECT name FROM pragma_table_info('\(kind.layout.table)')").map { $0[0].printed }
      let header = kind.owner.name == "mouse" || kind == .bleAuth ? [] : ["magic", "msg_type", "version"]
      let fields = kind.layout.fields.map(\.name).filter { !header.contains($0) }
      #expect(columns.first == "message")
      #expect(Set(columns).isSuperset(of: fields), "\(kind)")
      let all = MessageKind.all.filter { $0.layout.table == kind.layout.table }.flatMap { $0.layout.fields }
      #expect(Set(columns.dropFirst()).isSubset(of: all.map(\.name)), "\(kind)")
    }
  }

  @Test("Fields of one table have the same offset and type in every protocol version")
  func givesFieldsOfOneTableTheSamePlaceAndTypeInEveryDialect() {
    for table in CaptureSchema.standard.tables {
      for field in table.fields {
        for kind in table.kinds {
          guard let row = kind.layout[field.name] else { continue }
          #expect((row.offset, row.type) == (field.offset, field.type), "\(table.name).\(field.name)")
        }
      }
    }
  }

  @Test("The view names each column once")
  func namesEachColumnOfTheViewOnce() {
    #expect(Set(CaptureSchema.standard.columns).count == CaptureSchema.standard.columns.count)
    #expect(CaptureSchema.standard.columns.contains("intensity"))
    #expect(CaptureSchema.standard.columns.contains("seconds"))
  }

  @Test("The table of unknown types stores the number of the type, which is nowhere else")
  func keepsTheNumberOfAnUnknownTypeWhichNothingElseTells() throws {
    let table = try #require(CaptureSchema.standard.tables.first { $0.name == "tele_unknown" })
    #expect(table.fields.map(\.name) == ["msg_type", "body"])
  }

  @Test("Each reference names its target column, as database browsers need it")
  func namesTheColumnThatEachReferenceLeadsTo() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a.telecap"], .test, .standard).finish(ended: .zero)
    let reader = try CaptureReader(path: folder["a.telecap"], .standard)
    for table in ["packet", "message", "finding"] + CaptureSchema.standard.tables.map(\.name) {
      let targets = try reader.rows("SELECT \"to\" FROM pragma_foreign_key_list('\(table)')")
      #expect(!targets.isEmpty && targets.allSatisfy { $0 == [.text("id")] }, "\(table)")
    }
  }

  @Test("A finished file leaves WAL mode when its last reader closes")
  func leavesWriteAheadMode() throws {
    let folder = try Folder()
    let path = folder["a.telecap"]
    func mode() throws -> String? { try SharedDatabase(path).use { try $0.text(sql: "PRAGMA journal_mode") } }
    let writer = try CaptureWriter(creating: path, .test, .standard)
    var reader: CaptureReader? = try CaptureReader(path: path, .standard)
    try writer.finish(ended: .zero)
    CaptureFile.checkpointLog(of: path)
    #expect(try reader?.packetCount() == 0)
    #expect(try mode() == "wal")
    reader = nil
    CaptureFile.checkpointLog(of: path)
    #expect(try mode() == "delete")
  }

  @Test("The application id marks the file as a capture, which needs no WAL when it is finished")
  func marksTheFileAsACapture() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a.telecap"], .test, .standard).finish(ended: .zero)
    try Example().import(to: folder["b.telecap"], .test)
    for name in ["a.telecap", "b.telecap"] {
      let reader = try CaptureReader(path: folder[name], .standard)
      #expect(try reader.rows("PRAGMA application_id") == [[.integer(0x5443_4150)]])
      #expect(try reader.rows("PRAGMA user_version") == [[.integer(2)]])
      #expect(try reader.rows("PRAGMA journal_mode") == [[.text("delete")]])
      #expect(try reader.rows("PRAGMA integrity_check") == [[.text("ok")]])
      #expect(try reader.rows("PRAGMA foreign_key_check").isEmpty)
    }
  }
}
