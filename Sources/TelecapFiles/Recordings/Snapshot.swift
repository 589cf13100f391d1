import TelecapRecording
import TelecapStore

/// The content of a recording at one time, as a temporary capture with all messages. It is deleted with its last
/// reference.
public final class Snapshot: Sendable {
  /// The capture.
  public let reader: CaptureReader
  private let file: KeptTemporaryFile

  fileprivate init(of recording: Recording) throws {
    var recording = recording
    recording.window = nil
    file = try KeptTemporaryFile(suffix: ".telecap")
    _ = try recording.files.importing(recording, into: file.path)
    reader = try CaptureReader(made: file.path, recording.schema)
  }
}

extension Recording {
  /// A snapshot of its current content with messages derived, also while it is being recorded.
  ///
  /// - Throws: as `RecordingFiles.importing` does; `FileError.noTemporary`.
  public func snapshot() throws -> Snapshot { try Snapshot(of: self) }

  /// The number of packets, and whether the recording is marked as ended; nil if it is not a capture.
  ///
  /// - Throws: `StoreError`
  public func growth() throws -> (packets: Int, hasEnded: Bool)? {
    guard case .path(let path) = place, try isCapture(path) else { return nil }
    let reader = try CaptureReader(path: path, schema)
    // Read the end first: packets that arrive between the two queries are then found by another query.
    let hasEnded = try reader.info().ended != nil
    return (try reader.packetCount(), hasEnded)
  }

  /// Merges the log of a recording that has ended into its file, so that it needs no other file; skipped if the file
  /// has other readers.
  public func leaveLog() {
    if case .path(let path) = place { CaptureFile.checkpointLog(of: path) }
  }

  /// Whether it is still being recorded: a recording whose recorder was killed has no end and no writer.
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
