import ArgumentParser
import TelecapText

/// The options of all commands, as ArgumentParser lists them (`--experimental-dump-help`).
enum OptionNames {
  /// The commands of the help, such as `ahap play`, each with the names of its options, without dashes.
  static let byCommand = commands(in: dump(of: Telecap.self), below: [])

  /// The names of the options of all commands, such as `max-gap`.
  static let all = byCommand.reduce(into: Set<String>()) { $0.formUnion($1.options) }

  /// The names of the options of this command, without those of its subcommands, except its default one.
  static func own(of command: any ParsableCommand.Type) -> Set<String> {
    let own = names(in: dump(of: command))
    return command.configuration.defaultSubcommand.map { own.union(names(in: dump(of: $0))) } ?? own
  }

  private static func dump(of command: any ParsableCommand.Type) -> JSONNode? {
    JSONReading(Array(command._dumpHelp().utf8)).node?["command"]
  }

  private static func commands(
    in command: JSONNode?, below path: [String]
  ) -> [(command: String, options: Set<String>)] {
    let children = (command?["subcommands"]?.elements ?? []).filter { $0["shouldDisplay"]?.isTrue ?? false }
    return [(path.joined(separator: " "), names(in: command))]
      + children.flatMap { commands(in: $0, below: path + [$0["commandName"]?.string ?? ""]) }
  }

  private static func names(in command: JSONNode?) -> Set<String> {
    let shown = (command?["arguments"]?.elements ?? []).filter { $0["shouldDisplay"]?.isTrue ?? false }
    let names = shown.flatMap { $0["names"]?.elements ?? [] }
    return Set(names.filter { $0["kind"]?.string == "long" }.compactMap { $0["name"]?.string })
  }
}
