import TelecapImpairment
import TelecapRecording
import TelecapWire

/// Sends plans over real sockets on the wall clock: packets and plan lines come from a `ReplayFeed`.
///
/// One replayer may run several feeds in sequence, as for a repeated replay: its sockets stay open, so the receiver
/// sees one sender. Not for use from two threads.
public final class Replayer {
  private let sockets: ReplaySockets
  private let observer: any ReplayObserver
  private let stop: StopFlag
  private var pacer: Pacer<SystemMonotonicClock>

  /// Sent packets: datagrams, and packets with bytes of byte streams.
  public private(set) var packets = 0
  /// The duration of the runs, each from its first packet to its last, in ns.
  public private(set) var sendingTime: Nanoseconds = 0

  /// Messages that were sent because a run ended early, and the reasons why others could not be.
  public private(set) var tornDown: (sent: [Message], problems: [String]) = ([], [])

  /// Opens a socket for each route; the indices of routes are the flow numbers of the units. Ends early when `stop` is
  /// raised.
  ///
  /// - Parameter teardowns: the teardown of each route for a run that ends early; empty for none.
  /// - Throws: `DestinationError` or `SocketError`.
  public init(
    _ routes: [ReplayRoute], policy: DestinationPolicy, observer: any ReplayObserver, stop: StopFlag,
    teardowns: [Teardown?] = []
  ) throws {
    sockets = try ReplaySockets(routes, policy, observer, teardowns: teardowns)
    self.observer = observer
    self.stop = stop
    pacer = Pacer(clock: SystemMonotonicClock(), stop: stop)
  }

  /// Routes whose local port was in use by another program, and that got another.
  public var unboundRoutes: [ReplayRoute] { sockets.unboundRoutes }
  /// The counts of datagrams.
  public var datagrams: DatagramCounts { sockets.datagrams.counts }
  /// The number of opened byte streams, and of payload bytes sent over them.
  public var streams: (count: Int, bytes: Int) { (sockets.streamCount, sockets.streamBytes) }
  /// The errors of open byte streams.
  public var streamErrors: [SocketError] { sockets.streamErrors }
  /// The send timing errors.
  public var lateness: Lateness { pacer.lateness.summary }

  /// Sends the packets of the feed, each when it is due. If it ends early, by the flag, by an error or by a damaged
  /// recording, the teardown of each sender is sent last (`Teardown`).
  ///
  /// - Throws: errors of the feed's reader, `SocketError` when a byte stream cannot be opened, and errors of the
  ///   observer.
  public func run(_ feed: ReplayFeed) throws -> ReplayOutcome {
    sockets.begin()
    var work = ReplayWork(feed, sockets)
    defer {
      packets += work.sent
      sendingTime += sockets.span.map { $0.upperBound - $0.lowerBound } ?? 0
    }
    try observer.began(at: WallClock.now().advanced(byNanoseconds: PacerTiming.standard.lead))
    let outcome: Pacer<SystemMonotonicClock>.Ending
    do {
      outcome = try pacer.run(&work)
    } catch {
      // Report the error that ended the run.
      _ = tearDown()
      throw error
    }
    if outcome == .stopped || feed.isCut, let error = tearDown() { throw error }
    try sockets.finishStreams(withinNanoseconds: 500_000_000, stop: stop)
    return outcome == .done ? .done : .stopped
  }

  /// Returns the first error of the observer.
  private func tearDown() -> (any Error)? {
    let result = sockets.tearDown()
    tornDown.sent += result.sent
    tornDown.problems += result.problems
    return result.error
  }

  /// Receives replies for this time, or until the flag is raised.
  public func receive(forNanoseconds nanoseconds: Nanoseconds) throws {
    var left = nanoseconds
    repeat {
      let slice = min(left, PacerTiming.standard.slice)
      try sockets.datagrams.receive(forNanoseconds: slice, stop: stop) { try observer.replied($0, $1) }
      try observer.idle(packets: packets)
      left -= slice
    } while left > 0 && !stop.isRaised
  }
}

/// The outcome of a replay.
public enum ReplayOutcome: Equatable, Sendable {
  /// Everything was sent.
  case done
  /// The stop flag was raised.
  case stopped
}
