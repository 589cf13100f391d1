import TelecapPlatform
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// Checks all tables of a shown capture for damage, in the background after its first picture.
final class TableCheck: Sendable {
  /// The result; nil while it is unknown.
  private let found = Locked<Soundness?>(nil)

  /// The current result for pages.
  var soundness: Soundness { found.with { $0 } ?? .asked(at: TableCheck.address) }

  /// Whether it found data that telecap does not write.
  var hasFoundDamage: Bool {
    if case .damaged = soundness { return true }
    return false
  }

  /// Whether it has finished.
  var isDone: Bool { found.with { $0 != nil } }

  /// The path of the result below the capture's address.
  static let address = "damage"

  /// Waits for the result.
  func result() async throws -> Soundness {
    while true {
      if let result = found.with({ $0 }) { return result }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Checks a capture after its picture is drawn.
  ///
  /// - Parameters:
  ///   - reader: a connection without other users.
  ///   - tell: logs the damage, and notes about data that were not read.
  func run(
    _ reader: CaptureReader, named name: String, behind picture: Task<CapturePicture, any Error>,
    tell: @Sendable (String) -> Void
  ) async {
    do {
      for note in try await picture.value.summary.notes { tell("\(name): \(note)") }
      try await Worker.run { try reader.checkTables() }
      found.with { $0 = .sound }
    } catch  where ExitStatus(of: error) == .data {
      found.with { $0 = .damaged("\(error)") }
      tell("\(error)")
    } catch {
      // The data are not at fault, and a page that needs them reports the error.
      found.with { $0 = .sound }
      tell("\(name): it was not looked through for damage: \(error)")
    }
  }
}
