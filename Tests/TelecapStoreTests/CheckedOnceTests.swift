import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// The tables that follow from the frames are looked through once by each reader, and again when somebody wrote to the file.
@Suite struct CheckedOnceTests {
  private let capture: ExampleCapture

  init() throws { capture = try ExampleCapture() }

  /// The names of the tables that a reader would look through now.
  private func rest(_ reader: CaptureReader) throws -> [String] {
    let tables = reader.schema.checkedTables
    return try reader.read { db in
      try reader.checked?.rest(of: tables, inVersion: reader.version(db)).map(\.name) ?? []
    }
  }

  @Test("A table that was checked is not checked again for the next condition")
  func once() throws {
    let reader = try CaptureReader(path: capture.path, .standard)
    #expect(try rest(reader).count == reader.schema.checkedTables.count)
    try reader.forEachCommentedPacket { _, _, _ in }
    #expect(try rest(reader).count == reader.schema.checkedTables.count - 1)
    let chosen = try reader.select(where: "type = 'POSE'")
    #expect(try rest(reader) == [] && chosen.count > 400)
    #expect(try reader.select(where: "type = 'POSE'").count == chosen.count)
    #expect(try rest(reader.another()).count == reader.schema.checkedTables.count)
  }

  @Test("An open reader detects a value that another connection changes")
  func changed() throws {
    let reader = try CaptureReader(path: capture.path, .standard)
    try reader.checkTables()
    try capture.alter("UPDATE message SET session = 44 WHERE id = 9")
    let error = StoreError.wrongValue(
      path: capture.path, table: "message", row: 9, "session is 44; expected the id of a row of session")
    for _ in 0..<2 { #expect(throws: error) { try reader.select(where: "1") } }
    #expect(throws: error) { try reader.checkTables() }
  }

  @Test("A capture that this process made is not checked, on any of its connections")
  func own() throws {
    try capture.alter("UPDATE message SET session = 44 WHERE id = 9")
    let reader = try CaptureReader(made: capture.path, .standard)
    try reader.checkTables()
    try reader.another().checkTables()
    #expect(throws: StoreError.self) { try CaptureReader(path: capture.path, .standard).checkTables() }
  }
}
