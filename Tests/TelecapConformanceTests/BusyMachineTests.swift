import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

/// The verdicts on a run on the wall clock: of a slow system, on a machine that was late.
@Suite struct BusyMachineTests {
  /// A right model whose log is that of a run on the wall clock, with something else in it.
  private struct Late: SystemUnderTest {
    let model: ModelSystem
    let lateness: Nanoseconds
    let change: @Sendable (inout RunLog) -> Void
    var name: String { "late" }
    var parts: Set<Part> { model.parts }

    func run(_ script: Script) async throws -> RunLog {
      var log = try model.runNow(script)
      (log.lateness, log.settle) = (lateness, 75_000_000 + lateness)
      change(&log)
      log.entries.sort { $0.time < $1.time }
      return log
    }
  }

  private func result(
    _ role: String, _ scenario: Scenario, late milliseconds: Int64 = 5,
    _ change: @escaping @Sendable (inout RunLog) -> Void
  ) async throws -> CaseResult {
    let model = try ModelSystem(parsing: "model:\(role)", in: .all)
    let system = Late(model: model, lateness: milliseconds * 1_000_000, change: change)
    return try await SuiteRunner(system).run(scenario.cases()[0], of: scenario)
  }

  // MARK: - Steps that nothing distinguishes

  /// Buttons every 100 ms: what one of them was is known only where the system had its time to show it before the next.
  @Test(
    "A value that a late machine makes ambiguous is inconclusive",
    arguments: [(5, .fail), (20, .fail), (30, .inconclusive), (49, .inconclusive)] as [(Int64, Verdict)])
  func whatCannotBeToldApartIsInconclusive(_ lateness: Int64, _ verdict: Verdict) async throws {
    let scenario = try ScenarioFiles.read("mouse/buttons/latest-value-wins.yaml")
    let wrong = try await result("mouse-host", scenario, late: lateness) { log in
      log.entries.removeAll { if case .event(let event) = $0.what { event.buttons == 7 } else { false } }
    }
    #expect(wrong.verdict == verdict)
    #expect(wrong.isTooLate == (verdict == .inconclusive), "it is tried again")
    let right = try await result("mouse-host", scenario, late: lateness) { _ in }
    #expect(right.verdict == (verdict == .fail ? .pass : .inconclusive))
  }

  /// The sum shows in later values: none of it is lost.
  @Test("A sum gets its verdict from later values")
  func whatAddsUpCanBeJudgedLater() async throws {
    let scenario = try ScenarioFiles.read("mouse/pointer/sum.repeated.yaml")
    #expect(try await result("mouse-host", scenario, late: 40) { _ in }.verdict == .pass)
  }

  // MARK: - A host that conflates

  private static let burst = """
    # Poses in a burst, and some shortly before the end of their session.
    requirement: tele.pose.latest-value-wins
    role: host
    carrier: udp
    steps:
      - {at: 0s, from: a, send: HELLO, answer: OK}
      - {at: 200ms, from: a, send: POSE, with: {seq: [1, 2, 3]}, every: 5ms}
      - {at: 500ms, from: a, send: POSE, with: {seq: [4, 5]}, every: 200ms}
      - {at: 710ms, from: a, send: BYE}
      - {at: 1s, from: b, send: HELLO, answer: OK}
      - {at: 1200ms, from: b, send: POSE, with: {seq: 9}}
    expect:
      streams: [tele.pose.latest-value-wins]
      poses: [1, 2, 3, 4, 5, 9]
    """

  /// The newest of a burst must be applied, and each that nothing newer follows in its session; no other.
  @Test(
    "Only the newest of a burst need be applied",
    arguments: [
      ([1, 2], .pass), ([5], .pass), ([1, 2, 5], .pass), ([2], .pass), ([], .pass), ([3], .fail), ([4], .fail),
      ([9], .fail), ([1, 2, 3], .fail),
    ] as [(Set<UInt16>, Verdict)])
  func onlyTheNewestOfABurstNeedBeApplied(_ leftOut: Set<UInt16>, _ verdict: Verdict) async throws {
    let path = "tele/pose/latest-value-wins.burst.yaml"
    let scenario = try Scenario(Self.burst, path: path, file: path, suites: .all)
    let result = try await result("host", scenario) { log in
      log.entries.removeAll { entry in
        guard case .event(let event) = entry.what, let pose = event.appliedPose else { return false }
        return leftOut.contains(pose.seq)
      }
    }
    #expect(result.verdict == verdict, "\(leftOut): \(result.breaches)")
  }

