import TelecapPlatform
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// Looks through all tables of a capture that is shown, in the background behind its first picture, and tells what is damaged.
final class TableCheck: Sendable {
  /// Nil while it is not known yet.
  private let found = Locked<Soundness?>(nil)

  /// What pages say of it now.
  var soundness: Soundness { found.with { $0 } ?? .asked(at: TableCheck.address) }

  /// Something was found that telecap does not write.
  var hasFoundDamage: Bool {
    if case .damaged = soundness { return true }
    return false
  }

  /// It came to its end.
  var isDone: Bool { found.with { $0 != nil } }

  /// Where pages ask, below the capture's own address.
  static let address = "damage"

  /// Waits until it is known.
  func result() async throws -> Soundness {
    while true {
      if let result = found.with({ $0 }) { return result }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Looks through a capture once its picture is drawn.
  ///
  /// - Parameters:
  ///   - reader: a connection that nobody else waits for.
  ///   - tell: is told what is damaged, and what a person should know of what was not read.
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
      // No fault of the data: whoever asks for a page is told it there.
      found.with { $0 = .sound }
      tell("\(name): it was not looked through for damage: \(error)")
    }
  }
}
