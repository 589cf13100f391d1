import Foundation
import TelecapTestSupport
import TelecapText
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Each escaper with the same forty texts, read back by rules that are written here or by a parser that is not ours.
@Suite("Text in another language") struct EscapingTests {
  @Test("There are forty different hostile texts, and only the last ones have control characters")
  func fortyTexts() {
    #expect(HostileText.all.count == 40 && Set(HostileText.all).count == 40)
    #expect(HostileText.visible.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isPlain } })
    #expect(HostileText.controls.allSatisfy { !$0.unicodeScalars.allSatisfy { $0.isPlain } })
  }

  @Test("Escaped markup contains nothing but the text", arguments: HostileText.all)
  func markup(_ text: String) throws {
    let xml = "<a b=\"\(Escaping.attribute(text))\">\(Escaping.markup(text))</a>"
    let reader = OneElement()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(xml): \(String(describing: parser.parserError))")
    let meant = text.unicodeScalars.map { $0 == "\n" || $0.isPlain ? String($0) : "\u{fffd}" }.joined()
    #expect(reader.elements == 1)
    #expect(scalars(reader.text) == scalars(meant) && scalars(reader.attribute) == scalars(meant))
  }

  @Test("An escaped part of a URL reads back as the text, and a path keeps its slashes", arguments: HostileText.all)
  func url(_ text: String) {
    let part = Escaping.url(text)
    #expect(part.utf8.allSatisfy { Self.unreserved.contains($0) } && part.removingPercentEncoding == text)
    let path = Escaping.url(text, isPath: true)
    #expect(path.replacingOccurrences(of: "/", with: "%2F") == part)
  }

  private static let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._%".utf8)

  @Test(
    "JSON in a script element contains the text and no tag, and no C1 as a scalar of YAML", arguments: HostileText.all
  )
  func json(_ text: String) throws {
    func value(_ json: String) throws -> String? {
      try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
    }
    var json = JSONWriter()
    json.put(nil, text)
    let script = Escaping.script(json: json.text)
    #expect(!script.utf8.contains(UInt8(ascii: "<")))
    #expect(try value(script) == value(json.text))
    let yaml = Escaping.yamlJSON(text)
    #expect(yaml.unicodeScalars.allSatisfy { !(0x80...0x9f).contains($0.value) })
    let meant = text.unicodeScalars.map { (0x80...0x9f).contains($0.value) ? " " : String($0) }.joined()
    json = JSONWriter()
    json.put(nil, meant)
    #expect(try value(yaml) == value(json.text))
  }

  @Test(
    "An escaped pattern matches the text and no other", arguments: HostileText.all + [".^$|?*+()[]{}\\a", ".\u{301}b"])
  func pattern(_ text: String) throws {
    let pattern = try NSRegularExpression(pattern: "^(?:" + Escaping.pattern(text) + ")$")
    func matches(_ text: String) -> Bool {
      pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))?.range.length == text.utf16.count
    }
    #expect(matches(text) && !matches(text + "x") && !matches("x" + text))
  }

  @Test("A workflow command is one line, and its property ends correctly", arguments: HostileText.all)
  func workflow(_ text: String) throws {
    let line = "::error title=\(Escaping.workflowProperty(text)),line=1::\(Escaping.workflow(text))"
    #expect(line.unicodeScalars.allSatisfy { $0.isPlain })
    // As the runner reads it: the properties end at the first "::" after the name, and a comma or "=" ends each part of them.
    let rest = line.dropFirst("::error ".count)
    let end = try #require(rest.firstRange(of: "::"))
    let properties = rest[..<end.lowerBound].utf8.split(separator: UInt8(ascii: ","))
    #expect(properties.count == 2 && String(Substring(properties[1])) == "line=1")
    let meant = text.unicodeScalars.map { $0 == "\n" || $0.isPlain ? String($0) : " " }.joined()
    let codes = [("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
    func read(_ text: Substring) -> String {
      codes.reduce(into: String(text)) { $0 = $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
    }
    #expect(scalars(read(rest[end.upperBound...])) == scalars(meant))
    #expect(scalars(read(Substring(properties[0]).dropFirst("title=".count))) == scalars(meant))
  }

  @Test("A CSV reader restores every escaped field, whatever surrounds its quotes", arguments: HostileText.all)
  func csv(_ text: String) {
    let line = Array((Escaping.csv(text) + ",end\n").utf8)
    var (field, at, isQuoted) = ([UInt8](), 0, line[0] == UInt8(ascii: "\""))
    if isQuoted { at = 1 }
    while isQuoted || line[at] != UInt8(ascii: ",") {
      if isQuoted, line[at] == UInt8(ascii: "\"") {
        if line[at + 1] != UInt8(ascii: "\"") {
          isQuoted = false
          at += 1
          continue
        }
        at += 1
      }
      field.append(line[at])
      at += 1
    }
    #expect(field == Array(text.utf8) && Array(line[at...]) == Array(",end\n".utf8))
  }

  @Test("A line of Markdown or of TAP contains no markup", arguments: HostileText.all)
  func lines(_ text: String) {
    let markdown = Escaping.markdown(text)
    let plain = markdown.replacing(/&(#\d+|amp|lt|gt);/, with: "")
    #expect(
      !plain.unicodeScalars.contains { "\\`*_[]#|~$@:&<>\n".unicodeScalars.contains($0) || !$0.isPlain }, "\(markdown)")
    let tap = Escaping.tap(text)
    #expect(tap.unicodeScalars.allSatisfy { $0.isPlain })
    #expect(
      !tap.replacing("\\\\", with: "").replacing("\\#", with: "").unicodeScalars.contains { $0 == "#" || $0 == "\\" },
      "\(tap)")
  }

  @Test("Text on a terminal is one visible line", arguments: HostileText.all)
  func terminal(_ text: String) {
    #expect(text.printable.unicodeScalars.allSatisfy { $0.isPlain })
  }

  @Test("A path that begins like an option is still an argument")
  func pathsLikeOptions() {
    #expect(Escaping.shellPath("-rf") == "./-rf" && Escaping.shellPath("a/-rf") == "a/-rf")
    #expect(Escaping.shellPath("-a b") == "'./-a b'" && Escaping.shell("--loss=5%") == "--loss=5%")
    #expect(Escaping.shellCommand(["telecap", "info", "a b.telecap"]) == "telecap info 'a b.telecap'")
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}

/// The one element of a text, with its text and its attribute `b`.
private final class OneElement: NSObject, XMLParserDelegate {
  var (elements, text, attribute) = (0, "", "")

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements += 1
    attribute = attributes["b"] ?? ""
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { self.text += text }
}
