import TelecapImpairment
import TelecapModels
import TelecapRecording

/// The addresses of peers in a run, as the system's events name them: a peer's port changes with each TCP connection.
public struct PeerAddresses: Sendable {
  private struct Stay: Sendable {
    let peer: PeerName
    let end: Endpoint
    let since: Timestamp
  }

  /// In order of time.
  private var stays: [Stay] = []

  /// No addresses.
  public init() {}

  /// Puts a peer at `end` from `since` on. Call it in order of time.
  public mutating func put(_ peer: PeerName, at end: Endpoint, since: Timestamp = .zero) {
    if endpoint(of: peer, at: since) == end { return }
    stays.append(Stay(peer: peer, end: end, since: since))
  }

  /// The address of a peer at this time, or its first one for earlier times; nil where it has none.
  public func endpoint(of peer: PeerName, at time: Timestamp) -> Endpoint? {
    stays.last { $0.peer == peer && $0.since <= time }?.end ?? stays.first { $0.peer == peer }?.end
  }

  /// The peer that had this address at any time.
  public func peer(at end: Endpoint) -> PeerName? { stays.first { $0.end == end }?.peer }

  /// All addresses, the newest first.
  public var ends: [Endpoint] { stays.reversed().map(\.end) }

  /// The address of the host, or of the first of the others.
  var anybody: Endpoint? {
    stays.last { $0.peer == "host" }?.end ?? stays.min { $0.peer < $1.peer }?.end
  }
}
