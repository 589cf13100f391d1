import Foundation
import TelecapTestSupport
import Testing

/// Every option of every command that ends by itself, with numbers at the ends of what any type holds: a status, and no signal.
@Suite("Options with extreme numbers", .real("runs telecap many times")) struct ExtremeOptionTests {
  private static let values = [
    "-9223372036854775808", "9223372036854775807", "18446744073709551615", "0", "-1", "1e308", "nan", "-inf", "24h",
    "0ms",
    "9223372036854775807s", "4294967296", "100%", "0.0000001%", "1000000x", "0.000001x", "9223372036854775807,1",
  ]

  /// What each command takes besides, such that it has done its work in a moment.
  private static func operands(_ folder: Folder) -> [String: [String]] {
    func file(_ name: String) -> String { Project.file("Captures/\(name)").path }
    let (session, force) = (file("teleoperation.pcapng"), file("force-ramp.pcapng"))
    return [
      "replay": [session, "--role", "phone", "--to", "model:host", "--speed", "max"],
      "plan": [session, "--role", "phone", "-o", folder["a.plan"], "--force"], "info": [session],
      "dissect": [session, "--summary"], "export": [session, "--format", "csv", "-o", "/dev/null"],
      "conform": ["--sut", "model:host", "--only", "tele.hello.busy"], "sync": [],
      "touch": [file("touch/hand.jsonl"), "--views", file("touch/screen.json")],
      "ahap render": [file("haptics/explosion.ahap")], "ahap from": [force, "-o", folder["a.ahap"], "--force"],
      "ahap play": [file("haptics/explosion.ahap"), "--to", "127.0.0.1:9", "--dry-run"],
      "import": [session, "-o", folder["a.telecap"], "--force"],
      "report": [session, "-o", folder["a.html"], "--force"],
    ]
  }

  /// The long names of a command's options that take a value, and those of the commands below it.
  private static func options(_ command: [String: Any], _ path: [String] = []) -> [(path: [String], name: String)] {
    let own = (command["arguments"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String == "option" }
    let names = own.flatMap { $0["names"] as? [[String: String]] ?? [] }.filter { $0["kind"] == "long" }
    let commands = command["subcommands"] as? [[String: Any]] ?? []
    return names.compactMap { $0["name"].map { (path, $0) } }
      + commands.flatMap { options($0, path + [$0["commandName"] as? String ?? ""]) }
  }

  @Test("Every option takes every number, or refuses it with its name")
  func everyOption() throws {
    let folder = try Folder()
    let help = try Program.run(["--experimental-dump-help"]).output
    let root = try #require(try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
    let operands = Self.operands(folder)
    // Where these lead, somebody else decides what they are.
    let others = ["output", "to", "sut", "record", "html"]
    let options = Self.options(try #require(root["command"] as? [String: Any]))
      .filter { operands[$0.path.joined(separator: " ")] != nil && !others.contains($0.name) }
    try #require(options.count > 80)
    let cases = options.flatMap { option in Self.values.map { (option, $0) } }
    // No factor in common with the count of the values: each option gets others.
    for (option, value) in sampled(cases, oneIn: 149) {
      let words = option.path + (operands[option.path.joined(separator: " ")] ?? []) + ["--\(option.name)=\(value)"]
      // Some values are names of files to an option: they are made in this folder.
      let end = try Running("/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder.path, Program.path] + words).finish()
      #expect((0..<128).contains(end.status), "\(words): \(end.errors.suffix(300))")
    }
  }
}
