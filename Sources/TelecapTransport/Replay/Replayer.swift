import TelecapImpairment
import TelecapRecording
import TelecapWire

/// Carries out plans over real sockets on the wall clock: packets and plan lines come from a `ReplayFeed`.
///
/// One replayer may run several feeds one after the other, as a replay that is repeated does: its sockets stay, so that
/// to the receiver it is the same sender. Not for use from two threads.
public final class Replayer {
  private let sockets: ReplaySockets
  private let observer: any ReplayObserver
  private let stop: StopFlag
  private var pacer: Pacer<SystemMonotonicClock>

  /// Packets sent: datagrams, and packets that brought bytes of streams.
  public private(set) var packets = 0
  /// How long the runs took, each from its first packet to its last, in ns.
  public private(set) var sendingTime: Nanoseconds = 0

  /// Messages that were sent because a run ended early, and in words what could not be sent then.
  public private(set) var tornDown: (sent: [Message], problems: [String]) = ([], [])

  /// Opens a socket for each route; the routes' places are the flow numbers of the units. Ends early when `stop` is raised.
  ///
  /// - Parameter teardowns: for each route what its sender owes when a run ends early; empty for nothing.
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

  /// Routes whose local port another program had: they were given another.
  public var unboundRoutes: [ReplayRoute] { sockets.unboundRoutes }
  /// What became of the datagrams.
  public var datagrams: DatagramCounts { sockets.datagrams.counts }
  /// Streams opened, and payload bytes sent over them.
  public var streams: (count: Int, bytes: Int) { (sockets.streamCount, sockets.streamBytes) }
  /// What went wrong with streams that were open.
  public var streamErrors: [SocketError] { sockets.streamErrors }
  /// How late the packets were.
  public var lateness: Lateness { pacer.lateness.summary }

  /// Sends all that comes from the feed, each packet when it is due. Where that ends early, by the flag, by an error or because
  /// the recording is damaged, what each sender owes goes last (`Teardown`).
  ///
  /// - Throws: what the feed's reader threw, `SocketError` when a stream cannot be opened, or what the observer throws.
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
      // The error that ended the run is the one to report.
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

  /// Takes replies for so long, or until the flag is raised.
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

/// How a replay ended.
public enum ReplayOutcome: Equatable, Sendable {
  /// Everything was sent.
  case done
  /// It was told to stop.
  case stopped
}
