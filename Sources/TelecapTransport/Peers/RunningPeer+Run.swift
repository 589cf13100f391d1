import TelecapModels
import TelecapRecording

extension RunningPeer {
  /// Runs a peer until its duration is over, it has nothing more to send, or `stop` is raised; then it ends its
  /// session.
  ///
  /// - Parameters:
  ///   - duration: the duration in ns; nil for no limit.
  ///   - endsWhenFinished: whether the run ends when the peer has nothing more to send.
  ///   - takesLeave: whether it ends its session at the end, or breaks off.
  ///   - opened: is called once the peer's sockets are open.
  ///   - dropped: is called with the number of datagrams that the kernel dropped because the peer was busy, if there
  ///     are any.
  ///   - tell: is called with each event and its time of day, on the peer's own thread.
  /// - Throws: as `start` does; at the end `UnsentError` when datagrams could not be sent.
  public static func run<P: Peer>(
    _ peer: P, _ sockets: PeerSockets, duration: Nanoseconds?, endsWhenFinished: Bool, stop: StopFlag,
    takesLeave: Bool = true, opened: (RunningPeer) -> Void = { _ in }, dropped: (Int) -> Void = { _ in },
    tell: @escaping @Sendable (Timestamp, PeerEvent) -> Void
  ) async throws {
    let running = try await start(peer, sockets, tell: tell)
    opened(running)
    do {
      try await running.wait(duration: duration, endsWhenFinished: endsWhenFinished, stop: stop, takesLeave: takesLeave)
    } catch {
      try? await running.stop(takesLeave: takesLeave)
      throw error
    }
    let lost = try await running.droppedByKernel
    if lost > 0 { dropped(lost) }
    if let unsent = try await running.unsent { throw unsent }
  }

  /// Waits for the end, and stops the peer.
  private func wait(duration: Nanoseconds?, endsWhenFinished: Bool, stop: StopFlag, takesLeave: Bool) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await stop.waitUntilRaised() }
      if let duration { group.addTask { try await Task.sleep(for: .nanoseconds(duration)) } }
      if endsWhenFinished { group.addTask { try await waitUntilFinished() } }
      try await group.next()
      group.cancelAll()
      // The others end because they were cancelled or because the peer has finished.
      if endsWhenFinished { try await self.stop(takesLeave: takesLeave) }
      while await group.nextResult() != nil {}
    }
    if !endsWhenFinished { try await self.stop(takesLeave: takesLeave) }
  }
}
