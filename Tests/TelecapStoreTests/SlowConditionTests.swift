import Foundation
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

/// Conditions that are SQL, and never end or make too much.
@Suite("A slow condition", .real("the wall clock")) struct SlowConditionTests {
  private static let endless = "(SELECT count(*) FROM packet a, packet b, packet c, packet d, packet e) > 0"

  private func reader(_ folder: borrowing Folder) throws -> CaptureReader {
    try Example().import(to: folder["a"], .test)
    return try CaptureReader(path: folder["a"], .standard)
  }

  @Test("A slow condition times out, and the next one is answered")
  func isGivenUpAndTheNextOneIsAnswered() throws {
    let folder = try Folder()
    let reader = try reader(folder)
    #expect(
      throws: StoreError.badCondition(text: Self.endless, reason: "timeout after 1 s")
    ) {
      try reader.messages(where: Self.endless, .after(0), most: 10, timeout: 1)
    }
    #expect(try reader.messages(where: "type = 'POSE'", .after(0), most: 10, timeout: 1).count == 10)
  }

  @Test("A slow condition can be interrupted from another thread")
  func isBrokenOffFromAnotherThread() throws {
    let folder = try Folder()
    let reader = try reader(folder)
    // A thread of its own: among other tests a task may wait longer for one than the condition's time limit.
    let breaking = Thread {
      while !Thread.current.isCancelled {
        reader.interrupt()
        usleep(20_000)
      }
    }
    breaking.start()
    defer { breaking.cancel() }
    #expect(throws: StoreError.badCondition(text: Self.endless, reason: "interrupted")) {
      try reader.messages(where: Self.endless, .after(0), most: 10, timeout: 60)
    }
  }

  @Test("A condition with too long a value is an error of the condition, not of the capture")
  func thatMakesTooLongAValueIsWrongNotTheCapture() throws {
    let folder = try Folder()
    let reader = try reader(folder)
    let text = "randomblob(1000000000) IS NULL"
    #expect(
      throws: StoreError.badCondition(text: text, reason: "it makes a value of more than 1048576 bytes")
    ) {
      try reader.messages(where: text, .after(0), most: 10)
    }
  }

  @Test("The listed columns are those of the messages in the capture")
  func columnsAreNamedForTheMessagesThatAreThere() throws {
    let schema = CaptureSchema.standard
    let names = schema.columns { $0.name == "HAPTIC" }
    #expect(names.contains("intensity") && names.contains("type") && !names.contains("qx"))
    #expect(schema.columns { _ in true } == schema.columns)
  }
}
