import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// The permissions of a capture.
@Suite struct RightsTests {
  private let folder: Folder
  private var path: String { folder["a"] }

  init() throws { folder = try Folder() }

  private func rights(_ name: String = "a") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder[name])[.posixPermissions] as? Int
  }

  private func record() throws {
    let writer = try CaptureWriter(creating: path, .test, .standard, force: true)
    try writer.add(Interface(name: "test", linkType: 1))
    try writer.finish(ended: .zero)
  }

  private func bringIn(_ look: () throws -> Void = {}) throws {
    let writer = try ImportWriter(creating: path, .test, .standard, force: true)
    try look()
    try writer.packets.add(Interface(name: "test", linkType: 1))
    try writer.finish(ended: .zero, sessions: [])
  }

  @Test("A new capture has the mode of the umask")
  func aNewOneHasTheRightsThatTheUmaskLeaves() throws {
    let file = open(folder["shell"], O_CREAT | O_WRONLY, 0o666)
    close(file)
    try record()
    #expect(try rights() == rights("shell"))
    try FileManager.default.removeItem(atPath: path)
    try bringIn()
    #expect(try rights() == rights("shell"))
  }

  @Test("A replaced capture keeps its mode", arguments: [0o600, 0o660])
  func oneInThePlaceOfAnotherKeepsThoseOfThat(_ mode: Int) throws {
    try record()
    #expect(chmod(path, mode_t(mode)) == 0)
    try record()
    #expect(try rights() == mode)
    try bringIn {
      // Only the owner may read a file that is not renamed yet.
      let mode = try folder.names.first { $0.hasSuffix(".new") }.map { try rights($0) }
      #expect(mode == 0o600)
    }
    #expect(try rights() == mode)
  }

  @Test("An import keeps a read-only mode, and a recording makes the file writable")
  func oneThatNobodyMayWriteStaysSoWhenItIsImportedAndIsWrittenWhileItIsRecorded() throws {
    try bringIn()
    #expect(chmod(path, 0o400) == 0)
    try bringIn()
    #expect(try rights() == 0o400)
    try record()
    #expect(try rights() == 0o600)
  }
}
