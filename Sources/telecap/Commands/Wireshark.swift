import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapReport
import TelecapText

/// `telecap wireshark`: a Wireshark dissector, from the declarations of the protocols.
struct Wireshark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a Wireshark dissector for the protocols, with fields to filter by and our findings.",
    discussion: """
      Examples:
        telecap wireshark --install
        telecap wireshark -o telecap.lua --protocol dsu
        tshark -X lua_script:telecap.lua -r session.pcapng -Y tele.finding

      Every field has a name (tele.haptic.intensity), every finding of a message is
      expert information and a value of tele.finding. What several messages show
      together, as gaps and silences, only telecap finds.

      Over TCP Wireshark reads segments as they come: -o
      tcp.reassemble_out_of_order:TRUE puts reordered ones right; after lost ones it
      waits, where telecap reads on; bytes passed over are counted for each segment,
      not for each run. It shows no empty datagram.
      """)

  @OptionGroup var output: OutputOptions

  @Flag(name: .long, help: "Put it where Wireshark finds it, in place of one that telecap put there before.")
  var install = false

  @OptionGroup var ports: PortOptions

  func validate() throws {
    try Given.refuseSame([], to: [("--output", output.output)])
    try Given.refuse(("output force", install, "cannot be combined with --install, which knows the place"))
  }

  func run() throws {
    let lua = WiresharkPlugin(try ports.ports, version: Telecap.versionText).lua
    guard install else { return try Output.write(lua, to: output.output, force: output.force) }
    guard let home = WiresharkFolder.home else {
      throw Failure(
        .unavailable, "there is no home folder to install to", advice: "set HOME, or name a file: -o telecap.lua")
    }
    let path = try WiresharkFolder.path(of: "telecap.lua", in: home)
    if Folders.exists(path), try !WiresharkPlugin.isOurs(TextFile.read(path)) {
      throw Failure(
        .cannotCreate, "\(path): is there, and telecap did not write it",
        advice: "move it away, or write the plugin elsewhere: -o telecap.lua")
    }
    try Output.write(lua, to: path)
    Console.say("written to \(path); Wireshark reads it when it starts, or by Analyze, Reload Lua Plugins")
  }
}
