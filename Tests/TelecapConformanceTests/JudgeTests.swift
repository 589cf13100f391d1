import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import Testing

/// The results of a run whose system breaks or shows too little, or whose messages were sent too late.
@Suite struct JudgeTests {
  /// A system that answers nothing, shows nothing, and may break.
  private struct Deaf: SystemUnderTest {
    let name = "deaf"
    let part: Part
    var parts: Set<Part> { [part] }
    var shows: Set<Observable> = []
    var breaks = false
    var tooLate: String?
    var refuses: String?

    func unsupported(_ setup: Setup, actions: [Action]) -> String? { refuses }

    func run(_ script: Script) async throws -> RunLog {
      var log = RunLog(shows: shows)
      log.end = script.end
      log.tooLate = tooLate
      if breaks { log.note(.broke("exit status 139 after 0.2 s"), at: Timestamp(nanoseconds: 200_000_000)) }
      return log
    }
  }

  private func run(_ system: Deaf, _ path: String) async throws -> ScenarioResult {
    let suite = try await SuiteRunner(system).run([try ScenarioFiles.read(path)])
    #expect(suite.passes() == false)
    return try #require(suite.scenarios.first)
  }

  @Test("A value that is not shown is inconclusive and never passes")
  func whatIsNotShownIsInconclusiveAndNeverPassed() async throws {
    let poses = try await run(Deaf(part: .host), "tele/pose/non-finite.yaml")
    #expect(poses.verdict == .fail, "the HELLO got no ACK, which shows on the wire")
    let strength = try await run(Deaf(part: .phone), "tele/haptic/clamp-high.yaml")
    #expect(strength.verdict == .inconclusive)
    #expect(strength.shown.reason.contains("the system does not show how strongly its motor runs"))
    let stream = try await run(Deaf(part: .phone), "tele/haptic/not-a-number.yaml")
    #expect(stream.verdict == .inconclusive)
    let pointer = try await run(Deaf(part: .mouseHost), "mouse/pointer/screen.yaml")
    #expect(pointer.verdict == .inconclusive)
  }

  /// Our host, which also acknowledges BYE.
  private struct AcksBye: SystemUnderTest {
    let model: ModelSystem
    var name: String { "acks-bye" }
    var parts: Set<Part> { model.parts }

    func run(_ script: Script) async throws -> RunLog {
      var log = try model.runNow(script)
      let ack = log.entries.first { if case .replied = $0.what { true } else { false } }
      let bye = log.entries.firstIndex { entry in
        if case .delivered(_, 2, _, _, _) = entry.what { true } else { false }
      }
      if let ack, let bye { log.entries.insert(RunLog.Entry(log.entries[bye].time, ack.what), at: bye + 1) }
      return log
    }
  }

  @Test("An ACK for a message that asks for none is reported as such")
  func anAnswerToWhatAsksForNoneIsCalledThat() async throws {
    let system = AcksBye(model: try ModelSystem(parsing: "model:host", in: .all))
    let result = try await SuiteRunner(system).run(Case(), of: try ScenarioFiles.read("tele/bye/closes.yaml"))
    // The scenario's requirement passed; one that every run tests failed.
    #expect(result.breaches == [])
    let breach = try #require(result.sending.first { $0.requirement == "tele.hello.ack-form" }?.breaches.first)
    #expect(breach.expected == "an ACK of 8 bytes for a HELLO")
    #expect(breach.observed == "a got an ACK for no HELLO")
    #expect(breach.time == Timestamp(nanoseconds: 200_000_000))
  }

  /// Our mouse, which says something else of what it clamps, or shows nothing of what it says.
  private struct Misspeaks: SystemUnderTest {
    let model: ModelSystem
    /// The event that it shows; nil: none.
    let words: PeerEvent?
    var name: String { "misspeaks" }
    var parts: Set<Part> { model.parts }

    func run(_ script: Script) async throws -> RunLog {
      var log = try model.runNow(script)
      guard let words else {
        log.shows.remove(.clampings)
        return log
      }
      for index in log.entries.indices {
        if case .event(let event) = log.entries[index].what, event.clamping != nil {
          log.entries[index].what = .event(words)
        }
      }
      return log
    }
  }

  @Test(
    "A mouse that clamps must report it with the clamped values",
    arguments: [
      (nil, .inconclusive), (.clamped(deltaX: 1, deltaY: 1, scroll: 1), .fail),
      (.clamped(deltaX: nil, deltaY: nil, scroll: nil), .pass),
    ] as [(PeerEvent?, Verdict)])
  func aMouseSaysWhatItClampedAndToWhat(_ words: PeerEvent?, _ verdict: Verdict) async throws {
    let system = Misspeaks(model: try ModelSystem(parsing: "model:mouse", in: .all), words: words)
    let result = try await SuiteRunner(system).run([try ScenarioFiles.read("mouse/split/sum.yaml")])
    #expect(result.scenarios.first?.verdict == verdict)
  }

