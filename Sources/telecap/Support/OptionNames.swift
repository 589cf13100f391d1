import ArgumentParser

/// The options of all commands.
enum OptionNames {
  /// Their names without dashes, `max-gap`, as the help says them.
  static let all = names(of: Telecap.self)

  /// Those of this command alone.
  static func own(of command: any ParsableCommand.Type) -> Set<String> {
    let help = Telecap.helpMessage(for: command, columns: 10_000)
    return Set(help.matches(of: /(?m)^ +(?:-[a-zA-Z], )?--([a-z0-9-]+)/).map { String($0.1) })
  }

  private static func names(of command: any ParsableCommand.Type) -> Set<String> {
    command.configuration.subcommands.reduce(into: own(of: command)) { $0.formUnion(names(of: $1)) }
  }
}
