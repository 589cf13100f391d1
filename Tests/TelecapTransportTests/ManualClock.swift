import TelecapTransport

/// A clock that a test moves: sleeping moves it to the time asked for, plus the oversleep that the test wants; every look
/// at it takes a little.
final class ManualClock: MonotonicClock {
  private(set) var time: Int64 = 1_000_000
  private(set) var sleeps: [Int64] = []
  var tick: Int64 = 100
  var oversleep: Int64 = 0

  func now() -> Int64 {
    time += tick
    return time
  }

  func sleep(until wanted: Int64) {
    sleeps.append(wanted)
    time = max(time, wanted) + oversleep
  }

  func spin() { time += tick }

  func pass(_ nanoseconds: Int64) { time += nanoseconds }
}
