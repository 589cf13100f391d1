import TelecapRecording
import TelecapStore

/// What a recording held at one moment, as a capture of its own with all messages: for as long as somebody holds it.
public final class Snapshot: Sendable {
  /// The capture.
  public let reader: CaptureReader
  private let file: KeptTemporaryFile

  fileprivate init(of recording: Recording) throws {
    file = try KeptTemporaryFile(suffix: ".telecap")
    _ = try recording.files.importing(recording, into: file.path)
    reader = try CaptureReader(made: file.path, recording.schema)
  }
}

extension Recording {
  /// What it holds now, its messages derived: also while it is recorded.
  ///
  /// - Throws: as `RecordingFiles.importing` does; `FileError.noTemporary`.
  public func snapshot() throws -> Snapshot { try Snapshot(of: self) }

  /// How many packets it has, and whether its recording has said that it ended; nil where it is no capture.
  ///
  /// - Throws: `StoreError`
  public func growth() throws -> (packets: Int, hasEnded: Bool)? {
    guard case .path(let path) = place, try isCapture(path) else { return nil }
    let reader = try CaptureReader(path: path, schema)
    // The end first: packets that come between the two questions are looked at once more.
    let hasEnded = try reader.info().ended != nil
    return (try reader.packetCount(), hasEnded)
  }

  /// Puts the log of a recording that has ended into its file, which then needs no other; not where somebody else reads it.
  public func leaveLog() {
    if case .path(let path) = place { CaptureFile.checkpointLog(of: path) }
  }

  /// Whether somebody still records into it: one that was killed has no end, and nobody who writes it.
  ///
  /// - Throws: `StoreError`
  public func isBeingRecorded() throws -> Bool {
    guard case .path(let path) = place, let growth = try growth(), !growth.hasEnded else { return false }
    do {
      try files.derive(path)
      return false
    } catch StoreError.busy {
      return true
    } catch StoreError.cannotCreate, StoreError.trigger, StoreError.nameTaken {
      return false
    }
  }
}
