import ArgumentParser
import TelecapFiles
import TelecapHapticTools
import TelecapRecording
import TelecapReplay
import TelecapReport

/// `telecap ahap lint`: checks AHAP files.
struct AhapLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check AHAP files: print errors, changes by the player, and advice, each with its line and column.",
    discussion: """
      Examples:
        telecap ahap lint explosion.ahap
        telecap ahap lint --at-least warning patterns/*.ahap
        telecap ahap lint explosion.ahap --format json

      A player rejects a file with an error. A warning is about content that a player
      changes or ignores; a note is advice. The exit status is 1 if there is an error.
      """)

  @Argument(help: ArgumentHelp("AHAP files.", valueName: "file"))
  var files: [String]

  @Option(name: .long, help: "Print only findings that are at least this severe: error, warning or note.")
  var atLeast: Severity = .note

  @OptionGroup var format: StyledFormatOption

  func run() throws {
    var output = Output()
    var text = PatternText(style: format.style(for: 1))
    var failure: Failure?
    for file in files {
      do {
        try text.check(file, atLeast: atLeast, isJSON: format.format == .json, to: &output)
      } catch {
        guard error != .readerGone, let unreadable = Failure(error) else { throw error }
        Console.say("telecap: \(unreadable)")
        failure = unreadable
      }
    }
    try output.flush()
    Console.say(text.sum(files: files.count))
    if let failure { throw ExitCode(failure.status.rawValue) }
    if text.hasErrors { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
