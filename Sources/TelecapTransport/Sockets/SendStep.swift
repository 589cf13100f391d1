import CSockets

/// The next step after a send call failed with an errno value. Pure, so that each case is tested without a network.
enum SendStep: Equatable {
  /// Try the same datagram again: none of it was sent.
  case again
  /// An ICMP reply to an earlier datagram was reported instead of sending: count it, and try again.
  case reported
  /// The machine's buffers are full: wait a little, and try again.
  case wait
  /// This datagram cannot be sent: count it and continue with the next.
  case skip

  /// The maximum number of consecutive failures of a datagram before it is skipped.
  static let patience = 200

  init(code: Int32, failuresInARow: Int) {
    switch code {
    case _ where failuresInARow >= Self.patience: self = .skip
    case EINTR: self = .again
    case EAGAIN, EWOULDBLOCK, ENOBUFS, ENOMEM: self = .wait
    case ECONNREFUSED: self = .reported
    case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN: self = failuresInARow == 0 ? .reported : .skip
    default: self = .skip
    }
  }
}
