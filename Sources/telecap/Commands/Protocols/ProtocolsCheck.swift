import ArgumentParser
import TelecapReplay

/// `telecap protocols check`: reads a declaration and decodes its test vectors.
struct ProtocolsCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a protocol file, and its test vectors: messages whose values are known.",
    discussion: """
      Examples:
        telecap protocols check ./lamp.yaml
        telecap protocols check ./lamp.yaml --vectors lamp.txt
        telecap protocols check dsu --format json

      Each test vector must decode to the values that its file states, and encode to
      the same bytes. Fields that no vector contains are listed. The exit status is 1
      if a vector decodes or encodes differently.
      """)

  @Argument(
    help: ArgumentHelp("A protocol file, or a name that telecap protocols lists.", valueName: "file"),
    completion: .protocols)
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Test vectors (default: vectors/NAME.txt next to the protocol file, if that exists).", valueName: "file"),
    completion: .file())
  var vectors: String?

  @OptionGroup var format: FormatOption

  func run() throws {
    let checked = try CheckedProtocol(file, vectors: vectors, in: ProtocolLibrary())
    try format.format.print(checked)
    if !checked.isRight { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
