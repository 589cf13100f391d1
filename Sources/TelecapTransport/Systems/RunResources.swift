import TelecapConformance
import TelecapRecording
import TelecapWire

/// The addresses of a system under test, or those of telecap for it.
struct SystemAddresses: Sendable {
  /// For UDP; nil for none.
  var udp: Endpoint?
  /// For TCP; nil for none.
  var tcp: Endpoint?
  /// The port for its events; 0 for none.
  var eventPort: UInt16 = 0
  /// The port at which a program receives requests; 0 for none.
  var httpPort: UInt16 = 0
}

/// The open resources of a run. One thread uses it at a time.
final class RunResources {
  let ends: PeerEnds
  let feeds: EventFeeds
  let place: SystemAddresses

  /// Opens the resources for a script; `known` has the addresses of a program that is running already.
  /// - Throws: `SocketError`, `DestinationError`, or `HostPortError` and `ResolutionError` for an address of the file.
  init(_ file: SystemFile, _ script: Script, directory: String, at known: SystemAddresses?) throws {
    // A program that is running already sends to the port of its start.
    let port = known?.eventPort ?? 0
    let sources = file.sources.map { $0 == .udp(0) ? .udp(port) : $0 }
    feeds = try EventFeeds(sources, directory: directory, isRunning: known != nil)
    let isListening = file.part.side == .client
    let udp = try known?.udp ?? RunResources.resolve(file.udp, isOurs: isListening)
    let tcp = try known?.tcp ?? RunResources.resolve(file.tcp, isOurs: isListening)
    ends = try PeerEnds(
      speaksFirst: isListening, udp: udp, tcp: tcp, peers: Set(script.meant.map(\.peer)).sorted(),
      policy: DestinationPolicy(.anyHost))
    place = SystemAddresses(
      udp: isListening ? ends.endpoints["host"] : udp, tcp: isListening ? ends.listening : tcp,
      eventPort: feeds.port ?? 0,
      httpPort: try known?.httpPort ?? (file.takesRequests ? FreePorts.take().port : 0))
  }

  private static let any = Endpoint(.loopback, port: 0)

  /// A free address: for telecap the system chooses it in bind; for a program a free port is found and released again.
  private static func resolve(
    _ address: SystemFile.Address?, isOurs: Bool
  ) throws -> Endpoint? {
    switch address {
    case nil: return nil
    case .free: return isOurs ? any : try FreePorts.take()
    case .fixed(let text): return try HostPort(parsing: text).resolve().first
    }
  }
}
