import ArgumentParser
import TelecapReplay
import TelecapText
import TelecapTransport

/// The project file of this command line.
enum ProjectDefaults {
  private static let words = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })

  /// The commands that use one. Those that only list, check or make something of their own are not among them.
  static let commands: Set = [
    "record", "import", "export", "info", "dissect", "view", "report", "wireshark", "replay", "plan", "relay",
    "simulate", "conform", "learn", "ahap", "senses",
  ]

  private static let reading = Result<ProjectFile?, any Error> {
    guard let command = words.first, commands.contains(command), !words.contains("--no-project"),
      !words.contains("--help"), !words.contains("-h")
    else { return nil }
    return try ProjectFile.find(from: Paths.directory(of: ProjectFile.name), log: Console.say)
  }

  /// The project file; nil without one.
  private static let file: ProjectFile? = try? reading.get()

  /// Throws the error of an invalid project file. Called once, before anything else.
  static func check() throws { _ = try reading.get() }

  /// The protocols of the project, for a command line without `--protocol`.
  static var protocols: [String] { file?.protocols ?? [] }

  /// Whether a value of `--port` is the project's: it has no effect with some other options, which is no error.
  static func hasPort(_ setting: String) -> Bool { file?.ports.contains(setting) ?? false }

  /// A command line with the options of the project.
  static func extended(_ words: [String], for path: CommandPath) -> (words: [String], note: String?) {
    guard let file else { return (words, nil) }
    let options = file.options(for: words) { path.takesItselfOrByDefault($0) }
    if options.isEmpty { return (words, nil) }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let note = "\(file.path): \(Escaping.shellCommand(options)) (--no-project ignores it)"
    return (words[..<end] + options + words[end...], note)
  }
}

/// `--no-project`, for the commands that use a project file. `ProjectDefaults` reads it before the command line is parsed.
struct ProjectOption: ParsableArguments {
  @Flag(name: .long, help: ProjectOption.help) var noProject = false

  static let help: ArgumentHelp = "Ignore the project file telecap.yaml of this folder or a folder above it."
}
