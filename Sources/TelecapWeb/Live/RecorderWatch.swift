import TelecapFiles

/// Detects that the recorder of an incomplete capture was killed. The check locks the file for a moment, so it runs
/// only after a pause without packets.
struct RecorderWatch {
  private var packets = -1
  private var next = ContinuousClock.now + pause

  private static let pause = Duration.seconds(2)

  /// Records the current number of packets.
  mutating func saw(_ packets: Int) {
    if packets != self.packets { next = .now + RecorderWatch.pause }
    self.packets = packets
  }

  /// Whether the recorder is gone; false while no check is due.
  ///
  /// - Throws: `StoreError`
  mutating func isGone(_ recording: Recording) throws -> Bool {
    guard ContinuousClock.now >= next else { return false }
    next = .now + RecorderWatch.pause
    return try !recording.isBeingRecorded()
  }
}
