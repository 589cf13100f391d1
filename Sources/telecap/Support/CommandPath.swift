import ArgumentParser
import TelecapText

/// The command that a command line names, with those that it is below: `telecap`, `ahap`, `play`.
struct CommandPath {
  /// From `telecap` on.
  private var commands: [any ParsableCommand.Type] = [Telecap.self]

  /// The command of these words, which stand behind the program's name.
  init(_ words: [String]) {
    for word in words {
      guard let next = last.configuration.subcommands.first(where: { $0._commandName == word }) else { return }
      commands.append(next)
    }
  }

  /// The command itself.
  private var last: any ParsableCommand.Type { commands[commands.count - 1] }

  /// Refuses `help` for a command that there is not: ArgumentParser would print the general help.
  static func checkHelp(_ words: [String]) throws {
    let names = Array(words.dropFirst().prefix { !$0.hasPrefix("-") && $0 != "help" })
    let path = CommandPath(names)
    guard words.first == "help", let unknown = names.dropFirst(path.commands.count - 1).first else { return }
    let known = path.last.configuration.subcommands.map { $0._commandName }
    throw ValidationError("there is no command '\(unknown)'; \(Spelling.advice(for: unknown, among: known))")
  }

  /// Whether it takes the option of this name, without dashes.
  func takes(_ option: String) -> Bool { OptionNames.own(of: last).contains(option) }

  /// What is found wrong with its options: before it ran in ArgumentParser's words, once it ran in the same form.
  func message(of error: any Error) -> String {
    guard let error = error as? ValidationError else { return Telecap.fullMessage(for: error) }
    let name = commands.map { $0._commandName }.joined(separator: " ")
    let usage = Telecap.usageString(for: last).replacing("\n", with: "\n       ")
    return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
  }
}
