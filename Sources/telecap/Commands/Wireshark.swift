import ArgumentParser
import TelecapFiles
import TelecapReport
import TelecapText

/// `telecap wireshark`: a dissector for Wireshark, from the declarations of the protocols.
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
      """)

  @OptionGroup var output: OutputOptions

  @Flag(name: .long, help: "Put it where Wireshark finds it, in place of one that telecap put there before.")
  var install = false

  @OptionGroup var ports: PortOptions

  func validate() throws {
    try Given.refuse(("output force", install, "goes without --install, which knows the place"))
  }

  func run() throws {
    let lua = WiresharkPlugin(try ports.ports, version: Telecap.versionText).lua
    guard install else { return try Output.write(lua, to: output.output, force: output.force) }
    let path = try WiresharkFolder.path(of: "telecap.lua")
    try Output.write(lua, to: path)
    Console.say("written to \(path); Wireshark reads it when it starts, or by Analyze, Reload Lua Plugins")
  }
}
