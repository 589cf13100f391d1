import NIOCore
import TelecapRecording

/// Counts of a peer's sent and failed datagrams.
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
    // NIO closes a socket after a send error: keep the first reason.
    if reason == nil, let error = error as? IOError {
      reason = SocketError(.send, destination, code: error.errnoCode)
    }
  }

  /// The error for failed datagrams; nil without any.
  var problem: UnsentError? {
    guard failed > 0 else { return nil }
    return UnsentError(failed: failed, total: sent + failed, reason: reason)
  }
}

/// The error about datagrams of a peer that could not be sent.
public struct UnsentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of failed datagrams.
  public let failed: Int
  /// The number of all datagrams.
  public let total: Int
  /// The reason for the first, where the system reported one.
  public let reason: SocketError?

  /// The numbers and the reason.
  public var description: String {
    "\(failed) of \(total) datagrams could not be sent" + (reason.map { ": \($0)" } ?? "")
  }
}
