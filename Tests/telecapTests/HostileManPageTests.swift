import Foundation
import TelecapTestSupport
import TelecapText
import Testing

/// What `Scripts/manpages` makes of help whose every text is hostile, as roff reads it.
@Suite("Man pages of hostile help", .real("runs the script and groff")) struct HostileManPageTests {
  /// A program whose help has a command for each of these texts, in which every text is that one.
  private static func program(_ texts: [String], _ folder: Folder) throws -> String {
    func argument(_ text: String, _ kind: String) -> [String: Any] {
      [
        "kind": kind, "valueName": text, "abstract": text, "defaultValue": text, "isRepeating": false,
        "names": [["kind": "long", "name": "option"]],
      ]
    }
    let commands: [[String: Any]] = texts.enumerated().map { place, text in
      [
        "commandName": "c\(place)", "abstract": text, "discussion": "\(text)\n\n  \(text)\n",
        "arguments": ["positional", "option", "flag"].map { argument(text, $0) },
      ]
    }
    let help: [String: Any] = ["command": ["commandName": "telecap", "abstract": "a", "subcommands": commands]]
    let json = try folder.write(Array(try JSONSerialization.data(withJSONObject: help)), to: "help.json")
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 1.0; else cat '\(json)'; fi\n"
    let path = try folder.write(Array(script.utf8), to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  /// The pages of these texts, each by its lines.
  private static func pages(_ texts: [String], _ folder: Folder) throws -> [[String]] {
    let words = ["python3", Project.file("Scripts/manpages").path, try program(texts, folder), folder["man"]]
    let made = try Running("/usr/bin/env", words).finish(seconds: 60)
    try #require(made.status == 0, "\(made.errors)")
    return try texts.indices.map { place in
      try String(contentsOfFile: folder["man/telecap-c\(place).1"], encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
    }
  }

  @Test("A page has the requests that it has for harmless text, and no escape of the text's own")
  func requests() throws {
    let (folder, other) = (try Folder(), try Folder())
    let plain = try #require(try Self.pages(["plain"], other).first)
    func requests(_ page: [String], _ name: String) -> [String] {
      page.filter { $0.utf8.first == UInt8(ascii: ".") || $0.utf8.first == UInt8(ascii: "'") }
        .map { $0.replacing(name, with: "") }
    }
    for (place, page) in try Self.pages(HostileText.all, folder).enumerated() {
      let text = HostileText.all[place].debugDescription
      #expect(requests(page, "C\(place)") == requests(plain, "C0"), "\(text)")
      let escapes = page.joined(separator: "\n").matches(of: #/\\(.)/#).map { String($0.1) }
      #expect(Set(escapes).isSubset(of: ["e", "-", "&", "f"]), "\(text): \(escapes)")
      let isPlain = page.allSatisfy { $0.unicodeScalars.allSatisfy(\.isPlain) }
      #expect(isPlain, "\(text)")
    }
    // A man without groff's own formatter is another one, as on macOS.
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
    let names = HostileText.all.indices.map { folder["man/telecap-c\($0).1"] }
    let set = try Running("/usr/bin/groff", ["-k", "-man", "-Tutf8", "-ww"] + names).finish(seconds: 60)
    #expect(set.status == 0 && set.errors.isEmpty, "\(set.errors)")
    #expect(set.output.contains(".so /etc/passwd") && !set.output.contains("root:"))
  }
}
