import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapReport
import TelecapText

/// `telecap wireshark`: a Wireshark dissector, from the declarations of the protocols.
struct Wireshark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a Wireshark dissector for the protocols, with filter fields and telecap's findings.",
    discussion: """
      Examples:
        telecap wireshark --install
        telecap wireshark -o telecap.lua --protocol dsu
        tshark -X lua_script:telecap.lua -r session.pcapng -Y tele.finding

      Every field has a filter name (tele.haptic.intensity). Every finding of a
      message is expert information and a value of tele.finding. Only telecap finds
      gaps, silences and other findings of several messages.

      Over TCP Wireshark reads segments in the order of their arrival;
      -o tcp.reassemble_out_of_order:TRUE sorts them. After a lost segment Wireshark
      waits, where telecap reads on. Skipped bytes are counted per segment, not per
      run of them. Wireshark does not show empty datagrams.
      """)

  @OptionGroup var output: OutputOptions

  @Flag(name: .long, help: "Install the dissector where Wireshark finds it; replaces one that telecap installed.")
  var install = false

  @OptionGroup var ports: PortOptions

  func validate() throws {
    try Given.refuseSame([], to: [("--output", output.output)])
    try Given.refuse(("output force", install, "cannot be combined with --install, which chooses the path"))
  }

  func run() throws {
    let lua = WiresharkPlugin(try ports.ports, version: Telecap.versionText).lua
    guard install else { return try Output.write(lua, to: output.output, force: output.force) }
    guard let home = UserFolders.home else {
      throw Failure(
        .unavailable, "there is no home folder to install to", advice: "set HOME, or name a file: -o telecap.lua")
    }
    let path = try WiresharkFolder.path(of: "telecap.lua", in: home)
    if Folders.exists(path), try !WiresharkPlugin.isOurs(TextFile.read(path)) {
      throw Failure(
        .cannotCreate, "\(path): exists, and telecap did not write it",
        advice: "move it away, or write the plugin elsewhere: -o telecap.lua")
    }
    try Output.write(lua, to: path)
    Console.say("written to \(path); Wireshark reads it when it starts, or by Analyze, Reload Lua Plugins")
  }
}
