import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

/// Data in a capture that telecap does not derive stays; derived data belongs to the last rebuild.
@Suite("Deriving messages again") struct DerivingMessagesAnewTests {
  private let folder: Folder
  private let example: Example

  init() throws {
    folder = try Folder()
    example = try Example()
    try example.import(to: folder["a"], .test)
  }

  private func run(_ statements: [String]) throws {
    let file = try OpenFile(folder["a"], named: "a", .standard, Connection.recording)
    try file.run { db in
      for sql in statements { try Query(db, "", sql).forEach { _ in } }
    }
    file.close()
  }

  private func derive() throws {
    let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
  }

  @Test("Tables and views that a user added stay, and those that another telecap derived are dropped")
  func leavesTheTablesAndViewsThatSomebodyAddedAndDropsWhatAnotherTelecapDerived() throws {
    try run([
      "CREATE TABLE tele_notes (packet INTEGER, note TEXT)", "INSERT INTO tele_notes VALUES (1, 'here')",
      "CREATE TABLE messages AS SELECT 1 AS message", "CREATE VIEW late AS SELECT * FROM message WHERE id > 3",
      "CREATE TABLE relay (mine TEXT)", TypedTable.head(of: "tele_old") + ", x INTEGER\n)",
    ])
    let before = try CaptureReader(path: folder["a"], .standard).rows("SELECT COUNT(*) FROM late")
    try derive()
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.rows("SELECT * FROM tele_notes") == [[.integer(1), .text("here")]])
    #expect(try reader.rows("SELECT * FROM messages") == [[.integer(1)]])
    #expect(try reader.rows("SELECT COUNT(*) FROM late") == before)
    #expect(try reader.rows("SELECT name FROM sqlite_schema WHERE name IN ('tele_old', 'relay')") == [[.text("relay")]])
    #expect(try reader.info().relays.isEmpty)
    #expect(try !reader.needsDissection())
  }

  @Test("The rebuild that began last wins, and the other one gets an error")
  func isDoneByWhoeverBeganLastAndTheOtherIsTold() throws {
    let path = folder["a"]
    let first = try DissectionWriter(rebuilding: path, .standard)
    let sessions = try example.addMessages(to: first)
    let second = try DissectionWriter(rebuilding: path, .standard)
    #expect(throws: StoreError.busy(path: path)) { try first.finish(sessions: sessions) }
    #expect(try CaptureReader(path: path, .standard).needsDissection())
    try second.finish(sessions: try example.addMessages(to: second))
    let reader = try CaptureReader(path: path, .standard)
    #expect(try !reader.needsDissection())
    #expect(try reader.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test("The counts of relays are stored")
  func storesWhatRelaysCameTo() throws {
    let writer = try CaptureWriter(creating: folder["b"], .test, .standard)
    var tally = RelayTally(route: "udp:127.0.0.1:1=127.0.0.1:2")
    (tally.clients, tally.refused, tally.forgotten, tally.notPassedOn, tally.droppedByKernel) = (7, 4, 5, 6, 8)
    writer.report(relays: [tally])
    try writer.flush()
    let reader = try CaptureReader(path: folder["b"], .standard)
    #expect(try reader.info().relays == [tally])
    tally.droppedByKernel = nil
    writer.report(relays: [tally])
    try writer.finish(ended: .zero)
    #expect(try reader.info().relays == [tally])
    #expect(tally.losses == "4 of 7 clients refused, 5 forgotten, 6 datagrams recorded and not passed on")
  }

  @Test("The error of an import on a full disk reports that nothing is stored")
  func anImportSaysThatNothingIsLeftWhenTheDiskIsFull() throws {
    let writer = try ImportWriter(
      creating: folder["full"], .test, .standard, force: false, limitedTo: ["max_page_count = 60"])
    #expect(throws: StoreError.full(path: folder["full"], packets: nil)) {
      try writer.packets.add(numbers: 1...100_000)
      try writer.finish(ended: .zero, sessions: [])
    }
    writer.cancel()
    #expect(folder.names == ["a"])
  }

  @Test("A durable recording is fsynced at each commit")
  func aDurableRecordingWaitsForTheDiskAtEachCommit() throws {
    for (isDurable, level) in [(false, "1"), (true, "2")] {
      let writer = try CaptureWriter(creating: folder["d"], .test, .standard, force: true, isDurable: isDurable)
      #expect(try writer.pragma("synchronous") == level)
      try writer.finish(ended: .zero)
    }
  }
}
