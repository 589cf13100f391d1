import Foundation
import TelecapFiles
import TelecapConformance
import TelecapPlatform
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapWeb

/// The content of the pages of real captures, requested without a socket.
@Suite(.real("sockets")) struct PageServerTests {
  private static let gate = PageGate(token: "t", hosts: ["h"])

  /// The answer to a path of the first capture.
  private static func answer(
    _ path: String, _ query: [String: String] = [:], of name: String = "malformed"
  ) async throws -> PageAnswer {
    let recording = try RecordingFiles.standard.recording(Project.file("Captures/\(name).pcapng").path)
    return try await recording.withCapture { reader, _ in
      let server = try PageServer(
        [ShownCapture(name: name, recording: recording, reader: reader)], at: HostPort(host: "127.0.0.1", port: nil),
        suites: .all, tool: "test")
      return await server.answer(PageRequest(path: "/t/0/\(path)", query: query, host: "h"), gate)
    }
  }

  @Test("Every page answers, and an unknown path does not", arguments: ["", "timeline", "packets"])
  func pages(_ path: String) async throws {
    let answer = try await Self.answer(path)
    #expect(answer.status == 200 && answer.body.contains("aria-current=\"page\""))
    #expect(try await Self.answer("\(path)x").status == 404)
  }

  @Test("A filter is SQL, and the page shows an error in it")
  func filter() async throws {
    let poses = try await Self.answer("packets", ["where": "type = 'POSE'"])
    #expect(poses.body.contains("tele POSE") && !poses.body.contains("tele HAPTIC"))
    let wrong = try await Self.answer("packets", ["where": "type = <script>"])
    #expect(wrong.status == 200 && wrong.body.contains("class=\"problem\"") && !wrong.body.contains("= <script>"))
    #expect(!wrong.body.contains("--where"))
    let attack = try await Self.answer("packets", ["where": "1) OR (1"])
    #expect(attack.body.contains("class=\"problem\""))
    #expect(try await Self.answer("packets/rows", ["where": "nix = 1"]).status == 400)
  }

  @Test("A filter that never ends, and one whose values are too large, show an error on the page")
  func endless() async throws {
    let never = "(SELECT count(*) FROM packet a, packet b, packet c, packet d, packet e, packet f) > 0"
    let slow = try await Self.answer("packets", ["where": never])
    #expect(slow.status == 200 && slow.body.contains("timeout after 5 s"))
    let large = try await Self.answer("packets", ["where": "randomblob(1000000000) IS NULL"])
    #expect(large.status == 200 && large.body.contains("class=\"problem\"") && !large.body.contains("damaged"))
  }

  @Test(
    "The issue list of a capture in which the host refuses a session names that", arguments: ["busy", "wrong-code"])
  func refused(_ name: String) async throws {
    var body = try await Self.answer("", of: name).body
    for _ in 0..<50 where body.contains("data-waiting>") { body = try await Self.answer("", of: name).body }
    #expect(body.contains("the host refused a session of tele: \(name == "busy" ? "BUSY" : "BAD_CODE")"))
  }

  @Test("A session whose client is rejected at the end is shown as rejected, not as open")
  func refusedAtTheEnd() async throws {
    let phone = Endpoint(.loopback, port: 40_000)
    let host = Endpoint(.loopback, port: 50_000)
    var list = PacketList(interface: "test")
    for second in 0..<6 {
      let time = Timestamp(nanoseconds: Int64(second) * 500_000_000)
      let hello = [UInt8]("TELE".utf8) + [1, 1, second < 3 ? 1 : 2, 0, 0, 0] + [UInt8]("ABC123".utf8) + [0, 0]
      try list.add(hello, Flow(.udp, from: phone, to: host), at: time)
      let ack = [UInt8]("TELE".utf8) + [2, 1, second < 3 ? 0 : 2, 0]
      try list.add(ack, Flow(.udp, from: host, to: phone), at: time.advanced(byNanoseconds: 1_000_000))
    }
    let recording = RecordingFiles.standard.recording(list, ports: try RecordingFiles.standard.ports([:]))
    let summary = try recording.summary().summary
    #expect(summary.sessions.map(\.session.end) == [.open] && summary.sessions[0].refusal?.word == "BUSY")
    let body = try recording.report(named: "a", tool: "test", suites: .all) { _ in }.text
    #expect(body.contains("1 tele, refused (BUSY)") && !body.contains("open at the end"))
  }

  @Test("A page that waits shows the number of packets and the progress")
  func waiting() {
    let page = LivePage(name: "a", subtitle: "", tool: "t")
    let body = page.waiting(at: .overview, packets: 1_000_000, length: 3_661_000_000_000, share: 0.42)
    for part in ["1,000,000 packets in 3661.000 s", "42 %", "value=\"42\"", "data-waiting>"] {
      #expect(body.contains(part), "\(part)")
    }
  }

  @Test("Unread parts of a capture are reported after its first page, which does not wait for it")
  func notes() async throws {
    var list = PacketList(interface: "test")
    let other = Endpoint(.loopback, port: 50_900)
    try list.add([1, 2, 3], Flow(.udp, from: Endpoint(.loopback, port: 40_000), to: other), at: .zero)
    let recording = RecordingFiles.standard.recording(list, ports: try RecordingFiles.standard.ports([:]))
    let told = Locked<[String]>([])
    let tell: @Sendable (String) -> Void = { words in told.with { $0.append(words) } }
    try await ShownRecordings.with([("a", recording)], tell: tell) { captures in
      #expect(told.with { $0 } == [])
      let server = try PageServer(captures, at: HostPort(host: "127.0.0.1", port: nil), suites: .all, tool: "test")
      let sound = await server.answer(PageRequest(path: "/t/0/damage", host: "h"), Self.gate)
      #expect(sound == PageAnswer(body: "") && !server.isDamaged)
      #expect(told.with { $0.count } == 1 && told.with { $0[0] }.hasPrefix("a: no message was understood: "))
    }
  }

  @Test("Until it is known whether the capture is damaged, its pages ask for it, and then show it")
  func soundness() {
    var page = LivePage(name: "a", subtitle: "", tool: "t")
    #expect(!page.problem("x").contains("data-damage=\""))
    page.soundness = .asked(at: "damage")
    #expect(page.problem("x").contains("<div role=\"alert\" data-damage=\"damage\"></div>"))
    page.soundness = .damaged("row <1>")
    let notice = "<p class=\"notice bad\">What is shown may be wrong or incomplete: row &lt;1&gt;</p>"
    #expect(page.problem("x").contains("<div role=\"alert\">\(notice)</div>") && page.soundness.notice == notice)
  }

  @Test("A packet is shown with its fields and bytes")
  func packet() async throws {
    let shown = try await Self.answer("packets/detail", ["packet": "5"])
    for part in ["nobody defined message type 42", "<b>TELE UNKNOWN</b>", ">2a</span>", "data-field=\"0\""] {
      #expect(shown.body.contains(part), "\(part)")
    }
  }

  @Test("A time leads to the first message at or after it, with the messages before it in view")
  func moment() async throws {
    func selected(_ at: String) async throws -> Int? {
      let rows = try await Self.answer("packets/rows", ["at": at], of: "teleoperation").body
      return rows.firstMatch(of: /data-message="(\d+)" aria-selected="true"/).flatMap { Int($0.1) }
    }
    let rows = try await Self.answer("packets/rows", ["message": "60"], of: "teleoperation").body
    let shown = try #require(rows.firstMatch(of: /data-message="60".*?<td class="number">([0-9.]+)<\/td>/))
    let time = try #require(Double(shown.1))
    #expect(try await selected("\(time - 1e-6)") == 60)
    #expect(try await selected("0.000000000") == 1)
    for wrong in ["1e300", "-1e300", "nan", "x"] {
      #expect(try await Self.answer("packets/rows", ["at": wrong], of: "teleoperation").status == 200)
    }
  }

  @Test("Pages of a list follow one another without a gap, in both directions")
  func turns() async throws {
    func ids(_ query: [String: String]) async throws -> [Int] {
      try await Self.answer("packets/rows", query, of: "teleoperation").body
        .matches(of: /data-message="(\d+)"/).compactMap { Int($0.1) }
    }
    let first = try await ids([:])
    #expect(first == Array(1...100))
    let second = try await ids(["after": "100"])
    #expect(second.first == 101)
    #expect(try await ids(["before": "101"]) == first)
    #expect(try await ids(["message": "60"]).first == 50)
  }

  @Test("A part of the time is drawn from a part of the messages, for any query")
  func parts() async throws {
    let part = try await Self.answer("timeline/figures", ["from": "0.5", "until": "0.52"], of: "teleoperation")
    #expect(part.status == 200 && part.body.contains("data-from=\"0.5\"") && part.body.contains("tele POSE"))
    for query in [
      ["from": "nan", "until": "inf"], ["from": "1e300", "until": "-1e300"], ["from": "x"], ["until": "0"],
    ] {
      #expect(try await Self.answer("timeline/figures", query).status == 200)
    }
  }
}

extension RecordingFiles {
  /// Recordings of a program that knows the built-in protocols, on the first of January 1970.
  static let standard = RecordingFiles(
    builtIn: Protocols.builtIn, declared: [],
    maker: Maker(version: "0", host: "here", commandLine: "telecap test") { Timestamp(nanoseconds: 7) },
    reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
}
