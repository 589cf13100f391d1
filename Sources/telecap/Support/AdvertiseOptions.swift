import ArgumentParser
import TelecapTransport
import TelecapWire

/// `--advertise`: phones that search find what listens.
struct AdvertiseOptions: ParsableArguments {
  @Option(
    name: .customLong("advertise"),
    help: ArgumentHelp("Let phones find it under this name: over TCP by beacons, over UDP by mDNS.", valueName: "name"),
    transform: Parsers.parse { (text: String) throws(AdvertisedNameError) in try Advertisement.Name(parsing: text) })
  var name: Advertisement.Name?

  /// What makes it known; nil where nobody asked for that.
  func advertisement(_ ports: Ports) -> Advertisement? { name.map { Advertisement($0, ports) { Console.say($0) } } }
}
