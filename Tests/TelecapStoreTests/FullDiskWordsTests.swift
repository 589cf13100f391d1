import CSQLite
import Testing

@testable import TelecapStore

@Suite("Errors of a full disk")
struct FullDiskWordsTests {
  private let full = SQLiteError(code: SQLITE_FULL)

  @Test("A full disk while reading is that of temporary files, and the capture is unchanged")
  func reading() {
    let error = storeError(full, "x.telecap")
    #expect(error == .noRoom(path: "x.telecap"))
    #expect("\(error)".contains("the capture is unchanged"))
    #expect(throws: StoreError.noRoom(path: "x.telecap")) { try mapped("x.telecap") { throw full } }
  }

  @Test("The error of a full disk while writing states how much is stored")
  func writing() {
    for packets in [nil, 7] {
      let left = StoreError.full(path: "x.telecap", packets: packets)
      #expect(storeError(full, "x.telecap", full: left) == left)
    }
  }
}
