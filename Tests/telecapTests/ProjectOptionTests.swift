import Foundation
import TelecapTestSupport
import Testing

@testable import telecap

/// `telecap.yaml` as commands use it.
@Suite("A project file", .smoke)
struct ProjectOptionTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder["inner"], withIntermediateDirectories: true)
    for name in ["Captures", "Scenarios"] {
      try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: Project.file(name).path)
    }
  }

  private func run(_ yaml: String, _ command: String, in inner: String = ".") throws -> Finished {
    _ = try folder.write(Array(yaml.utf8), to: "telecap.yaml")
    return try Program.shell("cd '\(folder.path)/\(inner)' && $telecap \(command)")
  }

  @Test("Its protocols and ports are defaults, also in a folder below, and it is named")
  func ports() throws {
    let capture = Project.file("Captures/teleoperation.pcapng").path
    let yaml = "ports: {tele-udp: 50002}\n"
    let run = try run(yaml, "dissect '\(capture)' --summary", in: "inner")
    #expect(run.status == 0 && run.output.contains("129 packets in 1.504 s, 0 messages"), "\(run.output)")
    #expect(run.errors.contains("telecap.yaml: --port tele-udp=50002 (--no-project ignores it)"), "\(run.errors)")
    for option in ["--no-project", "--tele-udp 50000", "--port tele-udp=50000"] {
      let other = try self.run(yaml, "dissect '\(capture)' --summary \(option)")
      #expect(other.output.contains("129 messages") && other.errors.isEmpty, "\(option): \(other.errors)")
    }
  }

  @Test("Its system is tested, and its reports are written next to it")
  func conform() throws {
    let yaml = "sut: model:phone\nreports: {junit: out.xml}\n"
    let run = try run(yaml, "conform --only tele.haptic.clamp-high", in: "inner")
    #expect(run.status == 0 && run.output.contains("PASS  model:phone: 1 passed"), "\(run.output)\(run.errors)")
    #expect(!run.errors.contains("no --sut") && FileManager.default.fileExists(atPath: folder["out.xml"]))
    let list = try self.run(yaml, "conform --list --only tele.haptic.clamp-high")
    #expect(list.status == 0 && list.errors.isEmpty, "\(list.errors)")
  }

  @Test("An error in it has line and column, and commands without its options do not read it")
  func errors() throws {
    let run = try run("protocols: []\nport: 1\n", "dissect --hex 00")
    #expect(
      run.status == 65 && run.errors.contains("telecap.yaml:2:1: unknown key \"port\" in project"), "\(run.errors)")
    #expect(try self.run("port: 1\n", "protocols list").status == 0)
    #expect(try self.run("port: 1\n", "dissect --help").status == 0)
    #expect(try self.run("port: 1\n", "dissect --hex 00 --no-project").errors.isEmpty)
  }

  @Test("Every command with an option of a project file uses it, and can ignore it")
  func coverage() {
    let commands = [
      ["record"], ["import"], ["export"], ["info"], ["dissect"], ["view"], ["report"], ["wireshark"], ["replay"],
      ["plan"], ["relay"], ["conform"], ["learn"], ["simulate", "host"], ["simulate", "phone"], ["simulate", "side"],
      ["simulate", "mouse"], ["ahap", "from"], ["ahap", "play"], ["senses"],
    ]
    for words in commands {
      #expect(CommandPath(words).takes("no-project"), "\(words)")
      #expect(ProjectDefaults.commands.contains(words[0]), "\(words)")
    }
    #expect(Set(commands.map { $0[0] }) == ProjectDefaults.commands)
    for words in [["sync"], ["touch"], ["protocols", "new"], ["protocols", "list"]] {
      #expect(!CommandPath(words).takes("no-project") && !ProjectDefaults.commands.contains(words[0]), "\(words)")
    }
  }
}
