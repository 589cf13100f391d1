import TelecapConformance
import TelecapRecording
import TelecapWire

/// Where a system under test is, or where it is to find us.
struct SystemAddresses: Sendable {
  /// For UDP; nil for none.
  var udp: Endpoint?
  /// For TCP; nil for none.
  var tcp: Endpoint?
  /// The port to which it sends its events; 0 for none.
  var eventPort: UInt16 = 0
  /// The port at which a program takes requests; 0 for none.
  var httpPort: UInt16 = 0
}

/// All that a run opens on our side. Used by one thread at a time.
final class RunResources {
  let ends: PeerEnds
  let feeds: EventFeeds
  let place: SystemAddresses

  /// Opens what a script needs, where `known` is where a program is that runs already.
  /// - Throws: `SocketError`, `DestinationError`, or `HostPortError` and `ResolutionError` for an address of the file.
  init(_ file: SystemFile, _ script: Script, directory: String, at known: SystemAddresses?) throws {
    // A program that runs already sends to the port that it was told.
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

  /// A free address: of ours the system chooses it when we bind; for a program one is looked for and given up again.
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
