import ArgumentParser

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
