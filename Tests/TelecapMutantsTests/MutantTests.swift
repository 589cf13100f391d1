import Foundation
import TelecapConformance
@testable import TelecapMutants
import TelecapReplay
import TelecapSuites
import TelecapTestSupport
import Testing

/// The mutants themselves: that they are there, and that what is put around a right model changes nothing by itself.
@Suite struct MutantTests {
  /// Read once: a debug build takes more than a second for them.
  fileprivate static let scenarios = Result {
    try ScenarioFolder(Project.file("Scenarios").path).read() + Mutants.declaredScenarios
  }

  private static func runner(_ isOf: (Scenario) -> Bool = { _ in true }) throws -> MutantRunner {
    try MutantRunner(scenarios.get().filter(isOf), casesEach: 2)
  }

  @Test("There are at least 1,500 mutants, each with its own name")
  func names() {
    let names = Mutants.all.map(\.name)
    #expect(names.count >= 1_500)
    let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(twice == [])
  }

  @Test("The mutants cover every operator, and every role over every transport")
  func kinds() {
    #expect(Set(Mutants.all.map(\.kind)) == Set(Operator.allCases))
    let ends = Set(Mutants.all.map(\.end))
    #expect(
      ends == [
        "host/udp", "host/tcp", "phone/udp", "phone/tcp", "host/ble", "phone/ble", "mouse-host/udp", "mouse-host/tcp",
        "mouse/udp", "mouse/tcp",
        "mouse/hid", "dsu-host/udp", "dsu-client/udp", "drone-host/udp", "drone-client/udp", "teleop-host/udp",
        "teleop-client/udp", "audio", "senses", "touch", "haptics", "ahap",
      ])
  }

  @Test("The names of mutants in others' lists never change")
  func stable() {
    let names = Set(Mutants.all.map(\.name))
    for name in [
      "host/udp/in/POSE.seq/byte-order", "host/tcp/in/POSE.x/doubled", "host/udp/shown/POSE.seq/greater",
      "phone/udp/out/POSE.timestamp_us/previous", "phone/udp/shown/strength/queued", "host/udp/timer/session/halved",
      "mouse-host/udp/shown/pointer/left-edge-not-there", "mouse/udp/out/split/x-rest-lost",
      "mouse/hid/out/REPORT.delta_x/byte-order", "host/tcp/in/stream/piece-is-message",
      "audio/asked/source.position.x/negated", "senses/sometimes/reverses/second",
      "touch/asked/sample.force/plus-step", "haptics/armed/audio-latency/ignored", "ahap/asked/point.time/doubled",
    ] { #expect(names.contains(name), "\(name)") }
  }

  @Test(
    "A mutant without a change is the right model, and passes",
    arguments: sampled(
      [
        PartModel.host, .phone, .mouse, .mouseHost, .audio, .senses, .touch, .haptics, .ahap,
      ], oneIn: 9))
  func unchanged(_ model: PartModel) throws {
    let fate = try MutantTests.runner().fate(of: Mutants.unchanged(model))
    guard case .survived(_, let inconclusive) = fate else {
      Issue.record("\(model): \(fate)")
      return
    }
    #expect(inconclusive == [])
  }

  @Test(
    "These mutants are caught, by a requirement about their change",
    arguments: sampled(
      [
        ("host/udp/in/POSE.seq/byte-order", "tele.pose.latest-value-wins"),
        ("host/udp/shown/POSE.seq/greater", "tele.pose.latest-value-wins"),
        ("host/udp/shown/pose/duplicate-applied", "tele.pose.duplicate"),
        ("host/udp/in/HELLO.code/any", "tele.hello.bad-code"),
        ("host/udp/timer/session/never", "tele.session.timeout"),
        ("host/udp/out/HAPTIC.intensity/negated", "tele.haptic.sender-range"),
        ("phone/udp/shown/strength/not-held-high", "tele.haptic.clamp-high"),
        ("phone/udp/shown/session/motor-left-on", "tele.session.safe-on-loss"),
        ("phone/udp/timer/hello/doubled", "tele.session.rate"),
        ("mouse-host/udp/shown/buttons/all-bits-count", "mouse.buttons.reserved"),
        ("mouse-host/tcp/in/stream/piece-is-message", "mouse.control.stream"),
        ("mouse/udp/out/split/x-full-is-minus-128", "mouse.clamp.never-minus-128"),
        ("mouse/hid/out/REPORT.delta_x/byte-order", "mouse.hid.layout"),
        ("audio/set-up/space.scale/plus-step", "audio.scale"),
        ("audio/asked/listener.head.y/negated", "audio.head"),
        ("audio/sometimes/places-stereo/second", "audio.mono"),
        ("senses/asked/conditions.thermal/fair-is-serious", "senses.degrade"),
        ("senses/shown/pattern.rumble/minus-step", "senses.map.sharpness"),
        ("senses/sometimes/keeps-latest-only/serious", "senses.drain"),
        ("touch/asked/sample.force/plus-step", "touch.trace.light"),
        ("touch/set-up/views.children/back-to-front", "touch.texture.edges"),
        ("touch/sometimes/medium-first/later-touch", "touch.texture.scroll"),
        ("haptics/asked/multi.frequency/plus-step", "haptics.pattern.multi"),
        ("haptics/asked/over/lost-after-reset", "haptics.engine.restart"),
        ("haptics/armed/haptic-latency/doubled", "haptics.sync.future-scheduling"),
        ("ahap/asked/event.type/any-case", "ahap.parse.malformed"),
        ("ahap/asked/json/comment", "ahap.parse.malformed"),
        ("ahap/asked/points/not-beyond-16", "ahap.curve.interpolation"),
        ("dsu-client/udp/in/PAD.accel_x/sign-lost", "dsu.pad.values"),
        ("dsu-client/udp/in/header.magic/any-in-place-3", "dsu.header.magic"),
        ("dsu-client/udp/shown/pad/first-lost", "dsu.pad.latest-value-wins"),
        ("dsu-host/udp/in/RUMBLE.slot/ignored", "dsu.rumble.latest-value-wins"),
        ("dsu-host/udp/shown/rumble/late", "dsu.rumble.latest-value-wins"),
        ("drone-host/udp/in/BUTTON.code/cut-8", "drone.button.values"),
        ("drone-host/udp/in/TRIM.step/sign-lost", "drone.trim.sum"),
        ("drone-host/udp/in/LEAVE.token/first-kept", "drone.telemetry.sender-session"),
        ("drone-host/udp/shown/snap/twice", "drone.snap.once"),
        ("drone-client/udp/out/JOIN/all-but-first-lost", "drone.session.keepalive"),
        ("teleop-client/udp/in/ACK.status/BUSY-as-OK", "teleop.haptic.needs-session"),
        ("teleop-host/udp/in/POSE.qx/sign-lost", "teleop.pose.values"),
        ("teleop-host/udp/in/BYE.session_id/ignored", "teleop.session.accept"),
      ], oneIn: 7))
  func caught(_ name: String, by requirement: String) throws {
    let mutant = try #require(Mutants.all.first { $0.name == name })
    let runner = try MutantTests.runner { $0.requirement.id == requirement }
    guard case .killed(_, let by) = try runner.fate(of: mutant) else {
      Issue.record("\(name) is not caught by \(requirement)")
      return
    }
    #expect(by == requirement)
  }

  @Test("A requirement's own mutant is one that no other catches, or else the nearest is named")
  func onlyWitnesses() async throws {
    let runner = try MutantTests.runner { $0.requirement.id.hasPrefix("tele.pose.") }
    func only(_ names: String...) async throws -> OnlyWitnesses {
      let mutants = try names.map { name in
        try #require(Mutants.all.first { $0.name == "host/udp/shown/pose/\(name)" })
      }
      let fates = try await runner.fates(of: mutants, jobs: 2)
      return try await OnlyWitnesses(
        of: ["tele.pose.duplicate", "tele.cmd.unknown"], mutants, fates, runner, jobs: 2)
    }
    let own = try await only("duplicate-applied", "third-copy-applied")
    #expect(own.rows[0].isAlone && own.rows[0].mutant?.name == "host/udp/shown/pose/third-copy-applied")
    #expect(own.missing.map(\.requirement) == ["tele.cmd.unknown"])
    let nearest = try await only("duplicate-applied").rows[0]
    #expect(!nearest.isAlone && nearest.mutant?.name == "host/udp/shown/pose/duplicate-applied")
    #expect(nearest.others == ["tele.pose.latest-value-wins", "tele.pose.non-finite"])
  }

  @Test("Each requirement that must catch a mutant exists")
  func requirements() {
    let known = Set(Suites.all.requirements.map(\.id))
    #expect(Set(Mutants.all.flatMap(\.requirements)).subtracting(known).sorted() == [])
  }

  @Test("Each row of requirements matches a mutant")
  func rows() {
    let names = Mutants.all.map(\.name)
    #expect(PlaceRequirements.rows.filter { row in !names.contains(where: row.pattern.matches) }.map(\.pattern) == [])
  }

  @Test("A pattern matches whole names")
  func globs() {
    #expect(Glob("host/*/in/*").matches("host/udp/in/POSE.x/doubled"))
    #expect(!Glob("host/*/in").matches("host/udp/in/POSE.x/doubled"))
    #expect(!Glob("ab*ba").matches("aba"))
    #expect(Glob("a*b*c").matches("a-b-b-c"))
    #expect(!Glob("a*b*c").matches("a-c"))
    #expect(Glob("a").matches("a") && !Glob("a").matches("ab"))
  }
}

