import NIOCore
import NIOEmbedded
import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapMouse
import TelecapPlatform
import TelecapProtocols
import TelecapPlatform
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

private let millisecond: Nanoseconds = 1_000_000

/// How late a sleeper is woken, by a clock that a test moves.
@Suite("The delay of sleeps") struct LatenessProbeTests {
  private let clock = ManualClock()

  init() { clock.tick = 0 }

  @Test(
    "A sleep that ends in time is not late, and one that ends later is late by the difference",
    arguments: [0, 1, 30_000_000])
  func late(_ lateness: Nanoseconds) async {
    let probe = LatenessProbe(by: clock)
    await clock.untilSomebodyWaits()
    clock.pass(5 * millisecond + lateness)
    #expect(probe.end() == lateness)
  }

  @Test("The worst of several sleeps counts, and each begins when the one before ended")
  func worst() async {
    let probe = LatenessProbe(by: clock)
    for lateness in [2, 40, 3] as [Nanoseconds] {
      await clock.untilSomebodyWaits()
      clock.pass((5 + lateness) * millisecond)
    }
    await clock.untilSomebodyWaits()
    #expect(probe.worst == 40 * millisecond)
    #expect(probe.end() == 40 * millisecond)
  }
}

/// When a program counts as ready, by a clock that sleeping moves.
@Suite("Readiness, by a manual clock") struct ReadinessClockTests {
  private let clock = ManualClock()
  private let second: Nanoseconds = 1_000_000_000

  private func wait(
    for readiness: SystemFile.Readiness, within limit: Nanoseconds, _ output: ProgramOutput? = nil,
    stop: StopFlag = StopFlag()
  ) throws -> String? {
    let ends = try PeerEnds(speaksFirst: false, udp: nil, tcp: nil, peers: [], policy: DestinationPolicy(.loopback))
    return Readiness.wait(
      for: readiness, withinNanoseconds: limit, ends, tcp: nil, WallClockRun.Watch(output: output), by: clock,
      stop: stop)
  }

  @Test("A readiness delay ends at its time, and not before")
  func delay() throws {
    let start = clock.time
    #expect(try wait(for: .delay(5 * second), within: 10 * second) == nil)
    #expect((5 * second..<5 * second + 3 * millisecond).contains(clock.time - start))
  }

  @Test("A program that never reports that it is ready fails at the time limit")
  func line() throws {
    let output = ProgramOutput(limit: 1 << 10, by: clock)
    output.add("almost".utf8, isShown: true)
    let start = clock.time
    #expect(
      try wait(for: .line("ready"), within: 2 * second, output)
        == "it was not ready within 2000 ms: no line holds \"ready\"")
    #expect((2 * second..<2 * second + 3 * millisecond).contains(clock.time - start))
    output.add("ready".utf8, isShown: true)
    #expect(try wait(for: .line("ready"), within: 2 * second, output) == nil)
  }

  @Test("The time in which telecap was stopped does not count")
  func standstill() throws {
    // Each sleep takes an hour: the program is looked at as often as in two seconds of a clock that goes on.
    clock.oversleep = 3_600 * second
    #expect(try wait(for: .delay(3_601 * second), within: 2 * second) == nil)
  }

  @Test("A request to stop is reported first")
  func stopped() throws {
    let stop = StopFlag()
    stop.raise()
    #expect(try wait(for: .delay(0), within: second, stop: stop) == "it was asked to stop")
  }
}

