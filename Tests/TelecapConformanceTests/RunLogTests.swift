import TelecapConformance
import TelecapModels
import TelecapRecording
import Testing

/// The order of what happened in a run.
@Suite struct RunLogTests {
  @Test("A late entry is inserted by its time, after all other entries of that time", arguments: [4, 5, 6, 9, 10, 11])
  func order(_ late: Int64) {
    var log = RunLog(shows: [])
    for time in [5, 5, 10, 10] as [Int64] { log.note(.opened("a"), at: Timestamp(nanoseconds: time)) }
    log.note(.closed("a"), at: Timestamp(nanoseconds: late))
    log.note(.disconnected("a"), at: Timestamp(nanoseconds: late))
    let times = ([5, 5, 10, 10, late, late] as [Int64]).sorted()
    #expect(log.entries.map(\.time.nanoseconds) == times)
    let place = times.count { $0 <= late } - 2
    guard case .closed = log.entries[place].what, case .disconnected = log.entries[place + 1].what else {
      Issue.record("\(log.entries)")
      return
    }
  }
}
