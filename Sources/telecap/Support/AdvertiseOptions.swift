import ArgumentParser
import TelecapTransport
import TelecapWire

/// `--advertise`: advertises a listening host to phones that search.
struct AdvertiseOptions: ParsableArguments {
  @Option(
    name: .customLong("advertise"),
    help: ArgumentHelp(
      "Advertise the host to phones under this name: for TCP by beacons, for UDP by mDNS.", valueName: "name"),
    transform: Parsers.parse { (text: String) throws(AdvertisedNameError) in try Advertisement.Name(parsing: text) })
  var name: Advertisement.Name?

  /// The advertisement of a host with this pairing code; nil without `--advertise`.
  func advertisement(_ ports: Ports, code: String?) -> Advertisement? {
    guard let name else { return nil }
    var advertisement = Advertisement(name, ports) { Console.say($0) }
    advertisement.code = code
    if Console.isTerminal(2) { advertisement.draw = { Console.write($0) } }
    return advertisement
  }
}
