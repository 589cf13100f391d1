import ArgumentParser
import TelecapReplay
import TelecapWire

/// `telecap doctor`: what this machine can do.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check what this machine can do for telecap, and how to fix what it cannot.",
    discussion: """
      Examples:
        telecap doctor
        telecap doctor --format json

      Checks the right to capture, the packets on each interface, the receive buffer
      of sockets, the precision of timers, the ports of the built-in protocols, and the
      programs that some commands run. Takes a second and changes nothing.

      Exit status: 0, whatever was found.
      """)

  @OptionGroup var format: FormatOption

  func run() throws {
    let ports = Loaded.ports.entries
    try format.format.print(MachineReport(MachineFacts.measured(ports, for: 1_000_000_000)))
  }
}
