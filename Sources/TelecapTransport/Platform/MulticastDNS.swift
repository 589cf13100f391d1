import TelecapTele

/// How a system's own program for mDNS is called, and what its lines mean: Avahi's of Linux, dns-sd of macOS.
struct MulticastDNS: Sendable {
  /// The command that announces a service of this name for as long as it runs.
  let announcing: @Sendable (_ name: String, _ port: UInt16) -> [String]
  /// Whether a line says that it is announced.
  let isEstablished: @Sendable (_ line: String) -> Bool
  /// What to do where there is no such program.
  let advice: String

  func announcing(_ name: String, port: UInt16) -> [String] { announcing(name, port) }

  /// avahi-publish(1).
  static let avahi = MulticastDNS(
    announcing: { name, port in
      ["avahi-publish", "-s", name, TeleDiscovery.service, "\(port)"] + TeleDiscovery.properties(name: name, port: port)
    },
    isEstablished: { $0.hasPrefix("Established under name") },
    advice: "install avahi-utils (Debian's name), and have avahi-daemon run")

  /// dns-sd(1).
  static let dnsSD = MulticastDNS(
    announcing: { name, port in
      ["dns-sd", "-R", name, TeleDiscovery.service, "local", "\(port)"]
        + TeleDiscovery.properties(name: name, port: port)
    },
    isEstablished: { $0.hasSuffix("Name now registered and active") },
    advice: "it comes with macOS")

  #if canImport(Darwin)
    static let ofThisSystem = dnsSD
  #else
    static let ofThisSystem = avahi
  #endif
}
