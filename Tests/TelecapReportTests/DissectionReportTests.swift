import Foundation
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapTele
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// A small dissection whose every byte is written here: a HELLO, a HAPTIC that breaks rules, a mouse, noise, and what was
/// found about packets.
struct SmallDissection {
  struct Entry {
    var message: DissectedMessage
    var bytes: [UInt8]
    var findings: [Finding]
  }

  static let phone = Endpoint(IPAddress(v4: 0xc000_020a), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)
  static let start = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

  static let entries: [Entry] = [
    entry(1, 0, "54454c450101040302014142433132330000", .teleUDP, session: 0),
    entry(2, 1_500_000, "54454c4502010000", .teleUDP, session: 1, fromServer: true),
    entry(3, 20_000_000, "54454c4507010000c07f0102", .teleUDP, session: 1, fromServer: true),
    entry(4, 40_000_000, "aa09fd807f", .mouse, session: 2),
    entry(5, 50_000_000, "54454c450901080022 1b5b316d c3bc 0a", .teleTCP, session: 0, fromServer: true),
    entry(6, 60_000_000, "0badf00dbadcab1e", .teleUDP, session: 0),
  ]

  static func entry(
    _ packet: Int, _ nanoseconds: Int64, _ digits: String, _ dialect: Dialect, session: Int, fromServer: Bool = false
  ) -> Entry {
    let bytes = Hex.bytes(digits) ?? []
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings)
    let flow = Flow(dialect == .teleTCP ? .tcp : .udp, from: phone, to: host)
    let message = DissectedMessage(
      kind: kind, dialect: dialect,
      datagram: Datagram(
        packet: packet, time: start.advanced(byNanoseconds: nanoseconds), flow: fromServer ? flow.reversed : flow),
      direction: fromServer ? .serverToClient : .clientToServer, session: session, offset: 42,
      isValid: !findings.contains { $0.severity == .error })
    return Entry(message: message, bytes: bytes, findings: findings)
  }

  static let gap = Finding(.streamGap, 0..<0, .count(7))

  static func tree(_ style: Style) -> String {
    var tree = DissectionTree(style: style)
    tree.start = start
    var text: [UInt8] = []
    for entry in entries { tree.write(entry.message, entry.bytes.span.bytes, entry.findings, to: &text) }
    tree.write(gap, packet: 9, time: start.advanced(byNanoseconds: 1_234_567_891), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  static var json: String {
    var json = JSONWriter()
    for entry in entries { DissectionJSON().write(entry.message, entry.bytes.span.bytes, entry.findings, to: &json) }
    DissectionJSON().write(gap, packet: 9, time: start, to: &json)
    return json.text
  }

  static var summary: DissectionSummary {
    var summary = DissectionSummary(Protocols.builtIn)
    for entry in entries {
      let datagram = entry.message.datagram
      summary.count(
        PacketHeader(number: datagram.packet, time: datagram.time, originalLength: entry.bytes.count, linkType: 1))
      summary.count(entry.message, entry.findings)
    }
    summary.count(gap)
    return summary
  }
}

@Suite struct DissectionReportTests {
  @Test("A dissection as a tree")
  func aDissectionAsATree() throws {
    try expectGolden(SmallDissection.tree(.plain), "tree.txt")
  }

  @Test("Colour adds escape sequences and changes nothing else")
  func colourAddsEscapeSequencesAndChangesNothingElse() {
    let coloured = SmallDissection.tree(Style(isColoured: true))
    #expect(coloured.contains("\u{1b}["))
    #expect(coloured.replacing(/\u{1b}\[[0-9]+m/, with: "") == SmallDissection.tree(.plain))
  }

  @Test("A dissection as JSON Lines")
  func aDissectionAsJSONLines() throws {
    try expectGolden(SmallDissection.json, "dissection.jsonl")
    for line in SmallDissection.json.split(separator: "\n") {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
  }

  @Test("A summary as text and as JSON")
  func aSummaryAsTextAndAsJSON() throws {
    let summary = SmallDissection.summary
    try expectGolden(summary.text(style: .plain).joined(separator: "\n") + "\n", "summary.txt")
    var json = JSONWriter()
    summary.write(to: &json)
    try expectGolden(json.text, "summary.json")
  }

  @Test("A summary counts by type, rule and severity")
  func aSummaryCountsByTypeRuleAndSeverity() {
    let summary = SmallDissection.summary
    #expect(summary.packets == 6)
    #expect(summary.total == 6)
    #expect(summary.count(of: .haptic) == 1)
    #expect(summary.count(of: .pose) == 0)
    #expect(summary.count(of: Rule.notANumber) == 1)
    #expect(summary.count(of: Rule.reserved) == 3)
    #expect(summary.count(atLeast: .error) == 1)
    #expect(summary.count(atLeast: .note) > summary.count(atLeast: .warning))
  }

  @Test("A summary of nothing has no rates and no findings")
  func aSummaryOfNothingHasNoRatesAndNoFindings() {
    #expect(
      DissectionSummary(Protocols.builtIn).text(style: .plain) == ["0 packets in 0.000 s, 0 messages", "no findings"])
  }

  @Test("Packets whose times run backwards still have a duration")
  func packetsWhoseTimesRunBackwardsStillHaveADuration() {
    var summary = DissectionSummary(Protocols.builtIn)
    for seconds in [5.0, 3, 4] {
      summary.count(PacketHeader(number: 1, time: Timestamp(seconds: seconds), originalLength: 1, linkType: 1))
    }
    #expect(summary.text(style: .plain)[0] == "3 packets in 2.000 s, 0 messages")
  }
}
