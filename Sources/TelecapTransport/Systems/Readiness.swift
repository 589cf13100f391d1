import CSockets
import TelecapConformance
import TelecapRecording

/// A deadline that counts only the time in which telecap ran: it is asked again and again, and a long while between two times
/// is one in which it was stopped.
struct AwakeDeadline {
  private var start: Nanoseconds
  private var last: Nanoseconds
  private let limit: Nanoseconds

  init(start: Nanoseconds, limit: Nanoseconds) { (self.start, last, self.limit) = (start, start, limit) }

  /// Whether the time is over.
  mutating func isOver(at now: Nanoseconds) -> Bool {
    let pause = now &- last
    if pause >= WallClockRun.standstill { start = start &+ pause }
    last = now
    return now &- start >= limit
  }
}

/// Waits until a program is ready. Blocks its thread.
enum Readiness {
  /// Why it never got ready; nil when it is.
  static func wait(
    for readiness: SystemFile.Readiness, withinNanoseconds limit: Nanoseconds, _ ends: PeerEnds, tcp: Endpoint?,
    _ watch: WallClockRun.Watch, stop: StopFlag
  ) -> String? {
    let start = telecap_monotonic_ns()
    var deadline = AwakeDeadline(start: start, limit: limit)
    while !deadline.isOver(at: telecap_monotonic_ns()) {
      if stop.isRaised { return "it was told to stop" }
      if let program = watch.program, let ending = program.ending {
        // It may have said that it is ready, or why it is not, just before: what it printed is still being read.
        waitForOutput(of: program)
        return isReady(readiness, start, ends, tcp, watch) ? nil : "\(ending) before it was ready"
      }
      // Asked before: one that says that it is ready and floods its output then was ready.
      let isFlood = watch.output?.isFlood == true
      if isReady(readiness, start, ends, tcp, watch) { return nil }
      if isFlood { return "it flooded its output before it was ready" }
      telecap_sleep_until(telecap_monotonic_ns() &+ 2_000_000)
    }
    return "it was not ready within \(limit / 1_000_000) ms: \(words(readiness))"
  }

  /// Waits until all is read that an ended program printed; not for long, since a child of it may hold its output open.
  private static func waitForOutput(of program: Program) {
    let deadline = telecap_monotonic_ns() &+ 1_000_000_000
    while !program.isRead, telecap_monotonic_ns() < deadline {
      telecap_sleep_until(telecap_monotonic_ns() &+ 2_000_000)
    }
  }

  private static func isReady(
    _ readiness: SystemFile.Readiness, _ start: Nanoseconds, _ ends: PeerEnds, _ tcp: Endpoint?,
    _ watch: WallClockRun.Watch
  ) -> Bool {
    switch readiness {
    case .line(let text): return watch.output?.holds(text) ?? true
    case .delay(let time): return telecap_monotonic_ns() &- start >= time
    case .speaks: return ends.isSpokenTo
    case .port(.udp):
      if let port = ends.systemPort, let isOpen = isListening(watch.program, start, { $0.udp.contains(port) }) {
        return isOpen
      }
      return ends.isPortOpen()
    case .port(.ble): return true
    case .port(.tcp):
      guard let tcp else { return true }
      if let isOpen = isListening(watch.program, start, { $0.tcp.contains(tcp.port) }) { return isOpen }
      ends.noteProbe(from: nil, over: .tcp)
      var remote = tcp.raw
      let opened = telecap_tcp_connect(&remote, 200)
      if opened >= 0 { close(opened) }
      return opened >= 0
    }
  }

  /// How long a program is looked for among those of its group that listen before it is probed, in ns.
  private static let unprobed: Nanoseconds = 300_000_000
  /// From one look to the next, in ns.
  private static let pause: Nanoseconds = 8_000_000

  /// Whether the program listens, as the system tells it; nil where only a probe can show that. A probe is a packet that
  /// the program sees: it may take it for a client.
  private static func isListening(
    _ program: Program?, _ start: Nanoseconds, _ listens: (OpenPorts) -> Bool
  ) -> Bool? {
    guard let program, OpenPorts.areKnown else { return nil }
    if listens(OpenPorts(of: program.id)) { return true }
    // What left the group, or runs elsewhere, is not seen there.
    if telecap_monotonic_ns() &- start > unprobed { return nil }
    telecap_sleep_until(telecap_monotonic_ns() &+ pause)
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
