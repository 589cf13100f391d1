import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapText
import Testing

/// The rules that are inferred from a program's output in one session, without a program.
@Suite("Learning how a program shows what it does")
struct LearnerTests {
  /// A host that prints JSON in its own shapes.
  private static func json(_ event: PeerEvent) -> [String] {
    if let pose = event.appliedPose {
      let (x, y, z) = (pose.position.x, pose.position.y, pose.position.z)
      return ["{\"kind\":\"arm\",\"to\":{\"p\":[\(x),\(y),\(z)]},\"n\":\(pose.seq)}"]
    }
    if let pose = event.droppedPose, pose.isFinite {
      return ["{\"kind\":\"late\",\"to\":{\"p\":[\(pose.position.x),0,0]},\"n\":\(pose.seq)}"]
    }
    if let command = event.changingCommand {
      return ["{\"kind\":\"key\",\"key\":\"\(command.type == 1 ? "rec" : "keep")\",\"down\":\(command.value == 1)}"]
    }
    return switch event {
    case .sessionOpened(let end, let id): ["{\"kind\":\"up\",\"of\":\"\(end)\",\"id\":\(id)}"]
    case .sessionClosed(_, _, let reason):
      ["{\"kind\":\"down\",\"why\":\"\(reason == .teardown ? "left" : "silent")\"}"]
    default: []
    }
  }

  @Test(
    "The source of the output is written and read back",
    arguments: [.stdout, .stderr, .file("a b.jsonl"), .udp(0), .udp(4_000)] as [SystemFile.Source])
  func sources(_ source: SystemFile.Source) throws {
    let host = try LearnedHost()
    var learned = host.learn(host.lines(Self.json))
    for index in learned.rules.indices { learned.rules[index].source = source }
    #expect(try host.file(learned).sources == [source])
  }

