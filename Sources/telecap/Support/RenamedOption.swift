import TelecapReplay

/// An option that has another name now. Its old name is accepted for one release, and is not in the help.
struct RenamedOption {
  /// The commands that have the option, such as `ahap play`.
  let commands: [String]
  /// The old name, without dashes.
  let old: String
  /// The name of today, without dashes.
  let new: String
  /// The command that has the option now, if that is another one.
  let movedTo: String?

  init(_ old: String, to new: String, of commands: String..., movedTo: String? = nil) {
    (self.old, self.new, self.commands, self.movedTo) = (old, new, commands, movedTo)
  }

  /// The options that have another name since the last release. Remove a row with the release after it.
  static let all = [
    RenamedOption("as", to: "role", of: "replay", "plan"),
    RenamedOption("as", to: "input-format", of: "import"),
    RenamedOption("budget", to: "time-limit", of: "conform"),
    RenamedOption("discover", to: "duration", of: "info", movedTo: "discover"),
    RenamedOption("filter", to: "bpf", of: "record"),
    RenamedOption("from", to: "repair", of: "learn"),
    RenamedOption("max-late", to: "fail-if-late", of: "replay", "ahap play"),
    RenamedOption("network", to: "case-network", of: "conform"),
    RenamedOption("plan-down", to: "write-plan-down", of: "relay"),
    RenamedOption("plan-up", to: "write-plan-up", of: "relay"),
    RenamedOption("rate", to: "rate-hz", of: "simulate host", "simulate phone"),
    RenamedOption("seed", to: "case-seed", of: "conform"),
  ]

  /// The log line for a command line with the old name.
  func notice(for command: String) -> String {
    let names = movedTo.map { ("\(command) --\(old)", "\($0) --\(new)") } ?? ("--\(old)", "--\(new)")
    return "telecap: \(names.0) is now called \(names.1); the old name will be removed in the next release"
  }

  /// A word of a command line with the name of today; nil if it is not this option.
  ///
  /// No value of another option looks like it: ArgumentParser takes a word that begins with two dashes as a value only
  /// after `=`, and then the word begins with the name of the other option.
  fileprivate func renamed(_ word: String) -> String? {
    let (name, value) = word.halves
    guard name == "--\(old)" else { return nil }
    return value.map { "--\(new)=\($0)" } ?? "--\(new)"
  }
}

/// A command line with the names of today in place of old ones.
struct CurrentWords {
  /// The words after the program's name.
  private(set) var words: [String]
  /// A log line for each old name, in the order of the words.
  private(set) var notices: [String] = []

  /// The words of a command line, with or without old names. Words after `--` are no options and stay.
  init(_ given: [String]) {
    words = given
    let command = CommandPath(given).words
    let options = RenamedOption.all.filter { $0.commands.contains(command) }
    for (index, word) in given.prefix(while: { $0 != "--" }).enumerated() {
      for option in options {
        guard let renamed = option.renamed(word) else { continue }
        words[index] = renamed
        // The command of a moved option has no parent command, so it is the first word.
        if let name = option.movedTo { words[0] = name }
        let notice = option.notice(for: command)
        if !notices.contains(notice) { notices.append(notice) }
      }
    }
  }
}
