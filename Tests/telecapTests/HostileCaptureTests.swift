import Foundation
import TelecapTestSupport
import TelecapText
import Testing

/// A capture in which every text is hostile: each output holds it as text, by that output's own parser.
@Suite("Captures whose every text is hostile", .real("runs telecap and python")) struct HostileCaptureTests {
  private static let columns = [
    "capture": ["tool", "version", "host", "clock", "source", "filter", "command_line", "damage"],
    "interface": ["name", "comment"],
    "finding": ["text"],
  ]

  /// A capture in which the texts stand in turn, from the one at `first` on.
  private func capture(_ folder: Folder, _ name: String, _ text: (Int) -> String) throws -> String {
    let path = folder[name]
    try FileManager.default.copyItem(atPath: folder["base.telecap"], toPath: path)
    var number = 0
    for (table, columns) in Self.columns.sorted(by: { $0.key < $1.key }) {
      for column in columns {
        for turn in 0..<8 {
          let literal = "'" + text(number).unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
          _ = try sql(path, "UPDATE \(table) SET \(column) = \(literal) WHERE rowid % 8 = \(turn)")
          number += 1
        }
      }
    }
    return path
  }

  /// The elements of pages and the names of their attributes, as Python's parser of HTML finds them: a line a page.
  private func elements(_ pages: [String]) throws -> [String] {
    let script = """
      import html.parser, sys
      class Reader(html.parser.HTMLParser):
          def handle_starttag(self, tag, attributes): self.found.append(tag + repr(sorted(name for name, _ in attributes)))
          def handle_comment(self, data): self.found.append("comment")
          def handle_decl(self, data): self.found.append("declaration")
          def unknown_decl(self, data): self.found.append("unknown")
      for path in sys.argv[1:]:
          reader = Reader()
          reader.found = []
          reader.feed(open(path, encoding="utf-8").read())
          print(" ".join(reader.found))
      """
    return try Running("/usr/bin/env", ["python3", "-c", script] + pages).finish().lines
  }

  @Test("Each output is what it is for harmless texts", arguments: sampled(Array(0..<40), oneIn: 20))
  func outputs(_ first: Int) throws {
    let folder = try Folder()
    let base = folder["base.telecap"]
    #expect(try Program.run(["import", Project.file("Captures/malformed.pcapng").path, "-o", base]).status == 0)
    let hostile = try capture(folder, "hostile.telecap") { HostileText.all[(first + $0) % HostileText.all.count] }
    let plain = try capture(folder, "plain.telecap") { _ in "plain" }
    for words in [["info"], ["dissect"], ["dissect", "--summary"]] {
      let end = try Program.run(words + [hostile])
      #expect(end.status == 0, "\(words): \(end.errors)")
      #expect((end.output + end.errors).unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(words)")
    }
    for words in [
      ["info", "--format", "json"], ["dissect", "--format", "json"], ["export", "--format", "jsonl", "-o", "-"],
    ] {
      let end = try Program.run(words + [hostile])
      #expect(try end.json().isEmpty == false)
      #expect(end.output.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(words)")
    }
    #expect(try Program.run(["export", hostile, "-o", folder["a.pcapng"]]).status == 0)
    #expect(try Program.run(["info", folder["a.pcapng"]]).status == 0)
    var pages: [String] = []
    for (capture, page) in [(hostile, folder["hostile.html"]), (plain, folder["plain.html"])] {
      let end = try Program.run(["report", capture, "-o", page])
      #expect(end.status == 0, "\(end.errors)")
      pages.append(page)
    }
    let found = try elements(pages)
    #expect(found.count == 2 && found[0] == found[1] && found[0].count > 1_000)
  }

  @Test("A capture whose declaration of a protocol has a line break in a title is refused with the place")
  func declarations() throws {
    let folder = try Folder()
    let yaml =
      "protocol: toy\ntitle: \"Toy PLACE\"\ncarriers: [{name: udp, over: udp, port: 9999}]\nmessages: [{name: A, from: client}]\n"
    let file = try folder.write(Array(yaml.utf8), to: "toy.yaml")
    let path = folder["a.telecap"]
    let made = try Program.run(["import", Project.file("Captures/busy.pcapng").path, "-o", path, "--protocol", file])
    #expect(made.status == 0, "\(made.errors)")
    _ = try sql(
      path,
      "UPDATE protocol SET declaration = replace(declaration, 'PLACE', '\\nos.execute([[touch x]])') WHERE name = 'toy'"
    )
    let end = try Program.run(["info", path])
    #expect(
      end.status == 65 && end.errors.contains(":2:8:") && end.errors.contains("control character U+000A"), "\(end)")
  }
}
