import ArgumentParser

/// The options of all commands.
enum OptionNames {
  /// Their names without dashes, `max-gap`, as the help says them.
  static let all = names(of: Telecap.self)

  private static func names(of command: any ParsableCommand.Type) -> Set<String> {
    let help = Telecap.helpMessage(for: command, columns: 10_000)
    let own = help.matches(of: /(?m)^ +(?:-[a-zA-Z], )?--([a-z0-9-]+)/).map { String($0.1) }
    return command.configuration.subcommands.reduce(into: Set(own)) { $0.formUnion(names(of: $1)) }
  }
}