/// The list of mutants that are equivalent.
@Suite struct EquivalentTests {
  private static let file = Project.file("Tests/Mutants/equivalent.txt")

  @Test("Each line of the equivalents matches mutants, and no scenario catches a sample of them")
  func honest() throws {
    let list = try Equivalents(try String(contentsOf: EquivalentTests.file, encoding: .utf8), file: "equivalent.txt")
    let names = Mutants.all.map(\.name)
    #expect(list.wrong(after: [:], all: names, file: "equivalent.txt") == [])
    let runner = try MutantRunner(MutantTests.scenarios.get(), casesEach: 1)
    let listed = Mutants.all.filter { list.holds($0.name) }
    for mutant in stride(from: 0, to: listed.count, by: max(1, listed.count / 6)).map({ listed[$0] }) {
      #expect(!(try runner.fate(of: mutant).isKilled), "\(mutant) is in the list, and is caught")
    }
  }

  @Test("A line without a mutant, about a killed one, or without a reason is an error")
  func wrong() throws {
    let list = try Equivalents("# why\n\na/*\tno difference\nb\tnor here\n", file: "e.txt")
    #expect(list.holds("a/1") && !list.holds("c"))
    let fates: [String: Fate] = [
      "a/1": .killed(by: "s.one", requirement: "r"), "a/2": .survived(isReached: true, inconclusive: []),
    ]
    #expect(
      list.wrong(after: fates, all: ["a/1", "a/2", "c"], file: "e.txt") == [
        "e.txt:3: a/1 is no equivalent: s.one catches it", "e.txt:4: no mutant is called b",
      ])
    #expect(throws: Equivalents.Problem.self) { try Equivalents("a/*", file: "e.txt") }
  }
}

