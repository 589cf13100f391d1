import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("Opening a file") struct OpeningFileTests {
  private func error(_ path: String) -> StoreError? {
    do {
      _ = try CaptureReader(path: path, .standard)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  @Test("A missing file is an error of its own")
  func thatIsNotThereSaysSo() throws {
    let folder = try Folder()
    #expect(error(folder["none"]) == .missing(path: folder["none"]))
    #expect("\(StoreError.missing(path: "x.telecap"))" == "x.telecap: there is no such file")
    #expect(folder.names.isEmpty)
  }

  @Test("An empty file is an error of its own")
  func thatIsEmptySaysSo() throws {
    let folder = try Folder()
    try [UInt8]().write(to: folder["e"])
    #expect(error(folder["e"]) == .empty(path: folder["e"]))
    #expect(
      "\(StoreError.empty(path: "e"))"
        == "e: the file is empty, so it is not a capture; record or import into it with --force")
  }

  @Test("The error for text or another file type shows its first bytes")
  func ofTextOrOfAnotherKindSaysHowItBegins() throws {
    let folder = try Folder()
    try Array("hello, world".utf8).write(to: folder["text"])
    #expect(error(folder["text"]) == .notSQLite(path: folder["text"], beginsWith: Array("hello, w".utf8)))
    #expect(
      "\(StoreError.notSQLite(path: "a", beginsWith: Array("hello, w".utf8)))"
        == "a: not a telecap capture: it begins with \"hello, w\", a capture with \"SQLite format 3\"; "
        + "convert a file of another program with telecap import")
    #expect("\(StoreError.notSQLite(path: "a", beginsWith: [0xd4, 0x0c]))".contains("begins with d4 0c, "))
    try ([7] as [UInt8]).write(to: folder["byte"])
    #expect(error(folder["byte"]) == .notSQLite(path: folder["byte"], beginsWith: [7]))
    #expect(try !CaptureFile.isSQLite(folder["text"]))
  }

  @Test("The error for another program's database names its application id")
  func thatIsAnotherProgramsDatabaseSaysWhose() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a"], .test, .standard).finish(ended: .zero)
    try patch(folder["a"], at: 68, 0x0f05_5112)
    #expect(error(folder["a"]) == .notACapture(path: folder["a"], applicationID: 0x0f05_5112))
    #expect(
      "\(StoreError.notACapture(path: "a", applicationID: 0))"
        == "a: a SQLite database, but not a telecap capture: its application_id is 0x0, a capture's is 0x54434150")
    #expect(try CaptureFile.isSQLite(folder["a"]))
  }

  @Test("The error for a newer format asks for a newer telecap")
  func ofANewerFormatAsksForANewerTelecap() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a"], .test, .standard).finish(ended: .zero)
    try patch(folder["a"], at: 60, 9)
    #expect(error(folder["a"]) == .newerFormat(path: folder["a"], format: 9, newest: 2))
    #expect(throws: StoreError.newerFormat(path: folder["a"], format: 9, newest: 2)) {
      try DissectionWriter(rebuilding: folder["a"], .standard)
    }
    #expect(
      "\(StoreError.newerFormat(path: "a", format: 9, newest: 2))"
        == "a: a capture of format 9; this telecap reads formats up to 2: use a newer telecap")
  }

  @Test("The error for a table that was changed by hand names the table")
  func whoseTablesWereChangedByHandSaysWhichOne() throws {
    let folder = try Folder()
    try CaptureWriter(creating: folder["a"], .test, .standard).finish(ended: .zero)
    try alter(folder["a"], "ALTER TABLE capture DROP COLUMN damage")
    #expect(
      error(folder["a"])
        == .changedSchema(
          path: folder["a"],
          reason:
            "table capture differs from format 2: it has \", dissection_complete INTEGER NOT NULL DEFAULT\", "
            + "expected \", damage TEXT , dissection_complete INTEGER\"; telecap runs no SQL of a file: restore the table with "
            + "sqlite3, or export the packets with the telecap that wrote it"))
    try CaptureWriter(creating: folder["b"], .test, .standard).finish(ended: .zero)
    try alter(folder["b"], "DROP TABLE packet")
    #expect(error(folder["b"]) == .damaged(path: folder["b"], reason: "it has no table packet"))
  }

  @Test("A truncated or overwritten file is damaged")
  func thatIsCutShortOrOverwrittenSaysDamaged() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let whole = try [UInt8](file: folder["a"])
    try Array(whole[..<60]).write(to: folder["short"])
    #expect(error(folder["short"]) == .damaged(path: folder["short"], reason: "it ends after 60 bytes"))
    try Array(whole[..<200]).write(to: folder["cut"])
    guard case .damaged = error(folder["cut"]) else {
      Issue.record("\(String(describing: error(folder["cut"])))")
      return
    }
  }

  @Test("The error for a folder is the system's")
  func thatIsAFolderSaysWhatTheSystemSays() throws {
    let folder = try Folder()
    guard case .unreadable(folder.path, _) = error(folder.path) else {
      Issue.record("\(String(describing: error(folder.path)))")
      return
    }
  }
}

@Suite("Making a file") struct MakingFileTests {
  @Test("A new capture over an existing file needs force, and keeps the old one until then")
  func whereOneIsNeedsForceAndLeavesTheOldOneUntilThen() throws {
    let folder = try Folder()
    try Array("mine".utf8).write(to: folder["a"])
    #expect(throws: StoreError.exists(path: folder["a"])) { try CaptureWriter(creating: folder["a"], .test, .standard) }
    #expect(throws: StoreError.exists(path: folder["a"])) { try ImportWriter(creating: folder["a"], .test, .standard) }
    #expect(try [UInt8](file: folder["a"]) == Array("mine".utf8))
    #expect("\(StoreError.exists(path: "a"))" == "a: exists already; --force replaces it")
    try CaptureWriter(creating: folder["a"], .test, .standard, force: true).finish(ended: .zero)
    #expect(try CaptureReader(path: folder["a"], .standard).info().host == "desk")
    #expect(folder.names == ["a"])
  }

  @Test("A capture in a missing folder is an error")
  func whereNoneCanBeMadeSaysSo() throws {
    let folder = try Folder()
    let path = folder["none/a"]
    for make in [
      { _ = try CaptureWriter(creating: path, .test, .standard) },
      { _ = try ImportWriter(creating: path, .test, .standard) },
    ] {
      #expect {
        try make()
      } throws: { error in
        guard case .cannotCreate(path, _)? = error as? StoreError else { return false }
        return true
      }
    }
  }

  @Test("An abandoned import removes its files, and leaves the old capture unchanged")
  func byAnImportThatIsGivenUpLeavesNothingBehindAndTheOldOneAsItWas() throws {
    let folder = try Folder()
    try Array("mine".utf8).write(to: folder["a"])
    do {
      let writer = try ImportWriter(creating: folder["a"], .test, .standard, force: true)
      try writer.packets.add(numbers: 1...10_000)
    }
    #expect(folder.names == ["a"])
    #expect(try [UInt8](file: folder["a"]) == Array("mine".utf8))
  }
}
