import Foundation
import TelecapMouse
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// The modules that name a built-in protocol. A module that knows TELE by name has knowledge that it lacks of a protocol
/// from a file.
@Suite("Names of TELE and the mouse outside their modules") struct ProtocolNameTests {
  /// The modules that are about them.
  private static let own: Set<String> = [
    "TelecapTele", "TelecapMouse", "TelecapHaptics", "TelecapHapticTools", "TelecapSuites",
  ]

  /// Words of English or of other protocols as well.
  private static let general: Set<String> = [
    "host", "config", "auth", "movement", "control", "report", "pointer", "scroll", "buttons",
    "unknown",
  ]

  /// The lines of code of other modules that name a protocol, a message, a stream or a side. Each number only falls: who names one
  /// less writes the lower number here.
  private static let known: [String: Int] = [
    "TelecapCapture": 7, "TelecapConformance": 41, "TelecapLoop": 1, "TelecapModels": 1, "TelecapProtocols": 35,
    "TelecapRecording": 4, "TelecapReplay": 42, "TelecapReport": 14, "TelecapStore": 11, "TelecapTransport": 79,
    "TelecapWire": 14, "telecap": 181,
  ]

  private static let names: Set<String> = {
    let words = [Tele.wire, Mouse.wire].flatMap { owner in
      [owner.name, owner.sideNames.client, owner.sideNames.host] + owner.messages.map(\.name)
        + owner.streams.map(\.name)
    }
    let names = Set(words.map { $0.lowercased() }).subtracting(general)
    return names.union(names.map { $0 + "s" })
  }()

  @Test("No module names more of them than before, and no module outside the list names one")
  func names() throws {
    var found: [String: Int] = [:]
    let sources = Project.file("Sources")
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) where !Self.own.contains(module) {
      let files = FileManager.default.enumerator(atPath: sources.appending(path: module).path)
      for case let path as String in try #require(files) where path.hasSuffix(".swift") {
        let text = try String(contentsOf: sources.appending(path: "\(module)/\(path)"), encoding: .utf8)
        let count = text.split(separator: "\n").count { Self.isNaming($0) }
        if count > 0 { found[module, default: 0] += count }
      }
    }
    #expect(found == Self.known)
  }

  @Test("Words are parts of names in camel case and of text, and comments are not counted")
  func words() {
    for line in [
      "let pose = 1", "case .phoneModel:", "import TelecapTele", "\"HAPTIC\"", "sendsHaptics", "let a = hello // b",
    ] {
      #expect(Self.isNaming(Substring(line)), "\(line)")
    }
    for line in ["  /// a pose", "let a = b  // the phone", "telecap", "acknowledges", "purpose", "import TelecapWire"]
    {
      #expect(!Self.isNaming(Substring(line)), "\(line)")
    }
  }

  private static func isNaming(_ line: Substring) -> Bool {
    let code = line.trimmingCharacters(in: .whitespaces)
    if code.hasPrefix("//") { return false }
    let statement = code.range(of: " // ").map { code[..<$0.lowerBound] } ?? code[...]
    return statement.split { !$0.isLetter }.contains { word in
      names.contains(word.lowercased()) || parts(of: word).contains(where: names.contains)
    }
  }

  /// The words of a name in camel case, in lower case.
  private static func parts(of name: Substring) -> [String] {
    name.reduce(into: []) { parts, letter in
      if letter.isUppercase || parts.isEmpty { parts.append("") }
      parts[parts.count - 1] += letter.lowercased()
    }
  }
}
