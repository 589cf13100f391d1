import TelecapRecording
import TelecapText

/// The messages about a capture whose write lock another program holds while it is recorded.
struct LockNotices {
  /// A message, and whether the lock is free again.
  struct Notice: Equatable {
    let line: String
    let isOver: Bool
  }

  /// How long the lock had been held at the last look, in ns; nil when it was free.
  private var held: Nanoseconds?
  private var isTold = false
  /// The number of dropped packets when the lock was first seen.
  private var droppedBefore = 0

  /// A lock that is held for less, in ns, is not reported.
  static let shortest = Nanoseconds(1_000_000_000)

  /// The notice that is due now, or nil.
  ///
  /// - Parameters:
  ///   - time: how long the recording has waited for the lock, in ns; nil when it does not wait.
  ///   - dropped: how many packets have been dropped since the beginning.
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

  /// That the end of the recording waits for the lock at most so long, in ns.
  func ending(within limit: Nanoseconds, packets: Int) -> String {
    "waiting up to \(Numbers.time(limit)) for the write lock that another program holds; Ctrl-C ends this and loses the last "
      + Numbers.counted(packets, "packet")
  }
}
