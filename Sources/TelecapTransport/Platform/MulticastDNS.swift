import TelecapTele

/// How a system's own programs for mDNS are called, and what their lines mean: Avahi's of Linux, dns-sd of macOS.
struct MulticastDNS: Sendable {
  /// The port to which mDNS is sent (RFC 6762, 3).
  static let mDNSPort: UInt16 = 5_353

  /// The command that announces a service of this name at this port for as long as it runs.
  let announcing: @Sendable (_ name: String, _ port: UInt16) -> [String]
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
    announcing: { name, port in
      ["avahi-publish", "-s", name, TeleDiscovery.service, "\(port)"] + TeleDiscovery.properties(name: name, port: port)
    },
    isEstablished: { $0.hasPrefix("Established under name") },
    searching: ["avahi-browse", "--resolve", "--parsable", TeleDiscovery.service], lines: AvahiLines(),
    advice: "install avahi-utils (Debian's name), and have avahi-daemon run")

  /// dns-sd(1).
  static let dnsSD = MulticastDNS(
    announcing: { name, port in
      ["dns-sd", "-R", name, TeleDiscovery.service, "local", "\(port)"]
        + TeleDiscovery.properties(name: name, port: port)
    },
    isEstablished: { $0.hasSuffix("Name now registered and active") },
    searching: ["dns-sd", "-Z", TeleDiscovery.service, "local"], lines: ZoneLines(), advice: "it comes with macOS")

  #if canImport(Darwin)
    static let ofThisSystem = dnsSD
  #else
    static let ofThisSystem = avahi
  #endif
}
