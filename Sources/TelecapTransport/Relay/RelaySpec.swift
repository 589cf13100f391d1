import TelecapRecording
import TelecapWire

/// A relay as a person types it: `udp:50000=HOST:PORT` listens on loopback; `udp:ADDRESS:50000=HOST:PORT` listens on
/// that address of this machine.
public struct RelaySpec: Hashable, Sendable {
  /// The transport.
  public var carrier: Carrier
  /// The listening address.
  public var listen: Endpoint
  /// The server to which it forwards.
  public var target: HostPort

  /// A relay with these values.
  public init(_ carrier: Carrier, listen: Endpoint, target: HostPort) {
    self.carrier = carrier
    self.listen = listen
    self.target = target
  }

  /// Parses `CARRIER:[ADDRESS:]PORT=HOST:PORT`.
  public init(parsing text: String) throws(RelaySpecError) {
    guard let equals = text.firstIndex(of: "=") else { throw .noTarget(text) }
    let left = text[..<equals]
    guard let colon = left.firstIndex(of: ":") else { throw .noPort(text) }
    guard let carrier = Carrier.overIP.first(where: { $0.name == left[..<colon] }) else {
      throw .badCarrier(text, carrier: String(left[..<colon]))
    }
    let listen = try Self.listen(String(left[left.index(after: colon)...]), in: text)
    do {
      let target = try HostPort(parsing: String(text[text.index(after: equals)...]))
      self.init(carrier, listen: listen, target: target)
    } catch {
      throw .badTarget(text, error)
    }
  }

  private static func listen(_ part: String, in text: String) throws(RelaySpecError) -> Endpoint {
    if part.isEmpty { throw .noPort(text) }
    let port = part.split(separator: ":", omittingEmptySubsequences: false).last.map(String.init) ?? part
    guard port.allSatisfy(\.isNumber), let number = UInt16(port), number > 0 else { throw .badPort(text, port: port) }
    if port == part { return Endpoint(.loopback, port: number) }
    guard let endpoint = Endpoint(part) else {
      throw .badAddress(text, address: String(part.dropLast(port.count + 1)))
    }
    return endpoint
  }

  /// The server's address for a recording: `target`'s address, with the port by which a dissector identifies the
  /// protocol. That is the target's own port, unless only the listening port is one of `ports`.
  public func recordedServer(_ target: Endpoint, ports: Ports) -> Endpoint {
    let known = ports.entries.filter { $0.row.carrier == carrier }.map(\.number)
    return known.contains(listen.port) && !known.contains(target.port)
      ? Endpoint(target.address, port: listen.port) : target
  }
}

extension RelaySpec: CustomStringConvertible {
  /// `udp:127.0.0.1:50000=HOST:PORT`.
  public var description: String { "\(carrier.name):\(listen)=\(target)" }
}

/// An error in the text of a relay.
public enum RelaySpecError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No `=`.
  case noTarget(String)
  /// Neither `udp` nor `tcp`.
  case badCarrier(String, carrier: String)
  /// No port to listen on.
  case noPort(String)
  /// The port to listen on is no port.
  case badPort(String, port: String)
  /// The address to listen on is no address.
  case badAddress(String, address: String)
  /// The text after `=` is not HOST:PORT.
  case badTarget(String, HostPortError)

  /// The error message.
  public var description: String {
    let form = "write udp:50000=HOST:PORT or tcp:50000=HOST:PORT"
    return switch self {
    case .noTarget(let text): "relay '\(text)' does not say where to pass packets on to: \(form)"
    case .badCarrier(let text, let carrier): "relay '\(text)': '\(carrier)' is neither udp nor tcp: \(form)"
    case .noPort(let text): "relay '\(text)' does not say which port to listen on: \(form)"
    case .badPort(let text, let port): "relay '\(text)': '\(port)' is not a port: a port is 1 to 65535"
    case .badAddress(let text, let address):
      "relay '\(text)': '\(address)' is not an address of this machine: write one as 192.0.2.1 or [::1]"
    case .badTarget(_, let error): "relay: \(error)"
    }
  }
}
