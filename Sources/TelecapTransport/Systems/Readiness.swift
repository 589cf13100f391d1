import CSockets
import TelecapConformance
import TelecapRecording

/// A deadline that counts only the time in which telecap ran. It is polled, and a long interval between two polls means
/// that telecap was stopped.
struct AwakeDeadline {
  private var start: Nanoseconds
  private var last: Nanoseconds
  private let limit: Nanoseconds

  init(start: Nanoseconds, limit: Nanoseconds) { (self.start, last, self.limit) = (start, start, limit) }

  /// Whether the deadline has passed.
  mutating func isOver(at now: Nanoseconds) -> Bool {
    let pause = now &- last
    if pause >= WallClockRun.standstill { start = start &+ pause }
    last = now
    return now &- start >= limit
  }
}

/// Waits until a program is ready. Blocks its thread.
enum Readiness {
  /// Returns the reason why it never became ready; nil when it is.
  static func wait(
    for readiness: SystemFile.Readiness, withinNanoseconds limit: Nanoseconds, _ ends: PeerEnds, tcp: Endpoint?,
    _ watch: WallClockRun.Watch, by clock: any MonotonicClock = SystemMonotonicClock.shared, stop: StopFlag
  ) -> String? {
    let start = clock.now()
    var deadline = AwakeDeadline(start: start, limit: limit)
    while !deadline.isOver(at: clock.now()) {
      if stop.isRaised { return "it was asked to stop" }
      if let program = watch.program, let ending = program.ending {
        // It may have printed its readiness or an error just before: its output is still being read.
        waitForOutput(of: program, by: clock)
        return isReady(readiness, start, ends, tcp, watch, clock) ? nil : "\(ending) before it was ready"
      }
      // Check this first: a program that reports readiness and then floods its output was ready.
      let isFlood = watch.output?.isFlood == true
      if isReady(readiness, start, ends, tcp, watch, clock) { return nil }
      if isFlood { return "it flooded its output before it was ready" }
      clock.sleep(for: 2_000_000)
    }
    return "it was not ready within \(limit / 1_000_000) ms: \(words(readiness))"
  }

  /// Waits until the output of an exited program is read; briefly, since a child may hold its output open.
  private static func waitForOutput(of program: Program, by clock: any MonotonicClock) {
    let deadline = clock.now() &+ 1_000_000_000
    while !program.isRead, clock.now() < deadline { clock.sleep(for: 2_000_000) }
  }

  private static func isReady(
    _ readiness: SystemFile.Readiness, _ start: Nanoseconds, _ ends: PeerEnds, _ tcp: Endpoint?,
    _ watch: WallClockRun.Watch, _ clock: any MonotonicClock
  ) -> Bool {
    switch readiness {
    case .line(let text): return watch.output?.holds(text) ?? true
    case .delay(let time): return clock.now() &- start >= time
    case .speaks: return ends.isSpokenTo
    case .port(.udp):
      if let port = ends.systemPort, let isOpen = isListening(watch.program, start, clock, { $0.udp.contains(port) }) {
        return isOpen
      }
      return ends.isPortOpen()
    case .port(.ble): return true
    case .port(.tcp):
      guard let tcp else { return true }
      if let isOpen = isListening(watch.program, start, clock, { $0.tcp.contains(tcp.port) }) { return isOpen }
      ends.noteProbe(from: nil, over: .tcp)
      var remote = tcp.raw
      let opened = telecap_tcp_connect(&remote, 200)
      if opened >= 0 { close(opened) }
      return opened >= 0
    }
  }

  /// The time in ns in which only the listening ports of the program's group are checked, before it is probed.
  private static let unprobed: Nanoseconds = 300_000_000
  /// The interval between checks, in ns.
  private static let pause: Nanoseconds = 8_000_000

  /// Whether the program listens, as the system reports it; nil where only a probe can show that. A program sees a
  /// probe, and may take it for a client.
  private static func isListening(
    _ program: Program?, _ start: Nanoseconds, _ clock: any MonotonicClock, _ listens: (OpenPorts) -> Bool
  ) -> Bool? {
    guard let program, OpenPorts.areKnown else { return nil }
    if listens(OpenPorts(of: program.id)) { return true }
    // A process that left the group, or runs on another machine, is not in it.
    if clock.now() &- start > unprobed { return nil }
    clock.sleep(for: pause)
    return false
  }

  private static func words(_ readiness: SystemFile.Readiness) -> String {
    switch readiness {
    case .line(let text): "no line holds \"\(text)\""
    case .delay: "the delay is longer"
    case .speaks: "it has sent nothing"
    case .port(let carrier): "its \(carrier.name) port is closed"
    }
  }
}
