import TelecapConformance
import TelecapModels
import TelecapRecording
@testable import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// The messages that a system sends are tested in every run, whatever the scenario is about.
@Suite struct SenderRuleTests {
  /// A right model that sends something more, or something else.
  private struct Saying: SystemUnderTest {
    let model: ModelSystem
    let change: @Sendable (inout RunLog) -> Void
    var name: String { "saying" }
    var parts: Set<Part> { model.parts }

    func run(_ script: Script) async throws -> RunLog {
      var log = try model.runNow(script)
      change(&log)
      log.entries.sort { $0.time < $1.time }
      return log
    }
  }

  private func broken(
    _ role: String, _ path: String, _ change: @escaping @Sendable (inout RunLog) -> Void
  ) async throws -> [String: String] {
    let system = Saying(model: try ModelSystem(parsing: "model:\(role)", in: .all), change: change)
    let result = try await SuiteRunner(system).run(Case(), of: try ScenarioFiles.read(path))
    let broken = result.sending.filter { !$0.breaches.isEmpty }
    return Dictionary(uniqueKeysWithValues: broken.map { ($0.requirement, $0.breaches[0].observed) })
  }

  private static let at = Timestamp(nanoseconds: 1_700_000_000)

  /// Messages that its side never sends, though another side or transport does, and bytes that are no message.
  @Test(
    "A message that the system's side never sends is a failure",
    arguments: [
      ("host", "tele/bye/closes.yaml", "aabbcc", "a got 3 bytes that are no message: truncated: needed 6 bytes, had 3"),
      ("host", "tele/bye/closes.yaml", "54454c45060107000000ac0d0000", "a got HEARTBEAT, which udp does not carry"),
      ("host", "tele/bye/closes.yaml", "54454c450401efbeadde", "a got BYE, which no host sends"),
      ("host", "tele/bye/closes.yaml", "54454c4502010000", "a got an ACK for no HELLO"),
      ("phone", "tele/phone/pose-values.yaml", "54454c4507010000003f0000", "host got HAPTIC, which no phone sends"),
      (
        "phone", "tele/phone/pose-values.yaml", "54454c4505010901",
        "host got CMD: cmd_type is 9; known: 1 RECORDING, 2 KEEP_RECORDING"
      ),
      (
        "phone", "tele/phone/pose-values.yaml", "",
        "host got 0 bytes that are no message: truncated: needed 6 bytes, had 0"
      ),
    ])
  func whatNobodyOnItsSideSendsIsTold(_ role: String, _ path: String, _ hex: String, _ observed: String) async throws {
    let bytes = try #require(Hex.bytes(hex))
    let peer = role == "host" ? "a" : "host"
    let broken = try await broken(role, path) {
      $0.entries.append(RunLog.Entry(Self.at, .replied(bytes, to: peer, over: .udp)))
    }
    #expect(broken == [role == "host" ? "tele.hello.ack-form" : "tele.phone.hello-form": observed])
  }

  /// One ACK too many is one breach, and no debt of those that follow.
  @Test("Each HELLO allows one answer")
  func eachHelloAllowsOneAnswer() async throws {
    let ack: [UInt8] = [0x54, 0x45, 0x4c, 0x45, 2, 1, 0, 0]
    let system = Saying(model: try ModelSystem(parsing: "model:host", in: .all)) {
      $0.entries.append(RunLog.Entry(Timestamp(nanoseconds: 500_000_000), .replied(ack, to: "a", over: .udp)))
    }
    let result = try await SuiteRunner(system).run(Case(), of: try ScenarioFiles.read("tele/hello/ack-every.yaml"))
    #expect(result.sending.first { $0.requirement == "tele.hello.ack-form" }?.breaches.count == 1)
  }

