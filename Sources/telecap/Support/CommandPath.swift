import ArgumentParser
import TelecapReplay
import TelecapText

/// The command that a command line names, after its parent commands: `telecap`, `ahap`, `play`.
struct CommandPath {
  /// The commands, from `telecap` on.
  private var commands: [any ParsableCommand.Type] = [Telecap.self]

  /// The command of the words after the program's name.
  init(_ words: [String]) {
    for word in words {
      guard let next = last.configuration.subcommands.first(where: { $0._commandName == word }) else { return }
      commands.append(next)
    }
  }

  /// The command itself.
  private var last: any ParsableCommand.Type { commands[commands.count - 1] }

  /// The command's words on a command line: `ahap play`; empty for `telecap` alone.
  var words: String { commands.dropFirst().map { $0._commandName }.joined(separator: " ") }

  /// Rejects `help` for an unknown command, because ArgumentParser would print the general help.
  static func checkHelp(_ words: [String]) throws {
    let names = Array(words.dropFirst().prefix { !$0.hasPrefix("-") && $0 != "help" })
    let path = CommandPath(names)
    guard words.first == "help", let unknown = names.dropFirst(path.commands.count - 1).first else { return }
    let known = path.last.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0._commandName }
    throw ValidationError("there is no command '\(unknown)'; \(Spelling.advice(for: unknown, among: known))")
  }

  /// Whether the command has the option with this name, without dashes.
  func takes(_ option: String) -> Bool { OptionNames.own(of: last).contains(option) }

  /// The same; for a command without subcommand on the command line, also the options of its default subcommand.
  func takesItselfOrByDefault(_ option: String) -> Bool {
    takes(option) || last.configuration.defaultSubcommand.map { OptionNames.own(of: $0).contains(option) } ?? false
  }

  /// The error for an option of these words that only other commands have, by the names of a few commands that do.
  func strayOption(in words: [String]) -> ValidationError? {
    let own = OptionNames.own(of: last)
    for name in words.optionNames(short: [:]).sorted() where !own.contains(name) {
      let owners = OptionNames.byCommand.filter { $0.options.contains(name) }.map { $0.command }
      guard (1...6).contains(owners.count) else { continue }
      return ValidationError("Unknown option '--\(name)': it is an option of \(owners.list(or: false))")
    }
    return nil
  }

  /// The message of a usage error: ArgumentParser's while it parses, and one of the same form while the command runs.
  func message(of error: any Error) -> String {
    guard let error = error as? ValidationError else { return Telecap.fullMessage(for: error) }
    let name = commands.map { $0._commandName }.joined(separator: " ")
    let usage = Telecap.usageString(for: last).replacing("\n", with: "\n       ")
    return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
  }
}