/// A script over a socket, by a clock that sleeping moves.
@Suite("A run on a manual clock", .real("a socket on loopback")) struct ManualRunTests {
  private func run(oversleep: Nanoseconds = 0) throws -> (log: RunLog, host: Socket, clock: ManualClock) {
    let (clock, host) = (ManualClock(), try Socket.udp())
    (clock.tick, clock.oversleep) = (1_000, oversleep)
    let script = try Programs.script(
      "- { at: 0s, send: HELLO, answer: OK }\n  - { at: 7s, send: POSE }", end: 9_000_000_000)
    let ends = try PeerEnds(
      speaksFirst: false, udp: host.endpoint, tcp: nil, peers: Set(script.meant.map(\.peer)).sorted(),
      policy: DestinationPolicy(.loopback))
    let run = WallClockRun(script, ends, WallClockRun.Watch(), shows: [], by: clock, stop: StopFlag())
    return (try run.run(), host, clock)
  }

  @Test("Each message is sent at its time, and the run ends at its end, without waiting")
  func times() throws {
    let (log, host, clock) = try run()
    let sent = log.entries.compactMap { entry -> Nanoseconds? in
      if case .delivered = entry.what { entry.time.nanoseconds } else { nil }
    }
    #expect(sent.count == 2 && host.received().count == 2)
    #expect(sent.map { $0 / millisecond } == [0, 7_000])
    #expect(log.end == Timestamp(nanoseconds: 9_000_000_000))
    #expect(clock.time > 9_000_000_000)
  }

  @Test("A clock that oversleeps by more than 50 ms makes the run inconclusive")
  func late() throws { #expect(try run(oversleep: 60 * millisecond).log.tooLate != nil) }
}

/// The times of live verdicts on a log, by a clock that a test moves.
@Suite("Live verdicts of a relayed program") struct RelayGlancesTests {
  @Test("The first live verdict is taken at once, the next after a second or four times its duration")
  func pauses() async throws {
    let clock = ManualClock()
    clock.tick = 0
    let (taken, length) = (Locked(0), Locked<Nanoseconds>(0))
    let glance = RelayGlance(
      isWanted: { true },
      take: { _, _ in
        clock.pass(length.with { $0 })
        taken.with { $0 += 1 }
      })
    var glances = LiveVerdictThrottle(glance, try Programs.hello().setup, by: clock)
    func offer() async -> Int {
      glances.offer { RunLog(shows: []) }
      await glances.end()
      return taken.with { $0 }
    }
    #expect(await offer() == 1)
    clock.pass(999 * millisecond)
    #expect(await offer() == 1)
    clock.pass(millisecond)
    length.with { $0 = 600 * millisecond }
    #expect(await offer() == 2)
    clock.pass(2_399 * millisecond)
    #expect(await offer() == 2)
    clock.pass(millisecond)
    #expect(await offer() == 3)
  }

  @Test("No live verdict is taken if none is wanted")
  func unwanted() async throws {
    var glances = LiveVerdictThrottle(
      RelayGlance(isWanted: { false }, take: { _, _ in Issue.record("somebody looked") }), try Programs.hello().setup,
      by: ManualClock())
    glances.offer { RunLog(shows: []) }
    await glances.end()
  }
}

/// From where a relay is looked at.
@Suite("The relay controller", .real("sockets"), .timeLimit(.minutes(10))) struct RelayDeskTests {
  @Test("Waiting for a relay returns its routes once it runs")
  func running() async throws {
    let (desk, clock) = (RelayController(), ManualClock())
    async let routes = desk.running(by: clock)
    await clock.untilSomebodyWaits()
    clock.pass(20 * millisecond)
    await clock.untilSomebodyWaits()
    let spec = RelaySpec(
      .udp, listen: Endpoint(.loopback, port: 0), target: HostPort(host: "127.0.0.1", port: 9))
    let relay = try await Relay.start(
      [spec], observer: RelayTests.Recorder(), ports: .standard,
      network: try RelayNetwork(up: .none, down: .none, seed: 1, Protocols.builtIn), desk: desk)
    clock.pass(20 * millisecond)
    #expect(await routes == relay.routes && !relay.routes.isEmpty)
    // One that runs is not waited for.
    #expect(await desk.running(by: clock) == relay.routes)
    await relay.stop()
  }

  @Test("A cancelled wait returns no routes")
  func cancelled() async {
    let (desk, clock) = (RelayController(), ManualClock())
    let waiting = Task { await desk.running(by: clock) }
    await clock.untilSomebodyWaits()
    waiting.cancel()
    #expect(await waiting.value.isEmpty)
  }
}

/// The network of a relay on an event loop whose time a test moves.
@Suite("A relay's network in manual time") struct RelayTimeTests {
  /// The packets that leave a link, by the time of its loop in ms.
  private final class Way {
    let loop = EmbeddedEventLoop()
    private let clock: NetworkClock
    private var link: RelayLink
    private let client: UDPClients.Client
    private var number = 0
    private(set) var left: [[Int64]] = []

    init(_ network: String) throws {
      clock = NetworkClock(loop)
      let network = try RelayNetwork(
        up: Impairments(parsing: network), down: .none, seed: 4, Protocols.builtIn)
      link = network.links(nil, limits: RelayLimits()).up
      let end = Endpoint(.loopback, port: 9)
      client = UDPClients.Client(
        flow: Flow(.udp, from: end, to: end), address: try SocketAddress(end), slot: 0, isRefused: false, now: loop.now)
    }

    func take() {
      number += 1
      link.take(
        RelayedDatagram(data: ByteBuffer(bytes: [1]), client: client, number: number, cameAt: .zero), at: clock.now)
      look()
    }

    private func look() {
      let now = clock.now
      link.leave(by: now) { left.append([Int64($0.number), now / millisecond]) }
      clock.wake(at: link.nextWake) { [weak self] in self?.look() }
    }

    func cancel() { clock.cancel() }
    deinit { try? loop.syncShutdownGracefully() }
  }

  @Test("A datagram leaves when it is due and not before, and its duplicate with it")
  func delay() throws {
    let way = try Way("--delay 80ms --duplicate 100%")
    way.take()
    way.loop.advanceTime(by: .nanoseconds(80 * millisecond - 1))
    #expect(way.left == [])
    way.loop.advanceTime(by: .nanoseconds(1))
    #expect(way.left == [[1, 80], [1, 80]])
  }

  @Test("Datagrams between two timers leave in their order, each at its own time")
  func order() throws {
    let way = try Way("--delay 2s")
    for _ in 0..<3 {
      way.take()
      way.loop.advanceTime(by: .milliseconds(700))
    }
    way.loop.advanceTime(by: .seconds(60))
    #expect(way.left == [[1, 2_000], [2, 2_700], [3, 3_400]])
  }

  @Test("After a stall all waiting datagrams leave at once")
  func stall() throws {
    let way = try Way("--stall 300ms@1s")
    for _ in 0..<200 {
      way.take()
      way.loop.advanceTime(by: .milliseconds(10))
    }
    way.loop.advanceTime(by: .seconds(1))
    #expect(way.left.map { $0[0] } == (1...200).map { Int64($0) })
    let times = way.left.map { $0[1] }
    let gaps = zip(times, times.dropFirst()).map { (before: $0, after: $1) }
    let longest = try #require(gaps.max { $0.after - $0.before < $1.after - $1.before })
    #expect((290...310).contains(longest.after - longest.before))
    #expect(times.count { $0 == longest.after } == (longest.after - longest.before) / 10)
  }

  @Test("A cancelled clock fires no timer")
  func cancelled() throws {
    let way = try Way("--delay 80ms")
    way.take()
    way.cancel()
    way.loop.advanceTime(by: .seconds(1))
    #expect(way.left == [])
  }
}

/// A simulated peer on an event loop whose time a test moves.
@Suite("A peer's timers in manual time") struct PeerTimeTests {
  /// Emits an event for each timer, one every 500 ms, and is finished after the third.
  private struct Ticker: Peer {
    private(set) var nextWake: Timestamp?
    var count = 0
    var isFinished: Bool { count == 3 }

    mutating func start(at time: Timestamp, _ perform: Perform) {
      nextWake = time.advanced(byNanoseconds: 500 * millisecond)
    }
    mutating func receive(
      _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
    ) {}
    mutating func advance(to time: Timestamp, _ perform: Perform) {
      count += 1
      nextWake = isFinished ? nil : time.advanced(byNanoseconds: 500 * millisecond)
      perform(.event(.buttons(UInt8(count))), RawSpan())
    }
    mutating func stop(at time: Timestamp, _ perform: Perform) {}
  }

  @Test("A peer's timers fire at their times and not before, until it is finished")
  func wakes() throws {
    let loop = EmbeddedEventLoop()
    defer { try? loop.syncShutdownGracefully() }
    var times: [Timestamp] = []
    let shell = PeerShell(Ticker(), on: loop) { time, _ in times.append(time) }
    let isFinished = Locked(false)
    shell.whenFinished.whenSuccess { isFinished.with { $0 = true } }
    shell.start()
    loop.advanceTime(by: .nanoseconds(500 * millisecond - 1))
    #expect(times.isEmpty)
    loop.advanceTime(by: .nanoseconds(1))
    #expect(times.count == 1 && !isFinished.with { $0 })
    loop.advanceTime(by: .seconds(10))
    #expect(times.count == 3 && isFinished.with { $0 })
    let first = try #require(times.first)
    #expect(times.map { $0.nanoseconds(since: first) } == [0, 500 * millisecond, 1_000 * millisecond])
    _ = shell.stop(takesLeave: true)
  }
}
