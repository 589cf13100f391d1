import NIOCore

/// The UDP clients that a relay turned away, by their addresses: each is told from one that comes for the first time, and counted once,
/// however often it tries.
struct RefusedClients {
  /// So many are known at a time. Where more come, as where somebody makes addresses up, those of before are forgotten, and would be
  /// counted once more.
  private let most: Int
  private var lastCame: [SocketAddress: NIODeadline] = [:]

  init(most: Int = 65_536) { self.most = most }

  func contains(_ address: SocketAddress) -> Bool { lastCame[address] != nil }

  /// Notes that a client was turned away.
  mutating func add(_ address: SocketAddress, at now: NIODeadline) {
    if lastCame.count >= most, lastCame[address] == nil { lastCame.removeAll() }
    lastCame[address] = now
  }

  /// It was served after all.
  mutating func remove(_ address: SocketAddress) { lastCame[address] = nil }

  /// Forgets those that have not come since.
  mutating func forget(before oldest: NIODeadline) { lastCame = lastCame.filter { $0.value >= oldest } }
}
