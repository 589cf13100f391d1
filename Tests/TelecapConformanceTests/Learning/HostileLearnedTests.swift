import TelecapConformance
import TelecapModels
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapText
import Testing

@Suite("System files that learn writes from hostile output") struct HostileLearnedTests {
  /// The system learned from a host that prints this text as a key, and others as its values.
  private static func learned(_ text: String) throws -> (host: LearnedHost, learned: LearnedSystem) {
    let host = try LearnedHost()
    var quoted: [UInt8] = []
    JSONWriter.quote(text.utf8, to: &quoted)
    let word = String(decoding: quoted, as: UTF8.self)
    let lines = host.lines { event in
      if let pose = event.appliedPose { return ["{\"kind\":\(word),\"x\":\(pose.position.x),\(word):\(pose.seq)}"] }
      if let command = event.changingCommand {
        return ["{\"kind\":\"key\",\"key\":\(command.type == 1 ? word : "\"keep\""),\"down\":\(command.value == 1)}"]
      }
      return switch event {
      case .sessionOpened(let end, let id): ["{\"kind\":\"up\",\"of\":\"\(end)\",\"id\":\(id)}"]
      default: []
      }
    }
    return (host, host.learn(lines))
  }

  @Test("A file has exactly the rules that were learned, and no injected line", arguments: HostileText.all)
  func rules(_ text: String) throws {
    let (host, learned) = try Self.learned(text)
    #expect(learned.rules.count > 1)
    let file = try host.file(learned)
    #expect(file.rules.map(\.kind) == learned.rules.map(\.rule.kind))
    #expect(file.rules.map(\.conditions) == learned.rules.map(\.rule.conditions))
    #expect(file.rules.map(\.fields) == learned.rules.map(\.rule.fields))
    let comment = SystemText.Entry("role", "host", [text])
    let written = SystemText(comments: [text, "\(text)\n\(text)"], entries: [comment], learned: learned).text
    #expect(written.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" })
    #expect(written.unicodeScalars.split(separator: "\n").prefix(4).map { $0.first } == ["#", "#", "#", "r"])
  }
}