  @Test("The rules are readable text with comments, as a person would write them")
  func rules() throws {
    let host = try LearnedHost()
    let lines = host.lines(Self.json)
    let learned = host.learn(lines)
    #expect(learned.missing == [])
    let text = SystemText(
      comments: ["A host."], entries: [SystemText.Entry("role", "host", ["Its part."])], learned: learned
    ).text
    let bare = text.split(separator: "\n").filter { !$0.contains("#") }.joined(separator: "\n")
    #expect(
      bare == """
        role: host
        shows:
          from: stdout
          events:
            - is: pose
              when: {kind: arm}
              fields:
                seq: n
                x: to.p.0
                y: to.p.1
                z: to.p.2
            - is: command
              when: {kind: key}
              fields:
                cmd_type: {path: key, words: {rec: 1, keep: 2}}
                value: down
            - is: session-opened
              when: {kind: up}
              fields:
                peer: of
                session_id: id
            - is: session-closed
              when: {kind: down}
              fields:
                reason: {path: why, words: {left: bye, silent: timeout}}
        """)
    #expect(text.contains("# All 19 shown; the first: {\"kind\":\"arm\""))
    #expect(text.contains("# not shown: timestamp_us, movement_start, qx, qy, qz, qw"))
    let (events, mapping) = host.read(lines, by: try host.file(learned))
    #expect(events.compactMap(\.appliedSeq) == host.applied)
    #expect(mapping.notices == [])
  }

  @Test("Over TCP a session is learned to end with its connection")
  func overTCP() throws {
    let host = try LearnedHost(over: .tcp)
    let learned = host.learn(
      host.lines { event in
        guard case .sessionClosed(_, _, let reason) = event else { return Self.json(event) }
        return ["{\"kind\":\"down\",\"why\":\"\(reason == .teardown ? "left" : "cut")\"}"]
      })
    #expect(learned.missing == [])
    let words = learned.rules.last?.rule.fields["reason"]?.words
    #expect(words?.compactMapValues(\.string) == ["left": "bye", "cut": "disconnected"])
  }

  @Test("A written file is read again with the learned rules")
  func roundTrip() throws {
    let host = try LearnedHost()
    let learned = host.learn(host.lines(Self.json))
    let file = try host.file(learned)
    #expect(file.sources == learned.sources)
    #expect(file.rules.map(\.kind) == learned.rules.map(\.rule.kind))
    for (read, found) in zip(file.rules, learned.rules.map(\.rule)) {
      #expect(read.conditions == found.conditions)
      #expect(read.fields == found.fields)
    }
  }

  /// Text, and the output of a program that shows one thing only.
  @Test(
    "The learned expression of a text leaves out what varies",
    arguments: [
      ("12:00:0%d arm at %x %y %z", #"arm at (?<x>[-+.\w]+) (?<y>[-+.\w]+) (?<z>[-+.\w]+)$"#),
      ("%n;%x;%y;%z", #"^(?<seq>[-+.\w]+);(?<x>[-+.\w]+);(?<y>[-+.\w]+);(?<z>[-+.\w]+)$"#),
      ("[%d] INFO  x=%xm y=%ym (done)", #"INFO +x=(?<x>[-+.\w]+)m y=(?<y>[-+.\w]+)m \(done\)$"#),
    ])
  func text(_ format: String, _ expression: String) throws {
    let host = try LearnedHost()
    var count = 0
    let lines = host.lines { event in
      guard let pose = event.appliedPose else { return [] }
      count += 1
      return [
        format.replacing("%d", with: "\(count)").replacing("%n", with: "\(pose.seq)").replacing(
          "%x", with: "\(pose.position.x)"
        )
        .replacing("%y", with: "\(pose.position.y)").replacing("%z", with: "\(pose.position.z)")
      ]
    }
    let learned = host.learn(lines)
    #expect(learned.rules.map(\.rule.pattern?.text) == [expression])
    #expect(Set(learned.missing.map(\.kind)) == [.command, .sessionOpened, .sessionClosed])
    let (events, mapping) = host.read(lines, by: try host.file(learned))
    #expect(events.compactMap(\.appliedSeq) == host.applied && mapping.notices == [])
  }

  @Test("The seconds of a time in two parts are no timestamp: they repeat while the time goes on")
  func splitTime() throws {
    let host = try LearnedHost()
    let lines = host.lines { event in
      guard let pose = event.appliedPose else { return [] }
      let time = pose.timestampMicroseconds
      return [
        "{\"stamp\":{\"sec\":\(time / 1_000_000),\"nanosec\":\(time % 1_000_000 * 1_000)},\"x\":\(pose.position.x),"
          + "\"y\":\(pose.position.y),\"n\":\(pose.seq)}"
      ]
    }
    let rule = try #require(host.learn(lines).rules.first { $0.rule.kind == .pose })
    #expect(Set(rule.rule.fields.keys) == ["seq", "x", "y"])
    #expect(rule.notes.contains { $0.hasPrefix("not shown: timestamp_us") }, "\(rule.notes)")
  }

  @Test("Two poses that match may be chance, and lead to no rule")
  func chance() throws {
    let host = try LearnedHost()
    var count = 0
    let lines = host.lines { event in
      guard let pose = event.appliedPose else { return [] }
      count += 1
      return ["{\"x\":\(count < 3 ? pose.position.x : Float(count) + 0.5)}"]
    }
    let learned = host.learn(lines)
    #expect(learned.rules.isEmpty)
    #expect(
      learned.missing.first { $0.kind == .pose }?.why
        == "fewer than 3 of the 19 that were sent are shown with their values"
    )
  }

  @Test("A pose that a program prints twice is read once, at the later stage")
  func stages() throws {
    let host = try LearnedHost()
    let learned = host.learn(
      host.lines { event in
        guard let pose = event.appliedPose else { return [] }
        return ["got", "moved"].map { "{\"event\":\"\($0)\",\"x\":\(pose.position.x),\"y\":\(pose.position.y)}" }
      })
    #expect(learned.rules.map(\.rule.conditions) == [[EventRule.Condition(["event"], ["moved"])]])
    #expect(learned.rules[0].notes.contains("each is also shown where event is got; moved comes last"))
  }

  @Test("Of a value in two places the first is taken, with a note")
  func ambiguous() throws {
    let host = try LearnedHost()
    let learned = host.learn(
      host.lines { event in
        guard let pose = event.appliedPose else { return [] }
        return ["{\"target\":{\"x\":\(pose.position.x)},\"actual\":{\"x\":\(pose.position.x)}}"]
      })
    #expect(learned.rules[0].rule.fields["x"] == FieldSource(path: ["target", "x"]))
    #expect(learned.rules[0].notes.contains("\"x\" is also at actual.x"))
  }

  @Test("Session starts without ends, or ends by BYE alone, lead to no rule")
  func sessions() throws {
    let host = try LearnedHost()
    for isLeaving in [false, true] {
      let learned = host.learn(
        host.lines { event in
          switch event {
          case .sessionOpened(_, let id): ["{\"up\":\(id)}"]
          case .sessionClosed(_, _, let reason) where isLeaving && reason == .teardown: ["{\"down\":true}"]
          default: []
          }
        })
      #expect(learned.rules.isEmpty)
      #expect(learned.missing.contains { $0.kind == .sessionClosed })
    }
  }

  @Test("An end without a reason is learned without one, and a clock next to it is no reason")
  func noReason() throws {
    let host = try LearnedHost()
    for isText in [false, true] {
      var second = 30
      let learned = host.learn(
        host.lines { event in
          second += 1
          switch event {
          case .sessionOpened(_, let id):
            return [isText ? "12:00:\(second) client \(id) came" : "{\"kind\":\"came\",\"id\":\(id)}"]
          case .sessionClosed: return [isText ? "12:00:\(second) client gone" : "{\"kind\":\"gone\"}"]
          default: return Self.json(event)
          }
        })
      let rules = learned.rules.filter { $0.rule.kind == .sessionClosed }
      // No rule is made yet of text with a clock in front; a wrong one would be worse.
      if !isText { #expect(rules.count == 1 && rules[0].found == rules[0].of, "\(learned.missing)") }
      #expect(rules.first?.rule.fields["reason"] == nil)
    }
  }

  @Test("A status line that is printed all the time leads to no rule")
  func status() throws {
    let host = try LearnedHost()
    let lines = (0..<1_000).map {
      SeenLine("{\"uptime\":\($0),\"state\":\"\($0 % 7 == 0 ? "busy" : "idle")\"}", at: Int64($0) * 10_000_000)
    }
    #expect(host.learn(lines).rules.isEmpty)
  }

  @Test("Lines of marks alone, as between two blocks, show no session")
  func marks() throws {
    let host = try LearnedHost()
    let lines = host.lines { event in
      switch event {
      case .sessionOpened: ["---"]
      case .sessionClosed: ["***", ""]
      default: []
      }
    }
    let learned = host.learn(lines)
    #expect(learned.rules.isEmpty)
    #expect(Set(learned.missing.map(\.kind)) == [.pose, .command, .sessionOpened, .sessionClosed])
  }

  @Test("Output that is the same on stdout and stderr is read from one of them")
  func twice() throws {
    let host = try LearnedHost()
    let lines = host.lines(Self.json).flatMap { line in
      [line, SeenLine(line.text, at: line.time, from: .stderr)]
    }
    let learned = host.learn(lines)
    #expect(learned.sources == [.stdout] && learned.rules.count == 4)
  }

  @Test("A phone's strength is recognised in steps of its motor")
  func motor() throws {
    let phone = try LearnedHost(.phone)
    let lines = phone.lines { event in
      guard let strength = event.appliedStrength else { return [] }
      return ["{\"motor\":{\"percent\":\((Double(strength) * 10_000).rounded() / 100)}}"]
    }
    let learned = phone.learn(lines)
    #expect(learned.rules.map(\.rule.fields) == [["intensity": FieldSource(path: ["motor", "percent"], times: 0.01)]])
    #expect(learned.missing == [])
  }

  @Test("A pointer, a wheel and buttons are recognised by their movement and states")
  func mouse() throws {
    let host = try LearnedHost(.mouseHost)
    let lines = host.lines { event in
      if let place = event.pointer { return ["{\"at\":[\(place.x),\(place.y)]}"] }
      if let count = event.scroll { return ["{\"wheel\":\(-count)}"] }
      guard let bits = event.buttons else { return [] }
      return ["{\"keys\":{\"l\":\(bits & 1 != 0),\"r\":\(bits & 2 != 0),\"m\":\(bits & 4 != 0)}}"]
    }
    let learned = host.learn(lines)
    #expect(learned.missing == [])
    #expect(
      learned.rules.map(\.rule.fields) == [
        ["x": FieldSource(path: ["at", "0"]), "y": FieldSource(path: ["at", "1"])],
        ["scroll": FieldSource(path: ["wheel"], times: -1)],
        [
          "left": FieldSource(path: ["keys", "l"]), "right": FieldSource(path: ["keys", "r"]),
          "middle": FieldSource(path: ["keys", "m"]),
        ],
      ])
  }
}