  /// Forces at 40 Hz are too many where 20 or 31 Hz were said, and not where 32 were: a quarter more is allowed.
  @Test(
    "A host may state its rate, and may exceed it by a quarter",
    arguments: [(nil, false), (31, false), (32, true)] as [(Double?, Bool)])
  func aHostMaySayHowOftenItSends(_ said: Double?, _ isRight: Bool) async throws {
    let broken = try await broken("host", "tele/haptic/sender-rate.yaml") { log in
      if let said { log.said[SaidRate.self] = said }
      for entry in log.entries {
        guard case .replied(let bytes, let peer, let carrier) = entry.what, bytes[4] == 7 else { continue }
        log.entries.append(
          RunLog.Entry(entry.time.advanced(byNanoseconds: 25_000_000), .replied(bytes, to: peer, over: carrier)))
      }
    }
    #expect(broken.keys.map { $0 } == (isRight ? [] : ["tele.haptic.sender-rate"]))
  }

  /// A client that opens connection after connection, or over UDP session after session, gets a force in each at once:
  /// that is no rate.
  @Test("The rate counts within a session", arguments: [Carrier.tcp, .udp, .ble], [true, false])
  func theRateIsThatOfASession(_ carrier: Carrier, _ isOpened: Bool) async throws {
    let suffix = carrier == .udp ? "" : ".\(carrier.name)"
    let broken = try await broken("host", "tele/haptic/sender-session\(suffix).yaml") { log in
      log.peers.put("m", at: Endpoint(.loopback, port: 9))
      func note(_ what: RunLog.What, _ at: Timestamp) { log.entries.append(RunLog.Entry(at, what)) }
      for number in 0..<60 {
        let at = Self.at.advanced(byNanoseconds: Int64(number) * 10_000_000)
        let opens = isOpened || number == 0
        if opens, carrier == .udp, let hello = try? Message.hello(sessionID: UInt32(number + 1), code: "ABC123") {
          note(.delivered(hello.bytes, packet: 900 + number, from: "m", over: .udp, sentAt: at), at)
          note(.replied(Message.ack(.ok).bytes, to: "m", over: .udp), at)
        } else if opens {
          note(.opened("m"), at)
        }
        let haptic: [UInt8] = [0x54, 0x45, 0x4c, 0x45, 7, 1, 0, 0, 0, 0, 0, 0]
        note(.replied((carrier == .tcp ? [12, 0] : []) + haptic, to: "m", over: carrier), at)
      }
    }
    #expect(broken.keys.contains("tele.haptic.sender-rate") == !isOpened)
  }

  /// Only the header of another version is known: its HELLO may have any length, and is rejected with an ACK.
  @Test("A HELLO of another version may have any length", arguments: ["54454c45015d04000000", "54454c45015d"])
  func aHelloOfAnotherVersionMayHaveAnyLength(_ hello: String) async throws {
    let scenarios = try Scenario.read(
      "# A.\nrequirement: tele.hello.version\nrole: host\nsteps: [{send: HELLO, answer: OK}, {from: d, hex: \(hello)}]\n",
      path: "tele/hello/version.yaml", file: "s.yaml", suites: .all)
    #expect(scenarios.map(\.setup.carrier) == [.udp, .tcp])
    for scenario in scenarios {
      let result = try await SuiteRunner(ModelSystem(parsing: "model:host", in: .all)).run(Case(), of: scenario)
      #expect(result.sending.filter { !$0.breaches.isEmpty }.map(\.requirement) == [])
    }
  }

