import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("The schema") struct StoredSchemaTests {
  @Test("Has a table for each message and a column for each field")
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

  @Test("Gives fields of one table the same place and type in every dialect")
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

  @Test("Names each column of the view once")
  func namesEachColumnOfTheViewOnce() {
    #expect(Set(CaptureSchema.standard.columns).count == CaptureSchema.standard.columns.count)
    #expect(CaptureSchema.standard.columns.contains("intensity"))
    #expect(CaptureSchema.standard.columns.contains("seconds"))
  }

  @Test("Keeps the number of an unknown type, which nothing else tells")
  func keepsTheNumberOfAnUnknownTypeWhichNothingElseTells() throws {
    let table = try #require(CaptureSchema.standard.tables.first { $0.name == "tele_unknown" })
    #expect(table.fields.map(\.name) == ["msg_type", "body"])
  }

  @Test("Marks the file as a capture, which needs no log when it is finished")
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
