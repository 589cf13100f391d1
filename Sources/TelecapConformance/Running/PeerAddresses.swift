import TelecapImpairment
import TelecapModels
import TelecapRecording

/// Where the peers of a run are, as the system's events name them: with each TCP connection a peer is elsewhere.
public struct PeerAddresses: Sendable {
  private struct Stay: Sendable {
    let peer: PeerName
    let end: Endpoint
    let since: Timestamp
  }

  /// In order of time.
  private var stays: [Stay] = []

  /// Nobody is anywhere yet.
  public init() {}

  /// A peer is at `end` from `since` on. Call it in order of time.
  public mutating func put(_ peer: PeerName, at end: Endpoint, since: Timestamp = .zero) {
    if endpoint(of: peer, at: since) == end { return }
    stays.append(Stay(peer: peer, end: end, since: since))
  }

  /// Where a peer is at this time; before it was anywhere, where it is first. Nil where it never is.
  public func endpoint(of peer: PeerName, at time: Timestamp) -> Endpoint? {
    stays.last { $0.peer == peer && $0.since <= time }?.end ?? stays.first { $0.peer == peer }?.end
  }

  /// Who is at `end`, at whatever time.
  public func peer(at end: Endpoint) -> PeerName? { stays.first { $0.end == end }?.peer }

  /// All places, the newest first.
  public var ends: [Endpoint] { stays.reversed().map(\.end) }

  /// Where the host is, or the first of the others.
  var anybody: Endpoint? {
    stays.last { $0.peer == "host" }?.end ?? stays.min { $0.peer < $1.peer }?.end
  }
}