  @Test("An intentionally invalid message counts neither as lost nor as another stream's")
  func whatWasMeantToBeWrongIsNeitherLostNorOfAnotherStream() async throws {
    let host = try ModelSystem(parsing: "model:host", in: .all)
    let result = try await SuiteRunner(host).run(Case(), of: try ScenarioFiles.read("tele/robust/mutations.yaml"))
    let fidelity = result.measures.fidelity
    #expect(fidelity.sent > 1_000 && fidelity.invalid > 100)
    #expect(fidelity.sent == fidelity.delivered + fidelity.invalid)
  }

  @Test(
    "A failed list of values names the time of the first difference",
    arguments: [
      ("tele/haptic/impact-mapping.yaml", "one-impact", 1_300), ("tele/haptic/clamp-high.yaml", "no-clamp", 0),
    ])
  func aListBreaksWhereItDiffers(_ path: String, _ fault: String, _ milliseconds: Int64) async throws {
    let phone = try ModelSystem(parsing: "model:phone+\(fault)", in: .all)
    let result = try await SuiteRunner(phone).run(Case(), of: try ScenarioFiles.read(path))
    let time = try #require(result.breaches.first?.time)
    if milliseconds > 0 { #expect(time == Timestamp(nanoseconds: milliseconds * 1_000_000)) }
    #expect(time < (try #require(result.log)).end)
  }

  @Test("A system that crashes fails with its exit status")
  func aSystemThatBreaksFailsWithWhatWasSeen() async throws {
    let result = try await run(Deaf(part: .phone, breaks: true), "tele/haptic/clamp-high.yaml")
    #expect(result.verdict == .fail)
    #expect(result.shown.isBroken)
    #expect(result.shown.breaches.first?.observed == "exit status 139 after 0.2 s")
  }

  @Test("A message that was sent too late makes the result inconclusive")
  func aSenderThatWasTooLateProvesNothing() async throws {
    let late = Deaf(part: .phone, shows: [.strength], tooLate: "the sender was 80 ms late")
    let result = try await run(late, "tele/haptic/clamp-high.yaml")
    #expect(result.verdict == .inconclusive)
    #expect(result.shown.reason == "the sender was 80 ms late")
  }

  /// A run of our host, which applies poses in the order of arrival, tested by its traffic alone.
  private func overheard(_ path: String, _ change: (inout RunLog) -> Void) throws -> [String: CaseResult] {
    let scenario = try ScenarioFiles.read(path)
    let script = scenario.script(for: Case())
    var log = try ModelSystem(parsing: "model:host+order-of-arrival", in: .all).runNow(script)
    change(&log)
    let scenarios = Scenario.ofTraffic("", scenario.setup, .none, seed: 1, end: log.end, in: .all)
    let results = Judge.judge(log, script, for: scenarios)
    return Dictionary(uniqueKeysWithValues: results.map { ($0.scenario.id, $0.shown) })
  }

  @Test("Results that do not depend on time remain on a machine that was too late")
  func ofTrafficAMachineThatWasTooLateLeavesWhatDoesNotRestOnTime() throws {
    let words = "this machine woke up to 80 ms late"
    let poses = try overheard("tele/pose/latest-value-wins.yaml") { $0.tooLate = words }
    #expect(poses["tele.pose.latest-value-wins"]?.verdict == .fail)
    #expect(poses["tele.hello.ack-form"]?.verdict == .pass)
    let forces = try overheard("tele/haptic/sender-range.yaml") { $0.tooLate = words }
    #expect(forces["tele.haptic.sender-range"]?.verdict == .pass)
    let timed = forces["tele.haptic.sender-session"]
    #expect(timed?.verdict == .inconclusive && timed?.reason == words && timed?.isTooLate == true)
    // A requirement that was not exercised has no result, late or not.
    #expect(poses["tele.haptic.sender-session"] == nil)
    let jumped = try overheard("tele/pose/latest-value-wins.yaml") {
      ($0.clockJump, $0.tooLate) = ("the clock jumped", "the clock jumped")
    }
    #expect(jumped.values.allSatisfy { $0.verdict == .inconclusive && $0.reason == "the clock jumped" })
  }

  /// Our host, which somebody breaks off when it is to be a phone.
  private struct Cut: SystemUnderTest {
    let name = "cut"
    let parts: Set<Part> = [.host, .phone]

    func run(_ script: Script) async throws -> RunLog {
      if script.setup.part == .phone { throw CancellationError() }
      return try ModelSystem(.host).runNow(script)
    }
  }

  @Test("After an interruption the cases that ran have results, and the others are not run")
  func whatWasBrokenOffIsNotRunAndWhatWasDoneIsTold() async throws {
    let paths = ["tele/haptic/clamp-high.yaml", "tele/bye/closes.yaml"]
    let scenarios = try paths.map { try ScenarioFiles.read($0) }
    var told: [String] = []
    let result = try await SuiteRunner(Cut(), jobs: 2).run(scenarios) { told.append($0.scenario.id) }
    #expect(told == scenarios.map(\.id) && result.scenarios.map(\.verdict) == [.notRun, .pass])
    #expect(result.scenarios.first?.shown.reason == "it had not run when the suite was broken off")
    #expect(result.isBrokenOff && !result.passes())
    var runner = SuiteRunner(ModelSystem(.host))
    runner.isBrokenOff = { true }
    let none = try await runner.run(Array(scenarios.suffix(1)))
    #expect(none.isBrokenOff && none.scenarios.map(\.verdict) == [.notRun])
  }

  @Test("A scenario that a system refuses is unsupported")
  func whatASystemDoesNotDoIsUnsupported() async throws {
    let result = try await run(Deaf(part: .phone, refuses: "it has no TCP"), "tele/tcp/framing.phone.yaml")
    #expect(result.verdict == .unsupported)
    #expect(result.shown.reason == "it has no TCP")
    #expect(result.counts == [.unsupported: 10])
  }

  @Test("A scenario of another role is not run")
  func aScenarioOfAnotherRoleIsNotRun() async throws {
    let result = try await run(Deaf(part: .mouse), "tele/haptic/clamp-high.yaml")
    #expect(result.verdict == .notRun)
  }

  @Test("A scenario with passes and failures is flaky, and shows the failed case")
  func flakyIsItsOwnWord() throws {
    let scenario = try ScenarioFiles.read("tele/pose/latest-value-wins.grid.yaml")
    var result = ScenarioResult(scenario, CaseResult(of: Case(seed: 1), .pass))
    #expect(!result.isFlaky)
    result.add(CaseResult(of: Case(seed: 2), .fail))
    #expect(result.isFlaky)
    #expect(result.shown.case.seed == 2)
    #expect(result.counts == [.pass: 1, .fail: 1])
  }

  @Test("Stale values are measured and get no verdict")
  func staleValuesAreMeasuredAndNotJudged() async throws {
    var scenario = try ScenarioFiles.read("tele/pose/latest-value-wins.grid.yaml")
    scenario.combinations = [try Impairments(parsing: "--delay 50ms --loss 20%")]
    let result = try await SuiteRunner(ModelSystem(.host)).run(
      Case(impairments: scenario.combinations[0]), of: scenario)
    #expect(result.verdict == .pass)
    let mean = try #require(result.measures.ageMean)
    #expect((50_000_000...80_000_000).contains(mean))
    #expect(try #require(result.measures.poseError) > 0)
    #expect(result.measures.fidelity.applied < result.measures.fidelity.sent)
    #expect(try #require(result.rates).lost > 0)
  }

  @Test("The first failure of a grid is shown and can be repeated")
  func theFirstFailureOfAGridIsShownAndCanBeRepeated() async throws {
    let system = try ModelSystem(parsing: "model:host+order-of-arrival", in: .all)
    let scenario = try ScenarioFiles.read("tele/pose/latest-value-wins.grid.yaml")
    var thin = scenario
    thin.combinations = Array(scenario.combinations.suffix(2))
    let result = try #require(try await SuiteRunner(system, jobs: 2).run([thin]).scenarios.first)
    #expect(result.verdict == .fail)
    let again = try await SuiteRunner(system).run(result.shown.case, of: scenario)
    #expect(again.breaches == result.shown.breaches)
  }

  @Test("The error for an unknown model or fault names the one that was probably meant")
  func anUnknownModelOrFaultIsNamedWithTheOneMeant() {
    func words(_ text: String) -> String {
      do throws(SystemNameError) {
        return try ModelSystem(parsing: text, in: .all).name
      } catch {
        return error.description
      }
    }
    #expect(words("model:phone+no-clamp") == "model:phone+no-clamp")
    #expect(words("model:phnoe") == "no model \"model:phnoe\"; did you mean model:phone?")
    #expect(words("model:phone+noclamp") == "phone has no mutant \"noclamp\"; did you mean no-clamp?")
  }
}
