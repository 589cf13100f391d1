import Foundation
import TelecapConformance
import TelecapHapticTools
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

@testable import TelecapReport

/// What a suite's report says of a system whose every text is hostile, in each format, by that format's own rules.
@Suite("Reports of hostile systems") struct HostileReportTests {
  private static let reports = Result { try HostileText.all.map { try Suites.hostileReport($0) } }

  /// Each report, and its text.
  private func all() throws -> [(SuiteReport, String)] { Array(zip(try Self.reports.get(), HostileText.all)) }

  private func elements(_ tree: XMLTree) -> [XMLTree] { [tree] + tree.children.flatMap(elements) }

  @Test("JUnit and HTML have the elements that they have for harmless text")
  func markup() throws {
    let plain = try Suites.hostileReport("plain")
    func page(_ report: SuiteReport) throws -> [String] {
      let html = SuiteHTML.text(report)
      let (body, end) = (try #require(html.firstRange(of: "<body>")), try #require(html.firstRange(of: "</body>")))
      return elements(try XMLTree.read(String(html[body.lowerBound..<end.upperBound]))).map(\.name)
    }
    func junit(_ report: SuiteReport) throws -> [String] {
      elements(try XMLTree.read(SuiteJUnit.text(report))).map { "\($0.name) \($0.attributes.keys.sorted())" }
    }
    let (elementsOfPage, elementsOfJUnit) = (try page(plain), try junit(plain))
    for (report, text) in try all() {
      #expect(try page(report) == elementsOfPage, "\(text.debugDescription)")
      #expect(try junit(report) == elementsOfJUnit, "\(text.debugDescription)")
    }
  }

  @Test("A page of results that were written as JSON has the elements that it has for harmless text")
  func pages() throws {
    func page(_ report: SuiteReport, _ name: String) throws -> [String] {
      let html = ResultsPage.text([try ConformanceResults(Array(SuiteJSON.text(report).utf8), name: name)], tool: name)
      let (start, end) = (try #require(html.firstRange(of: "<main")), try #require(html.firstRange(of: "</main>")))
      // HTML, and no XML: attributes may have no value. Text holds no "<", ">" or quote, so that tags end at the next ">".
      return html[start.lowerBound..<end.upperBound].matches(of: /<[^>]*>/).map {
        String($0.output).replacing(/="[^"]*"/, with: "=")
      }
    }
    let expected = try page(Suites.hostileReport("plain"), "plain")
    #expect(expected.count > 10)
    for (report, text) in try all() {
      let observed = try page(report, text)
      #expect(observed == expected, "\(text.debugDescription)")
    }
  }

  @Test("A drawing of a pattern whose file has a hostile name is the same drawing", arguments: HostileText.all)
  func drawings(_ text: String) throws {
    func drawing(_ title: String) throws -> XMLTree {
      try XMLTree.read(HapticPlot(title: title, duration: 1, intensity: [0, 1], sharpness: [0, 0], taps: []).svg)
    }
    let (observed, expected) = (elements(try drawing(text)), elements(try drawing("plain")))
    #expect(observed.map(\.name) == expected.map(\.name) && observed.map(\.attributes) == expected.map(\.attributes))
    let shown = text.unicodeScalars.map { $0 == "\n" || $0.isPlain ? String($0) : "\u{fffd}" }.joined()
    #expect(observed.first { $0.name == "title" }.map { Array($0.text.utf8) } == Array(shown.utf8))
  }

  @Test("JSON holds the text, and no character that a terminal obeys")
  func json() throws {
    for (report, text) in try all() {
      let json = SuiteJSON.text(report)
      let root = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect((root["system"] as? String).map { Array($0.utf8) } == Array(text.utf8))
      #expect(json.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(text.debugDescription)")
    }
  }

  @Test("The text, TAP, Markdown and workflow commands have the lines that they have for harmless text")
  func lines() throws {
    let plain = try Suites.hostileReport("plain")
    let formats: [(name: String, text: (SuiteReport) -> String)] = [
      ("text", { SuiteText(style: .plain).ending($0).joined(separator: "\n") }), ("TAP", SuiteTAP.text),
      ("Markdown", SuiteMarkdown.text), ("GitHub", SuiteGitHub.text),
    ]
    func count(_ text: String) -> Int { text.unicodeScalars.count { $0 == "\n" } }
    for format in formats {
      let expected = format.text(plain)
      for (report, text) in try all() {
        let observed = format.text(report)
        #expect(
          observed.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(format.name): \(text.debugDescription)")
        #expect(count(observed) == count(expected), "\(format.name): \(text.debugDescription)\n\(observed)")
        let commands = observed.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(commands.count == expected.split(separator: "\n").count { $0.hasPrefix("::") })
      }
    }
  }

  @Test("The plugin for Wireshark is the same code, whatever a protocol file says", arguments: HostileText.visible)
  func lua(_ text: String) throws {
    func plugin(_ text: String) throws -> String {
      let quoted = Escaping.yamlQuoted(text)
      let yaml = """
        protocol: toy
        title: \(quoted)
        source: \(quoted)
        carriers: [{name: udp, over: udp, port: 4000}]
        header: [{name: kind, type: u8, is: type, unit: \(quoted), meaning: \(quoted)}]
        messages:
          - {name: A, type: 1, from: client, meaning: \(quoted), source: \(quoted), fields: [{name: x, type: u8, codes: {0: \(quoted)}}]}
        """
      return WiresharkPlugin(Ports([try ProtocolFile.read(yaml, file: "toy.yaml")]), version: "1").lua
    }
    let (tokens, expected) = (try LuaTokens(plugin(text)), try LuaTokens(plugin("plain")))
    #expect(tokens.code == expected.code)
    #expect(tokens.strings.contains(Array(text.utf8)) && tokens.comments == expected.comments)
  }

  /// A declaration is read with its errors; should a title come another way, it stays a comment all the same.
  @Test("A comment of Lua is one line", arguments: HostileText.all)
  func comments(_ text: String) throws {
    let tokens = try LuaTokens(Escaping.luaComment(text) + "\nend")
    #expect(tokens.code == ["end"] && tokens.comments == 1)
  }
}

/// What Lua sees in a text (Lua 5.4 Reference Manual, 3.1): code without comments and strings.
private struct LuaTokens {
  struct Unfinished: Error {}
  /// Names, numbers and signs; a string is `"`.
  var code: [String] = []
  /// What the strings hold.
  var strings: [[UInt8]] = []
  var comments = 0

  init(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"): rest.removeFirst()
      case UInt8(ascii: "-") where rest.dropFirst().first == UInt8(ascii: "-"):
        guard !rest.starts(with: "--[".utf8) else { throw Unfinished() }
        comments += 1
        // Both end a line, alone and together.
        rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      case UInt8(ascii: "\""): try string(&rest)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"):
        let word = rest.prefix { isalnum(Int32($0)) != 0 || $0 == UInt8(ascii: "_") }
        code.append(String(decoding: word, as: UTF8.self))
        rest = rest[word.endIndex...]
      default:
        code.append(String(UnicodeScalar(byte)))
        rest.removeFirst()
      }
    }
  }

  private mutating func string(_ rest: inout ArraySlice<UInt8>) throws {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte != UInt8(ascii: "\n") else { throw Unfinished() }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self)) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    strings.append(bytes)
    code.append("\"")
  }
}
