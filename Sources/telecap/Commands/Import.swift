import ArgumentParser
import TelecapFiles
import TelecapText
import TelecapWire

/// `telecap import`: a pcap or pcapng file becomes a capture.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turn a pcap or pcapng file into a capture that SQL can ask.",
    usage: "telecap import [<options>] --output <file> <input>",
    discussion: """
      Example: telecap import session.pcapng -o session.telecap

      A damaged file is read as far as it goes; the capture holds what could be
      read, and the exit status is 65.
      """)

  @Argument(help: "A pcap or pcapng file; - is standard input.")
  var input: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup var ports: PortOptions

  func validate() throws {
    try Given.refuse(("output", output == "-", OutputOptions.noStream))
    try Given.refuseSame(("the recording", input), ("--output", output))
  }

  func run() throws {
    let imported = try Loaded.files.importing(.path(input), into: output, force: force, ports: try ports.ports)
    Console.say("\(output): \(Numbers.grouped(imported.summary.packets)) packets")
    imported.summary.notes.forEach(Console.say)
    if let damage = imported.damage { throw damage }
  }
}