  private static let sessions = """
    # A pose alone in one session, and in the next one of the same number in a burst.
    requirement: tele.pose.latest-value-wins
    role: host
    carrier: udp
    steps:
      - {at: 0s, from: a, send: HELLO, answer: OK}
      - {at: 200ms, from: a, send: POSE, with: {seq: [1, 5]}, every: 200ms}
      - {at: 800ms, from: a, send: BYE, with: {session_id: 99}}
      - {at: 900ms, from: a, send: BYE}
      - {at: 1s, from: a, send: HELLO, with: {session_id: 8}, answer: OK}
      - {at: 1200ms, from: a, send: POSE, with: {seq: [1, 2]}, every: 5ms}
      - {at: 1500ms, from: a, send: POSE, with: {seq: 7}}
      - {at: 1510ms, from: a, send: BYE, with: {session_id: 99}}
      - {at: 1800ms, from: a, send: POSE, with: {seq: 8}}
    expect:
      poses: [1, 5, 1, 2, 7, 8]
    """

  /// One session may leave out a value that another one of the same client may not; nor does a BYE of no session end
  /// one.
  @Test(
    "A burst does not extend over the end of its session",
    arguments: [(2, .pass), (0, .fail), (3, .fail), (4, .fail)] as [(Int, Verdict)])
  func aBurstIsThatOfOneSession(_ leftOut: Int, _ verdict: Verdict) async throws {
    let path = "tele/pose/latest-value-wins.sessions.yaml"
    let scenario = try Scenario(Self.sessions, path: path, file: path, suites: .all)
    let result = try await result("host", scenario) { log in
      let poses = log.entries.indices.filter {
        if case .event(let event) = log.entries[$0].what { event.appliedPose != nil } else { false }
      }
      log.entries.remove(at: poses[leftOut])
    }
    #expect(result.verdict == verdict, "\(leftOut): \(result.breaches)")
  }

  // MARK: - A phone that conflates

  private static let forces = """
    # Forces in a burst, alone, and shortly before the end of the connection.
    requirement: tele.haptic.latest-value-wins
    role: phone
    carrier: tcp
    steps:
      - {at: 1s, send: HAPTIC, with: {intensity: [0.25, 0.5, 0.25, 0.875]}, every: 10ms}
      - {at: 1300ms, send: HAPTIC, with: {intensity: 0.25}}
      - {at: 1600ms, send: HAPTIC, with: {intensity: 0.75}}
      - {at: 1630ms, close: true}
      - {at: 1900ms, open: true}
      - {at: 4s, send: HAPTIC, with: {intensity: 0.75}}
    end: 4500ms
    """

  /// A phone must play the newest force of a burst, and each force without a successor in its session; others are
  /// optional.
  @Test(
    "Only the newest of a burst of forces need be played",
    arguments: [
      ([], .pass), ([0, 1, 2], .pass), ([1], .pass), ([1, 2], .pass), ([5], .pass), ([3], .fail), ([4], .fail),
      ([6], .fail), ([0, 1, 2, 3], .fail),
    ] as [(Set<Int>, Verdict)], [false, true])
  func onlyTheNewestOfABurstOfForcesNeedBePlayed(_ leftOut: (Set<Int>, Verdict), _ hasImpacts: Bool) async throws {
    let expected =
      hasImpacts
      ? "impacts: [light, medium, light, heavy, light, heavy, heavy]"
      : "strengths: [0.25, 0.5, 0.25, 0.875, 0.25, 0.75, 0, 0.75]"
    let text = Self.forces + "\nimpacts: \(hasImpacts)\nexpect:\n  \(expected)\n"
    let path = "tele/haptic/latest-value-wins.burst.yaml"
    let result = try await result("phone", try Scenario(text, path: path, file: path, suites: .all)) { log in
      let played = log.entries.indices.filter { place in
        switch log.entries[place].what {
        case .event(let event): event.impact != nil || (event.appliedStrength ?? 0) > 0
        default: false
        }
      }
      for place in leftOut.0.sorted(by: >) { log.entries.remove(at: played[place]) }
    }
    #expect(result.verdict == leftOut.1, "\(leftOut): \(result.breaches) \(result.reason)")
  }

  // MARK: - Words that come late, and rounded ones

  private static let again = """
    # A connection, and another one shortly behind its end.
    requirement: tele.pose.latest-value-wins
    role: host
    carrier: tcp
    steps:
      - {at: 0s, from: a, send: HELLO, answer: OK}
      - {at: 200ms, from: a, send: POSE, with: {seq: 7, timestamp_us: 3963238954047668790}}
      - {at: 500ms, from: a, close: true}
      - {at: 505ms, from: b, send: HELLO, answer: OK}
      - {at: 510ms, from: b, send: POSE, with: {seq: 3}}
      - {at: 800ms, from: b, send: POSE, with: {seq: 4}}
    """

  private func again(_ change: @escaping @Sendable (inout RunLog) -> Void) async throws -> CaseResult {
    let path = "tele/pose/latest-value-wins.again.yaml"
    return try await result("host", try Scenario(Self.again, path: path, file: path, suites: .all), change)
  }

