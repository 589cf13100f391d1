import NIOCore

/// The UDP clients that a relay rejected, by address, so that each is counted once for any number of attempts.
struct RefusedClients {
  /// The maximum number of known clients. Beyond it, as with forged addresses, all are forgotten, and may be counted
  /// again.
  private let most: Int
  private var lastCame: [SocketAddress: NIODeadline] = [:]

  init(most: Int = 65_536) { self.most = most }

  func contains(_ address: SocketAddress) -> Bool { lastCame[address] != nil }

  /// Records a rejected client.
  mutating func add(_ address: SocketAddress, at now: NIODeadline) {
    if lastCame.count >= most, lastCame[address] == nil { lastCame.removeAll() }
    lastCame[address] = now
  }

  /// Removes a client that was accepted later.
  mutating func remove(_ address: SocketAddress) { lastCame[address] = nil }

  /// Forgets clients that were not seen since.
  mutating func forget(before oldest: NIODeadline) { lastCame = lastCame.filter { $0.value >= oldest } }
}
