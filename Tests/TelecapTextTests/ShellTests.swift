import Foundation
import TelecapTestSupport
import TelecapText
import Testing

/// The shells that people paste commands into, and SQLite, read back what we wrote for them.
@Suite("Words of a shell and names of SQL", .real("runs shells and sqlite3")) struct ShellTests {
  @Test("A shell reads each word unchanged, and runs nothing", arguments: ["bash", "zsh"])
  func words(_ shell: String) throws {
    // macOS has both; elsewhere `Scripts/setup test` installs zsh.
    let folder = try Folder()
    let command = Escaping.shellCommand(HostileText.all + HostileText.all.map { "--only=\($0)" })
    #expect(command.unicodeScalars.allSatisfy { $0.isPlain })
    let script = "cd '\(folder.path)'; printf '%s\\0' \(command)"
    let end = try Running("/usr/bin/env", [shell, "-c", script]).finish()
    let words = Array(end.output.utf8.split(separator: 0, omittingEmptySubsequences: false).dropLast())
    #expect(
      words.map { Array($0) } == (HostileText.all + HostileText.all.map { "--only=\($0)" }).map { Array($0.utf8) },
      "\(end.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("SQLite reads each name unchanged")
  func names() throws {
    let columns = HostileText.all.map { "1 AS \(Escaping.sqlName($0))" }.joined(separator: ", ")
    let sql = "SELECT \(columns)"
    let end = try Running("/usr/bin/env", ["sqlite3", "-json", ":memory:", sql]).finish()
    let rows = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [[String: Any]]
    #expect(Set(try #require(rows?.first).keys) == Set(HostileText.all), "\(end.errors)")
  }
}
