import ArgumentParser
import TelecapText

/// The options of all commands, as ArgumentParser lists them (`--experimental-dump-help`).
enum OptionNames {
  /// The names of the options of all commands, without dashes, such as `max-gap`.
  static let all = names(in: dump(of: Telecap.self))

  /// The names of the options of this command alone.
  static func own(of command: any ParsableCommand.Type) -> Set<String> { ownNames(in: dump(of: command)) }

  private static func dump(of command: any ParsableCommand.Type) -> JSONNode? {
    JSONReading(Array(command._dumpHelp().utf8)).node?["command"]
  }

  private static func names(in command: JSONNode?) -> Set<String> {
    (command?["subcommands"]?.elements ?? []).reduce(into: ownNames(in: command)) { $0.formUnion(names(in: $1)) }
  }

  private static func ownNames(in command: JSONNode?) -> Set<String> {
    let shown = (command?["arguments"]?.elements ?? []).filter { $0["shouldDisplay"]?.isTrue ?? false }
    let names = shown.flatMap { $0["names"]?.elements ?? [] }
    return Set(names.filter { $0["kind"]?.string == "long" }.compactMap { $0["name"]?.string })
  }
}