  /// Two HELLOs at the same opening: over UDP with one session_id they are right, over TCP there is one for each connection.
  @Test(
    "A client opens with one session_id over UDP, and with one HELLO a connection over TCP",
    arguments: sampled(
      [
        (Carrier.udp, true, nil), (.udp, false, "session_id 7"), (.tcp, true, "another one"),
        (.tcp, false, "session_id 7"),
      ], oneIn: 4))
  func theOpeningAsksOnce(_ carrier: Carrier, _ isSame: Bool, _ observed: String?) async throws {
    let scenario = try #require(
      try ScenarioFiles.all().first { $0.id == "tele.phone.pose-values" + (carrier == .udp ? "" : ".tcp") })
    let system = Saying(model: try ModelSystem(parsing: "model:phone", in: .all)) { log in
      guard
        let place = log.entries.firstIndex(where: { entry in
          guard case .replied(let bytes, _, _) = entry.what else { return false }
          return bytes.count >= 18
        }), case .replied(var bytes, let peer, let carrier) = log.entries[place].what
      else { return }
      let id = carrier == .tcp ? 8 : 6
      if !isSame { bytes.replaceSubrange(id..<id + 4, with: [7, 0, 0, 0]) }
      // Both go before anything answers; the one that lasts is the first.
      log.entries.insert(RunLog.Entry(log.entries[place].time, .replied(bytes, to: peer, over: carrier)), at: place + 1)
      if !isSame { log.entries.swapAt(place, place + 1) }
    }
    let result = try await SuiteRunner(system).run(Case(), of: scenario)
    let broken = result.sending.filter { !$0.breaches.isEmpty }
    let own = broken.first?.breaches.first?.observed
    #expect(broken.map(\.requirement) == (observed == nil ? [] : ["tele.phone.hello-form"]))
    if isSame { #expect(own == observed) } else { #expect(own?.hasPrefix("session_id ") == true) }
  }

  /// A session that is reported again goes on, and its poses with it; after its end they begin afresh.
  @Test(
    "A session that is reported again goes on",
    arguments: [(false, ["tele.phone.pose-seq"]), (true, [])] as [(Bool, [String])])
  func aSessionThatIsToldOfAgainGoesOn(_ hasEnded: Bool, _ broken: [String]) async throws {
    let found = try await self.broken("phone", "tele/phone/pose-seq.yaml") { log in
      let host = log.peers.endpoint(of: "host", at: .zero) ?? Endpoint(.loopback, port: 1)
      let opened = RunLog.Entry(Self.at, .event(.sessionOpened(host, sessionID: 1)))
      let closed = RunLog.Entry(Self.at, .event(.sessionClosed(host, sessionID: 1, .timeout)))
      log.entries = log.entries.map { entry in
        guard entry.time > Self.at, case .replied(var bytes, let peer, let carrier) = entry.what, bytes.count == 46
        else {
          return entry
        }
        // From then on seq counts from another number.
        bytes[7] ^= 0x40
        return RunLog.Entry(entry.time, .replied(bytes, to: peer, over: carrier))
      }
      log.entries.append(contentsOf: hasEnded ? [closed, opened] : [opened])
    }
    #expect(found.keys.sorted() == broken)
  }

  @Test("A right system breaks no rule")
  func aRightOneBreaksNothing() async throws {
    #expect(try await broken("host", "tele/bye/closes.yaml") { _ in } == [:])
    #expect(try await broken("phone", "tele/phone/pose-values.yaml") { _ in } == [:])
  }

  /// The row of a rule counts the runs of all others, names the one in which it was broken, and does nothing itself.
  @Test("The row of a rule that every run tests counts the runs of all other scenarios")
  func theRowThatIsJudgedInEveryRunCountsTheRunsOfAllOthers() async throws {
    let system = try ModelSystem(parsing: "model:phone+seq-by-two", in: .all)
    let scenarios = try ["tele/phone/bye.yaml", "tele/session/rate.yaml", "tele/haptic/zero-stops.yaml"].map(
      ScenarioFiles.read)
    let always = Suites.all.scenarios.filter { $0.id == "tele.phone.pose-seq.always" }
    let result = try await SuiteRunner(system).run(scenarios + always)
    let row = try #require(result.scenarios.last)
    #expect(row.scenario.id == "tele.phone.pose-seq.always")
    #expect(row.counts == [.fail: 3])
    #expect(row.ran.id == "tele.phone.bye")
    #expect(row.scenario.cases().isEmpty)
    #expect(!result.passes())
    // No other scenario ran, so this row was not run, either.
    let alone = try await SuiteRunner(system).run(always)
    #expect(alone.scenarios.map(\.verdict) == [.notRun])
  }
}
