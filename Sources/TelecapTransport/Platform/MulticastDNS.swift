import TelecapRecording
import TelecapTele

/// How a system's own programs for mDNS are called, and what their lines mean: Avahi's of Linux, dns-sd of macOS.
struct MulticastDNS: Sendable {
  /// The port to which mDNS is sent (RFC 6762, 3).
  static let mDNSPort: UInt16 = 5_353

  /// The commands that announce a service of this name at this end for as long as they run: at that address and no other of the
  /// machine, unless it is every one. The last is the service's, those before it make its address known.
  let announcing: @Sendable (_ name: String, _ end: Endpoint) -> [[String]]
  /// Whether a line of it says that the service is announced.
  let isEstablished: @Sendable (_ line: String) -> Bool
  /// The command that prints services as they come, for as long as it runs.
  let searching: [String]
  /// Reads its lines.
  let lines: any ServiceLines
  /// What to do where there is no such program.
  let advice: String

  /// avahi-publish(1), avahi-browse(1).
  static let avahi = MulticastDNS(
    announcing: { name, end in
      let service =
        [name, TeleDiscovery.service, "\(end.port)"] + TeleDiscovery.properties(name: name, port: end.port)
      guard let host = host(name, end) else { return [["avahi-publish", "-s"] + service] }
      return [
        // The machine's own name stays the one that its address leads back to.
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

  /// What the address is called at which a service is; nil where it is at every one of its machine, whose own name stands for them.
  private static func host(_ name: String, _ end: Endpoint) -> String? {
    end.address.isAny ? nil : "\(name)-\(end.port).local"
  }

  #if canImport(Darwin)
    static let ofThisSystem = dnsSD
  #else
    static let ofThisSystem = avahi
  #endif
}
