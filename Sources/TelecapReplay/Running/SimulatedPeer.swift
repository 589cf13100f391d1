import TelecapFiles
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// A simulated peer over real sockets, whose events become lines of JSON on standard output.
public struct SimulatedPeer<P: Peer> {
  private let peer: P
  private let sockets: PeerSockets
  /// How long it runs, in ns; nil until somebody ends it.
  public var duration: Nanoseconds?
  /// Whether it ends when it has nothing more to send.
  public var endsWhenFinished = false
  /// Whether it takes its leave at the end: neutral values, and the message that closes its session.
  public var takesLeave = true
  /// Whether it has run in vain where no server accepted it.
  public var needsSession = false
  /// The protocol of a file that it speaks, whose names its events have; nil for a built-in one.
  public var owner: WireProtocol?
  /// Makes it known to clients that search; nil for a peer that keeps to itself.
  public var advertisement: Advertisement?

  /// This peer with these sockets.
  public init(_ peer: P, _ sockets: PeerSockets) { (self.peer, self.sockets) = (peer, sockets) }

  /// Runs it until its time is over, it has finished, or a signal ends it.
  ///
  /// - Parameter tell: is told where it listens, and at the end what the kernel dropped before it.
  /// - Throws: as `RunningPeer.run` does; `FileError` when an event could not be written; `ReplayProblem.notLetIn`.
  public func run(tell: (String) -> Void) async throws {
    guard let advertisement else { return try await run(tell) { told($0, tell) } }
    let (offers, offer) = AsyncStream.makeStream(of: [Advertisement.Offer].self)
    try await advertisement.follow {
      for await found in offers { return found }
      return []
    } during: {
      try await run(tell) { running in
        told(running, tell)
        offer.yield(running.offers)
      }
    }
  }

  private func told(_ running: RunningPeer, _ tell: (String) -> Void) {
    if let udp = running.udp { tell("UDP \(udp)") }
    if let tcp = running.listening { tell("TCP \(tcp)") }
  }

  private func run(_ tell: (String) -> Void, opened: (RunningPeer) -> Void) async throws {
    var output = Output()
    let lines = EventLines(of: owner) { line in
      try output.line(line)
      try output.flush()
    }
    try await RunningPeer.run(
      peer, sockets, duration: duration, endsWhenFinished: endsWhenFinished, stop: .signals, takesLeave: takesLeave,
      opened: opened,
      dropped: {
        tell("\(Numbers.counted($0, "datagram")) dropped by the kernel: they came faster than they were taken")
      }
    ) { time, event in
      if !lines.write(event, at: time) { StopFlag.signals.raise() }
    }
    if let failure = lines.failure { throw failure }
    if needsSession, !lines.answers.contains(where: \.isAccepted) {
      throw ReplayProblem.notLetIn(answers: lines.answers.map(\.word).sorted())
    }
  }
}

extension RunningPeer {
  /// Where clients can come.
  fileprivate var offers: [Advertisement.Offer] {
    [udp.map { .init(.udp, $0) }, listening.map { .init(.tcp, $0) }].compactMap(\.self)
  }
}
