import ArgumentParser
import TelecapReplay

/// `telecap protocols`: the protocols that are known, and help with declaring another one.
struct ProtocolsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocols",
    abstract: "List the known protocols, check a protocol file, or generate one from a capture.",
    discussion: """
      Examples:
        telecap protocols
        telecap protocols check ./lamp.yaml --vectors lamp.txt
        telecap protocols new lamp --from lamp.pcapng --port 7000 -o lamp.yaml

      A protocol file declares the messages, sessions and streams of a protocol. With
      --protocol FILE every command knows that protocol.
      """,
    subcommands: [ProtocolsList.self, ProtocolsCheck.self, ProtocolsNew.self],
    defaultSubcommand: ProtocolsList.self)
}
