import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapText
import TelecapWire

/// `telecap import`: converts a file of another program to a capture.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert another program's capture, or a recording of a mouse, into a capture that SQL can query.",
    usage: "telecap import [<options>] --output <file> <input>",
    discussion: """
      Examples:
        telecap import session.pcapng -o session.telecap
        telecap import btsnoop_hci.log -o phone.telecap
        telecap import --input-format mouse hand.events -o hand.telecap

      A damaged file is read up to the damage: the capture contains the packets
      before it, and the exit status is 65.
      """)

  @Argument(help: ArgumentHelp("\(Help.foreign); - is standard input."), completion: .recordings)
  var input: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "mouse: the input is a mouse recorded by evemu or libinput, and is converted to mouse messages.",
      valueName: "format"))
  var inputFormat: InputFormat?

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    try Given.refuse(("gatt", inputFormat == .mouse, "requires recordings of Bluetooth"))
    try Given.refuseSame([("the recording", input)], to: [("--output", output)])
    try OutputOptions.checkCapture("output", output)
  }

  func run() throws {
    let imported = try Loaded.files.importing(try recording(), into: output, force: force)
    Console.say("\(output): \(Numbers.counted(imported.summary.packets, "packet"))")
    imported.summary.notes.forEach(Console.say)
    if let damage = imported.damage { throw damage }
  }

  private func recording() throws -> Recording {
    guard inputFormat == .mouse else { return try ports.recording(input, attributes) }
    let ports = try ports.ports(attributes)
    let recording = try MouseRecording(file: input, ports: ports)
    if let note = recording.note { Console.say("\(input): \(note)") }
    return Loaded.files.recording(try recording.packets(), ports: ports)
  }
}

/// The format of a file that does not contain packets.
enum InputFormat: String, ExpressibleByArgument, CaseIterable {
  case mouse
}
