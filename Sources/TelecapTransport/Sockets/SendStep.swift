import CSockets

/// What to do after a send call failed with an errno value. Pure, so that each case is tested without a network.
enum SendStep: Equatable {
  /// Try the same datagram again: nothing of it was sent.
  case again
  /// An ICMP answer to an earlier datagram was reported in place of sending: count it, and try again.
  case reported
  /// The machine's buffers are full: wait a little, and try again.
  case wait
  /// This datagram cannot be sent: count it and go on with the next.
  case skip

  /// How often in a row the same datagram is tried after an error before it is skipped.
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
