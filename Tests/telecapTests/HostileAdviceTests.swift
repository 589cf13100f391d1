import TelecapHapticTools
import TelecapImpairment
import TelecapReplay
import TelecapStore
import TelecapTestSupport
import TelecapText
import Testing

/// Advice that is a command: a person pastes it, and the shell must find the file in it, and nothing to run.
@Suite("Advice with a file's name", .real("runs bash")) struct HostileAdviceTests {
  /// Errors that name a file of this name, as they are printed, and the program that each tells to run.
  private static func advice(_ path: String) -> [(words: String, end: String)] {
    [
      (SavedPlanError.otherPackets(plan: path, made: "", CaptureDigest(), recording: path).advice, ""),
      (SavedPlanError.ofNobody(plan: path, made: "", recording: path).advice, ""),
      (ReplayProblem.nobody(recording: path, of: [], notes: []).advice, ""),
      (PatternProblem.silent(path: path).advice, ""),
      ("\(StoreError.damaged(path: path, reason: "torn"))", " saves what is left"),
      ("\(StoreError.wrongValue(path: path, table: "packet", row: 1, "negative"))", ", or record or import again"),
      ("\(StoreError.wrongValue(path: path, table: "finding", row: 1, "negative"))", ""),
    ]
  }

  @Test("The shell finds just the file's name in it")
  func shells() throws {
    let folder = try Folder()
    var script = "telecap() { printf '%s\\0' \"$@\"; }; sqlite3() { printf '%s\\0' \"$@\"; }; cd '\(folder.path)'\n"
    for path in HostileText.all {
      for (words, end) in Self.advice(path) {
        #expect(words.hasSuffix(end))
        // The last that it says to run; the name may say so too.
        let start = try #require(
          words.dropLast(end.count).firstRange(of: #/with telecap |after sqlite3 |with sqlite3 |; sqlite3 /#)?
            .lowerBound)
        let command = words.dropLast(end.count)[start...].trimmingPrefix { $0 != " " }.dropFirst()
        script += "\(String(command)); printf 'END\\0'\n"
      }
    }
    let end = try Running("/usr/bin/env", ["bash", "-c", script]).finish()
    #expect(end.status == 0 && end.errors.isEmpty, "\(end.errors)")
    let runs = end.output.utf8.split(separator: 0).map { Array($0) }.split { $0 == Array("END".utf8) }
    #expect(runs.count == HostileText.all.count * Self.advice("a").count)
    for (place, words) in runs.enumerated() {
      let path = HostileText.all[place / Self.advice("a").count]
      let meant = path.hasPrefix("-") ? "./\(path)" : path
      #expect(
        words.contains(Array(meant.utf8)),
        "\(path.debugDescription): \(words.map { String(decoding: $0, as: UTF8.self) })")
    }
    #expect(folder.names == [])
  }
}
