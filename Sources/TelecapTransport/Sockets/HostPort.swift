import CSockets
import TelecapRecording

/// A destination as a person types it: `HOST:PORT`, `192.0.2.1:50000`, `[2001:db8::1]:50000`, and where that is allowed
/// `HOST` alone.
public struct HostPort: Hashable, Sendable {
  /// A name or an address, without brackets.
  public var host: String
  /// The port; nil without one.
  public var port: UInt16?

  /// This host and port.
  public init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// Parses `HOST:PORT`, or `HOST` unless `portRequired`.
  public init(parsing text: String, portRequired: Bool = true) throws(HostPortError) {
    if IPAddress(text) != nil, text.contains(":") {
      if portRequired { throw .bareIPv6(text) }
      self.init(host: text, port: nil)
      return
    }
    let (host, rest) = try Self.split(text)
    if host.isEmpty { throw .noHost(text) }
    guard let rest else {
      if portRequired { throw .noPort(text) }
      self.init(host: host, port: nil)
      return
    }
    guard let port = UInt16(rest), port > 0, rest.allSatisfy(\.isNumber) else { throw .badPort(text, port: rest) }
    self.init(host: host, port: port)
  }

  /// The host without brackets, and the text after the colon.
  private static func split(_ text: String) throws(HostPortError) -> (String, String?) {
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else { throw .badBrackets(text) }
      let host = String(text[text.index(after: text.startIndex)..<close])
      let rest = text[text.index(after: close)...]
      guard IPAddress(host)?.family == .v6, rest.isEmpty || rest.hasPrefix(":") else { throw .badBrackets(text) }
      return (host, rest.isEmpty ? nil : String(rest.dropFirst()))
    }
    guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
    let host = String(text[..<colon])
    if host.contains(":") { throw .bareIPv6(text) }
    return (host, String(text[text.index(after: colon)...]))
  }

  /// The endpoints of the host's addresses with its port, or with `defaultPort` without one. IPv4 comes first, as the
  /// protocols' own peers listen there; otherwise in the resolver's order. Blocks until the resolver answers.
  public func resolve(defaultPort: UInt16 = 0) throws(ResolutionError) -> [Endpoint] {
    let port = port ?? defaultPort
    if let address = IPAddress(host) { return [Endpoint(address, port: port)] }
    var raw = [telecap_endpoint](repeating: telecap_endpoint(), count: 16)
    let count = telecap_resolve(host, port, &raw, Int32(raw.count))
    if count < 0 { throw ResolutionError(host: host, reason: String(cString: telecap_resolve_message(count))) }
    let found = raw.prefix(Int(count)).compactMap { Endpoint($0) }
    if found.isEmpty { throw ResolutionError(host: host, reason: "it has no address") }
    return found.filter { $0.address.family == .v4 } + found.filter { $0.address.family == .v6 }
  }
}

extension HostPort: CustomStringConvertible {
  /// The text for `init(parsing:)`.
  public var description: String {
    guard let port else { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// An error in the text of a `HOST:PORT`.
public enum HostPortError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No text before the colon.
  case noHost(String)
  /// No colon.
  case noPort(String)
  /// The text after the colon is no port.
  case badPort(String, port: String)
  /// An IPv6 address without brackets, so that its port is ambiguous.
  case bareIPv6(String)
  /// Brackets without an IPv6 address.
  case badBrackets(String)

  /// The error message.
  public var description: String {
    switch self {
    case .noHost(let text): "'\(text)' names no host: write HOST:PORT"
    case .noPort(let text): "'\(text)' names no port: write \(text.isEmpty ? "HOST" : text):PORT"
    case .badPort(let text, let port): "'\(port)' in '\(text)' is not a port: a port is 1 to 65535"
    case .bareIPv6(let text): "'\(text)': write an IPv6 address in brackets, as in [::1]:50000"
    case .badBrackets(let text): "'\(text)': brackets hold an IPv6 address, as in [::1]:50000"
    }
  }
}

/// The error about a host name without an address.
public struct ResolutionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name.
  public var host: String
  /// The resolver's message.
  public var reason: String

  /// The error message.
  public var description: String { "cannot find the host '\(host)': \(reason)" }
}
