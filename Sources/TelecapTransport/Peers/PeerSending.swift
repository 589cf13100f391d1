import NIOCore
import TelecapRecording

/// What became of the datagrams of a peer.
struct PeerSending: Sendable {
  private var sent = 0
  private var failed = 0
  private var reason: SocketError?

  /// Counts a datagram.
  mutating func count(_ result: Result<Void, any Error>, to destination: Endpoint) {
    guard case .failure(let error) = result else {
      sent += 1
      return
    }
    failed += 1
    // NIO closes a socket that could not send: the first reason is the one.
    if reason == nil, let error = error as? IOError {
      reason = SocketError(.send, destination, code: error.errnoCode)
    }
  }

  /// What could not be sent; nil when all was.
  var problem: UnsentError? {
    guard failed > 0 else { return nil }
    return UnsentError(failed: failed, total: sent + failed, reason: reason)
  }
}

/// Datagrams of a peer that could not be sent.
public struct UnsentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many.
  public let failed: Int
  /// How many there were in all.
  public let total: Int
  /// Why the first could not be sent, where the system said.
  public let reason: SocketError?

  /// How many, and why.
  public var description: String {
    "\(failed) of \(total) datagrams could not be sent" + (reason.map { ": \($0)" } ?? "")
  }
}
