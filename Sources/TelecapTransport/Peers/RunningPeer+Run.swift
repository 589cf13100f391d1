import TelecapModels
import TelecapRecording

extension RunningPeer {
  /// Runs a peer until its time is over, it has nothing more to send, or `stop` is raised; then it takes its leave.
  ///
  /// - Parameters:
  ///   - duration: how long, in ns; nil without end.
  ///   - endsWhenFinished: whether a peer that has nothing more to send ends the run.
  ///   - opened: is told where the peer's sockets are.
  ///   - dropped: is told how many datagrams the kernel dropped because the peer was busy, where it did.
  ///   - tell: takes each event with the time of day at which it happened; called on the peer's own thread.
  /// - Throws: as `start` does; at the end `UnsentError` when datagrams could not be sent.
  public static func run<P: Peer>(
    _ peer: P, _ sockets: PeerSockets, duration: Nanoseconds?, endsWhenFinished: Bool, stop: StopFlag,
    opened: (RunningPeer) -> Void = { _ in }, dropped: (Int) -> Void = { _ in },
    tell: @escaping @Sendable (Timestamp, PeerEvent) -> Void
  ) async throws {
    let running = try await start(peer, sockets, tell: tell)
    opened(running)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await stop.waitUntilRaised() }
      if let duration { group.addTask { try await Task.sleep(for: .nanoseconds(duration)) } }
      if endsWhenFinished { group.addTask { try await running.waitUntilFinished() } }
      try await group.next()
      group.cancelAll()
      // The others end because they were cancelled or because the peer has finished.
      if endsWhenFinished { try await running.stop() }
      while await group.nextResult() != nil {}
    }
    if !endsWhenFinished { try await running.stop() }
    let lost = try await running.droppedByKernel
    if lost > 0 { dropped(lost) }
    if let unsent = try await running.unsent { throw unsent }
  }
}
