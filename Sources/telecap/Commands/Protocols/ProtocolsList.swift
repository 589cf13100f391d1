import ArgumentParser
import TelecapReplay

/// `telecap protocols list`: the protocols that commands know by name.
struct ProtocolsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the protocols: name, transports and ports, title.",
    discussion: """
      Examples:
        telecap protocols
        telecap protocols list --format json

      The built-in protocols come first. The others are files in Scenarios/protocols;
      --protocol NAME reads one of them.
      """)

  @OptionGroup var format: FormatOption

  func run() throws {
    let known = KnownProtocols(in: ProtocolLibrary())
    try format.format.print(known)
    let failures = known.problems.compactMap { Failure($0) }
    for failure in failures { Console.say("telecap: \(failure)") }
    if let first = failures.first { throw ExitCode(first.status.rawValue) }
  }
}
