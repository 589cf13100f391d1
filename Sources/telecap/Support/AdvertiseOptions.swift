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

  /// What makes known a host that takes this code; nil where nobody asked for that.
  func advertisement(_ ports: Ports, code: String?) -> Advertisement? {
    guard let name else { return nil }
    var advertisement = Advertisement(name, ports) { Console.say($0) }
    advertisement.code = code
    if Console.isTerminal(2) { advertisement.draw = { Console.write($0) } }
    return advertisement
  }
}
