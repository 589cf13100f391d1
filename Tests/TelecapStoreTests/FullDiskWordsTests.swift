import CSQLite
import Testing

@testable import TelecapStore

@Suite("Which disk is full")
struct FullDiskWordsTests {
  private let full = SQLiteError(code: SQLITE_FULL)

  @Test("While nothing is written to a capture it is that of temporary files, and the capture is as it was")
  func reading() {
    let error = storeError(full, "x.telecap")
    #expect(error == .noRoom(path: "x.telecap"))
    #expect("\(error)".contains("the capture is unchanged"))
    #expect(throws: StoreError.noRoom(path: "x.telecap")) { try mapped("x.telecap") { throw full } }
  }

  @Test("While a capture is written it is said what is left of it")
  func writing() {
    for packets in [nil, 7] {
      let left = StoreError.full(path: "x.telecap", packets: packets)
      #expect(storeError(full, "x.telecap", full: left) == left)
    }
  }
}
