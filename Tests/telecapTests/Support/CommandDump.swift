import Foundation
import TelecapTestSupport
import Testing

/// A command of the built program with its options, as `--experimental-dump-help` lists them.
struct CommandDump {
  let name: String
  /// Whether the help lists it.
  let isShown: Bool
  let options: [Option]
  let subcommands: [CommandDump]

  struct Option {
    /// Without dashes.
    let names: [String]
    let isRepeating: Bool
    /// Whether the help lists it.
    let isShown: Bool
  }

  /// The program itself, with all commands below it.
  static func program() throws -> CommandDump {
    let dump = try JSONSerialization.jsonObject(with: Data(Program.run("--experimental-dump-help").output.utf8))
    return CommandDump(try #require((dump as? [String: Any])?["command"] as? [String: Any]))
  }

  private init(_ command: [String: Any]) {
    name = command["commandName"] as? String ?? ""
    isShown = command["shouldDisplay"] as? Bool == true
    subcommands = (command["subcommands"] as? [[String: Any]] ?? []).map(CommandDump.init)
    options = (command["arguments"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String != "positional" }.map {
      Option(
        names: ($0["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String },
        isRepeating: $0["isRepeating"] as? Bool == true, isShown: $0["shouldDisplay"] as? Bool == true)
    }
  }

  /// It and all below it.
  var all: [CommandDump] { [self] + subcommands.flatMap(\.all) }
}
