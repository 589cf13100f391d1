import TelecapFiles
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// A simulated peer over real sockets, whose events are printed as JSON lines.
public struct SimulatedPeer<P: Peer> {
  private let peer: P
  private let sockets: PeerSockets
  /// Its duration in ns; nil for no limit.
  public var duration: Nanoseconds?
  /// Whether it ends when it has nothing more to send.
  public var endsWhenFinished = false
  /// Whether it ends its session at the end: neutral values, and the message that closes it.
  public var takesLeave = true
  /// Whether it fails if no server accepted it.
  public var needsSession = false
  /// Its protocol from a file, whose names its events have; nil for a built-in one.
  public var owner: WireProtocol?
  /// Announces it to clients that search; nil for none.
  public var advertisement: Advertisement?

  /// This peer with these sockets.
  public init(_ peer: P, _ sockets: PeerSockets) { (self.peer, self.sockets) = (peer, sockets) }

  /// Runs it until its duration is over, it has finished, or a signal ends it. `tell` is called with its addresses, and
  /// at the end with the number of datagrams that the kernel dropped.
  ///
  /// - Throws: the errors of `RunningPeer.run`; `FileError` when an event could not be written;
  ///   `ReplayProblem.notLetIn`.
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
  /// Its addresses for clients.
  fileprivate var offers: [Advertisement.Offer] {
    [udp.map { .init(.udp, $0) }, listening.map { .init(.tcp, $0) }].compactMap(\.self)
  }
}
