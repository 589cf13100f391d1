import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import Testing

@testable import TelecapTransport

/// The lines that a program prints last, which are read a little after they were printed.
@Suite("The last lines of a program") struct LastLinesTests {
  /// The times of the strengths that a phone printed 10 ms after its run of 1 s had ended.
  private static func shown(endedAt ended: Int64?) throws -> [Timestamp] {
    let file = try SystemFile(
      "role: phone\ncommand: [a]\naddresses: {udp: free}\nshows: {events: [{is: strength, when: {event: haptic}}]}",
      file: "s.yaml", suites: .all)
    var log = RunLog(shows: file.aspects)
    log.end = Timestamp(nanoseconds: 1_000_000_000)
    if let ended { log.ended = (Timestamp(nanoseconds: ended), "it ended") }
    let text = Array(#"{"event": "haptic", "intensity": 0}"#.utf8)
    let line = ProgramOutput.Line(time: 1_010_000_000, text: text, isShown: true, source: .stdout)
    return RunLogBuilder.add([line], since: 0, to: log, of: file).entries.compactMap { entry in
      if case .event = entry.what { entry.time } else { nil }
    }
  }

  @Test("They count at the program's end if it ended by itself: under load they are read after it")
  func ended() throws {
    #expect(try Self.shown(endedAt: 1_000_000_000) == [Timestamp(nanoseconds: 1_000_000_000)])
  }

  @Test("They do not count if the program was asked to end, or ended by itself after the run")
  func told() throws {
    #expect(try Self.shown(endedAt: nil) == [])
    #expect(try Self.shown(endedAt: 1_005_000_000) == [])
  }
}
