import TelecapRecording
import TelecapTele

/// The commands of a system's own mDNS programs and the parsers of their output: Avahi on Linux, dns-sd on macOS.
struct MulticastDNS: Sendable {
  /// The port to which mDNS is sent (RFC 6762, 3).
  static let mDNSPort: UInt16 = 5_353

  /// The commands that announce a service of this name at this address as long as they run: at that address only,
  /// unless it is every one of the machine. The last one announces the service, those before it its address.
  let announcing: @Sendable (_ name: String, _ end: Endpoint) -> [[String]]
  /// Whether a line of its output confirms the announcement.
  let isEstablished: @Sendable (_ line: String) -> Bool
  /// The command that prints services as they appear, as long as it runs.
  let searching: [String]
  /// The parser of its output.
  let lines: any ServiceLines
  /// Advice where the program is missing.
  let advice: String

  /// avahi-publish(1), avahi-browse(1).
  static let avahi = MulticastDNS(
    announcing: { name, end in
      let service =
        [name, TeleDiscovery.service, "\(end.port)"] + TeleDiscovery.properties(name: name, port: end.port)
      guard let host = host(name, end) else { return [["avahi-publish", "-s"] + service] }
      return [
        // The machine's own name must remain the result of a reverse look-up of its address.
        ["avahi-publish", "-a", "--no-reverse", host, "\(end.address)"],
        ["avahi-publish", "-s", "--host=\(host)"] + service,
      ]
    },
    isEstablished: { $0.hasPrefix("Established under name") },
    searching: ["avahi-browse", "--resolve", "--parsable", TeleDiscovery.service], lines: AvahiLines(),
    advice: "install avahi-utils (Debian's name), and have avahi-daemon run")

  /// dns-sd(1).
  static let dnsSD = MulticastDNS(
    announcing: { name, end in
      let service = [name, TeleDiscovery.service, "local", "\(end.port)"]
      let properties = TeleDiscovery.properties(name: name, port: end.port)
      guard let host = host(name, end) else { return [["dns-sd", "-R"] + service + properties] }
      return [["dns-sd", "-P"] + service + [host, "\(end.address)"] + properties]
    },
    isEstablished: { $0.hasSuffix("Name now registered and active") },
    searching: ["dns-sd", "-Z", TeleDiscovery.service, "local"], lines: ZoneLines(), advice: "it comes with macOS")

  /// The host name for a service's address; nil for all addresses of the machine, which its own name stands for.
  private static func host(_ name: String, _ end: Endpoint) -> String? {
    end.address.isAny ? nil : "\(name)-\(end.port).local"
  }

  #if canImport(Darwin)
    static let ofThisSystem = dnsSD
  #else
    static let ofThisSystem = avahi
  #endif
}