/// The printed result of a run.
@Suite struct ScoreTests {
  @Test("The score leaves out equivalent mutants, and groups survivors by place with the reason")
  func score() throws {
    let names = [
      "host/udp/in/POSE.x/doubled", "host/udp/in/POSE.x/halved", "host/udp/in/POSE.x/negated",
      "host/udp/in/POSE.x/plus-step", "host/udp/in/HELLO.code/any",
    ]
    let mutants = try names.map { name in try #require(Mutants.all.first { $0.name == name }) }
    let fates: [String: Fate] = [
      names[0]: .survived(isReached: true, inconclusive: []), names[1]: .survived(isReached: false, inconclusive: []),
      names[2]: .survived(isReached: true, inconclusive: []), names[3]: .survived(isReached: true, inconclusive: []),
      names[4]: .killed(by: "tele.robust.mutations", requirement: "tele.robust.mutations"),
    ]
    let list = try Equivalents("*/plus-step\tno difference", file: "e.txt")
    let score = Score(mutants, fates, list)
    #expect(score.summary == "5 mutants: 1 caught, 1 equivalent, 3 survived, 1 of them never reached")
    #expect(
      score.lines == [
        "caught by tele.robust.mutations, which its place does not name: host/udp/in/HELLO.code/any",
        "survived: host/udp/in/POSE.x/ doubled negated", "survived (never reached): host/udp/in/POSE.x/ halved",
      ])
    let rows = score.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.first == ["host/udp", "all"])
    #expect(rows.contains(["scaled", "0/3", "0/3"]))
    #expect(rows.contains(["step", "–", "–"]))
    #expect(rows.last == ["all", "1/4", "1/4"])
  }
}
