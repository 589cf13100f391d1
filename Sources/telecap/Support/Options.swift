import ArgumentParser
import TelecapRecording

/// How data is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// `--format`, the same for every command that prints data.
struct FormatOption: ParsableArguments {
  @Option(name: .long, help: "How to print: text, or json (one object a line for streams).")
  var format: OutputFormat = .text
}

/// The ports, the same for every command that reads traffic.
struct PortOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("UDP port of TELE udp-v1.", valueName: "port"))
  var teleUdp: UInt16 = Ports.standard.teleUDP
  @Option(name: .long, help: ArgumentHelp("TCP port of TELE tcp-v1.", valueName: "port"))
  var teleTcp: UInt16 = Ports.standard.teleTCP
  @Option(name: .long, help: ArgumentHelp("UDP port of TELE beacons.", valueName: "port"))
  var teleBeacon: UInt16 = Ports.standard.teleBeacon
  @Option(name: .long, help: ArgumentHelp("UDP port of mouse movement.", valueName: "port"))
  var mouseUdp: UInt16 = Ports.standard.mouseUDP
  @Option(name: .long, help: ArgumentHelp("TCP port of mouse control.", valueName: "port"))
  var mouseTcp: UInt16 = Ports.standard.mouseTCP

  var ports: Ports {
    Ports(
      teleUDP: teleUdp, teleTCP: teleTcp, teleBeacon: teleBeacon, mouseUDP: mouseUdp, mouseTCP: mouseTcp)
  }
}
