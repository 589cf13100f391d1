import Foundation
import TelecapTestSupport

/// A system under test whose program is a script of a shell, which writes down of which processes it consists.
struct ShellSystem {
  /// The system file.
  let file: String
  private let folder: Folder

  /// - Parameters:
  ///   - ready: the value of `ready` in the system file.
  ///   - script: is given the path of the file for the numbers of its processes, one a line.
  init(in folder: Folder, ready: String = "{ line: ready, within: 60s }", _ script: (_ ids: String) -> String) throws {
    self.folder = folder
    // In a system file `$NAME` is a variable of telecap, `$$NAME` that of the shell.
    let lines = script(folder["ids"]).replacing(/\$(?=[A-Za-z_])/, with: "$$").split(separator: "\n")
    let text = """
      role: host
      command:
        - /bin/sh
        - -c
        - |
      \(lines.map { "      " + $0 }.joined(separator: "\n"))
      addresses: { udp: free }
      ready: \(ready)
      """
    file = try folder.write(Array(text.utf8), to: "system.yaml")
  }

  /// The words of a `conform` that runs it.
  var conform: [String] { ["conform", "--sut", file, "--only", "tele.hello.ack-every"] }

  /// Its processes that have said so.
  var processes: [Int32] {
    let text = (try? String(contentsOfFile: folder["ids"], encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int32($0) }
  }

  /// Whether none of these runs any more.
  static func haveEnded(_ processes: [Int32]) -> Bool { processes.allSatisfy { !isRunning($0) } }
}