  @Test("The end of a session may be reported after the next has begun")
  func theEndOfASessionMayBeToldWhenTheNextHasBegun() async throws {
    let result = try await again { log in
      let end = log.entries.firstIndex { if case .event(.sessionClosed) = $0.what { true } else { false } }
      if let end { log.entries[end].time = log.entries[end].time.advanced(byNanoseconds: 8_000_000) }
    }
    #expect(result.verdict == .pass, "\(result.breaches)")
  }

  private static let replaced = """
    # A phone leaves and begins anew from the same address.
    requirement: tele.pose.latest-value-wins
    role: host
    carrier: udp
    steps:
      - {at: 0s, send: HELLO, with: {session_id: 7}, answer: OK}
      - {at: 200ms, send: POSE, with: {seq: 100}}
      - {at: 495ms, send: BYE, with: {session_id: 7}}
      - {at: 500ms, send: HELLO, with: {session_id: 8}, answer: OK}
      - {at: 700ms, send: POSE, with: {seq: 3}}
      - {at: 900ms, send: POSE, with: {seq: 4}}
    """

  @Test("The end of a session may be reported after the next with the same id has begun")
  func theEndOfASessionMayBeToldWhenTheNextOfTheSameHasBegun() async throws {
    let path = "tele/pose/latest-value-wins.replaced.yaml"
    let scenario = try Scenario(Self.replaced, path: path, file: path, suites: .all)
    let result = try await result("host", scenario) { log in
      let end = log.entries.firstIndex { if case .event(.sessionClosed) = $0.what { true } else { false } }
      if let end { log.entries[end].time = log.entries[end].time.advanced(byNanoseconds: 8_000_000) }
    }
    #expect(result.verdict == .pass, "\(result.breaches)")
  }

  /// A pose 110 ms before the end of its session: ignored it is a fault, where the machine let its host settle.
  @Test(
    "A pose before the end of a session is inconclusive if its host had no time to settle",
    arguments: [(5, .fail), (49, .inconclusive)] as [(Int64, Verdict)])
  func whatEndsBeforeItSettledIsInconclusive(_ lateness: Int64, _ verdict: Verdict) async throws {
    let text = Self.burst.replacing("  poses: [1, 2, 3, 4, 5, 9]", with: "").replacing("710ms", with: "810ms")
    let path = "tele/pose/latest-value-wins.end.yaml"
    let scenario = try Scenario(text, path: path, file: path, suites: .all)
    let result = try await result("host", scenario, late: lateness) { log in
      log.entries.removeAll { if case .event(let event) = $0.what { event.appliedPose?.seq == 5 } else { false } }
    }
    #expect(result.verdict == verdict, "\(result.reason) \(result.breaches)")
  }

  /// A double represents only every 512th number of that size.
  @Test(
    "A number that no double represents may be rounded to the nearest one",
    arguments: [(0, .pass), (512, .pass), (1_000_000, .fail)] as [(UInt64, Verdict)])
  func whatNoDoubleHoldsMayBeRounded(_ off: UInt64, _ verdict: Verdict) async throws {
    let result = try await again { log in
      for index in log.entries.indices {
        guard case .event(let event) = log.entries[index].what, var pose = event.appliedPose, pose.seq == 7 else {
          continue
        }
        pose.timestampMicroseconds += off
        log.entries[index].what = .event(.poseApplied(pose))
      }
    }
    #expect(result.verdict == verdict, "\(result.breaches)")
  }

  // MARK: - Clicks that are told late

  private static func isControl(_ what: RunLog.What) -> Bool {
    if case .replied(_, _, .tcp) = what { true } else { false }
  }

  /// How the packets with a mouse's clicks arrive: unchanged, each 180 ms late, without the fifth, without the last.
  enum DeviceOutputExpectation: CaseIterable { case asTheyCame, late, withoutFifth, withoutLast, cutOff }

  @Test("Clicks are tested by their order, and not by their times", arguments: DeviceOutputExpectation.allCases)
  func aClickIsToldInItsOrderAndNobodySaysHowSoon(_ telling: DeviceOutputExpectation) async throws {
    let result = try await result("mouse", try ScenarioFiles.read("mouse/sender/form.clicks.yaml")) { log in
      let controls = log.entries.indices.filter { Self.isControl(log.entries[$0].what) }
      switch telling {
      case .asTheyCame: return
      case .late:
        for place in controls { log.entries[place].time = log.entries[place].time.advanced(byNanoseconds: 180_000_000) }
      case .withoutFifth: log.entries.remove(at: controls[4])
      case .withoutLast: log.entries.remove(at: controls[controls.count - 1])
      case .cutOff:
        let last = log.entries.remove(at: controls[controls.count - 1])
        log.end = last.time.advanced(byNanoseconds: 200_000_000)
      }
    }
    let expected: Verdict =
      switch telling {
      case .asTheyCame, .late: .pass
      case .withoutFifth, .withoutLast: .fail
      case .cutOff: .inconclusive
      }
    #expect(result.verdict == expected, "\(telling): \(result.breaches)")
  }
}
