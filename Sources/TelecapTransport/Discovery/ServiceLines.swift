import TelecapRecording

/// Parses the output of an mDNS program for the services that it finds.
protocol ServiceLines: Sendable {
  /// The service that is complete with this line; nil without one.
  mutating func read(_ line: String) -> Found?
}

extension Found {
  /// A service with the name and the TXT record of mDNS.
  fileprivate init(service name: String, at place: HostPort, _ text: String) {
    let version = text.split(separator: "\"").first { $0.hasPrefix("v=") }.flatMap { Int($0.dropFirst(2)) }
    self.init(way: .multicastDNS, name: name, carrier: .udp, place: place, version: version)
  }
}

/// `avahi-browse --parsable --resolve`: `=;eth0;IPv4;NAME;TYPE;local;HOST;ADDRESS;PORT;"TXT" "TXT"`.
struct AvahiLines: ServiceLines {
  mutating func read(_ line: String) -> Found? {
    let parts = line.split(separator: ";", maxSplits: 9, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 10, parts[0] == "=", let port = UInt16(parts[8]) else { return nil }
    return Found(service: ServiceName.read(parts[3]), at: HostPort(host: parts[7], port: port), parts[9])
  }
}

/// `dns-sd -Z`, lines of a zone: `NAME.TYPE SRV 0 0 PORT HOST. ; …`, then `NAME.TYPE TXT "…" "…"`.
struct ZoneLines: ServiceLines {
  private var places: [String: HostPort] = [:]

  mutating func read(_ line: String) -> Found? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3 else { return nil }
    let (owner, rest) = (String(words[0]), words[2].drop { $0 == " " })
    if words[1] == "SRV" {
      let numbers = rest.split(separator: " ")
      guard numbers.count >= 4, let port = UInt16(numbers[2]) else { return nil }
      let host = numbers[3].hasSuffix(".") ? numbers[3].dropLast() : numbers[3]
      places[owner] = HostPort(host: String(host), port: port)
    }
    guard words[1] == "TXT", let place = places[owner], let end = owner.firstRange(of: "._")?.lowerBound else {
      return nil
    }
    return Found(service: ServiceName.read(String(owner[..<end])), at: place, String(rest))
  }
}

/// The name of a service as both programs print it: a byte as a backslash and three decimal digits, a dot or a
/// backslash after a backslash (RFC 1035, 5.1).
enum ServiceName {
  static func read(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      if let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)), rest.prefix(3).count == 3 {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
