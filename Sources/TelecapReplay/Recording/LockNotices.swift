import TelecapRecording
import TelecapText

/// The messages about another program's write lock on a capture during its recording.
struct LockNotices {
  /// A message, and whether the lock was released.
  struct Notice: Equatable {
    let line: String
    let isOver: Bool
  }

  /// The duration of the lock at the last poll, in ns; nil when it was free.
  private var held: Nanoseconds?
  private var isTold = false
  /// The number of dropped packets at the start of the lock.
  private var droppedBefore = 0

  /// The minimum duration of a reported lock, in ns.
  static let shortest = Nanoseconds(1_000_000_000)

  /// The notice that is due now, or nil.
  ///
  /// - Parameters:
  ///   - time: the time for which the recording has waited for the lock, in ns; nil when it does not wait.
  ///   - dropped: the number of dropped packets since the beginning.
  mutating func look(lockedFor time: Nanoseconds?, dropped: Int) -> Notice? {
    guard let time else { return free(dropped) }
    if held == nil { droppedBefore = dropped }
    held = time
    guard time >= LockNotices.shortest, !isTold else { return nil }
    isTold = true
    let line =
      "another program holds the write lock: packets wait in memory until it is free; those that do not fit are dropped and counted"
    return Notice(line: line, isOver: false)
  }

  private mutating func free(_ dropped: Int) -> Notice? {
    defer { (held, isTold) = (nil, false) }
    guard let held, isTold else { return nil }
    let lost = dropped - droppedBefore
    let words = lost > 0 ? "\(Numbers.counted(lost, "packet")) dropped" : "no packet was dropped"
    return Notice(line: "another program held the write lock for \(Numbers.time(held)); \(words)", isOver: true)
  }

  /// A message that the end of the recording waits for the lock, for at most this time in ns.
  func ending(within limit: Nanoseconds, packets: Int) -> String {
    "waiting up to \(Numbers.time(limit)) for the write lock that another program holds; Ctrl-C ends this and loses the last "
      + Numbers.counted(packets, "packet")
  }
}
