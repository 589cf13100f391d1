import TelecapFiles

/// Notices that nobody records any more into a capture that has no end: its recorder was killed. To ask for that takes the file for a
/// moment, so it is asked only where nothing has come for a while.
struct RecorderWatch {
  private var packets = -1
  private var next = ContinuousClock.now + pause

  private static let pause = Duration.seconds(2)

  /// So many packets are there.
  mutating func saw(_ packets: Int) {
    if packets != self.packets { next = .now + RecorderWatch.pause }
    self.packets = packets
  }

  /// Whether nobody records any more; false while it is not asked for.
  ///
  /// - Throws: `StoreError`
  mutating func isGone(_ recording: Recording) throws -> Bool {
    guard ContinuousClock.now >= next else { return false }
    next = .now + RecorderWatch.pause
    return try !recording.isBeingRecorded()
  }
}
