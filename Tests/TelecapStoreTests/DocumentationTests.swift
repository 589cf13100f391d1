import Foundation
import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// `Documentation/reference/capture-file.md` promises statements and their output: here they run.
@Suite("The documentation") struct DocumentationTests {
  private let text: String

  init() throws {
    let page = Project.file("Documentation/reference/capture-file.md")
    text = String(decoding: try [UInt8](file: page.path), as: UTF8.self)
  }

  /// The fenced blocks of one language, in their order.
  private func blocks(_ language: String, after heading: String) throws -> [String] {
    let start = try #require(text.firstRange(of: "\n## \(heading)\n")).upperBound
    let section = text[start...]
    let end = section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex
    var blocks: [String] = []
    var rest = section[..<end]
    while let open = rest.firstRange(of: "```\(language)\n"),
      let close = rest[open.upperBound...].firstRange(of: "\n```")
    {
      blocks.append(String(rest[open.upperBound..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return blocks
  }

  @Test("The documentation has ten queries with their real output")
  func asksTenQuestionsAndShowsWhatTheyReallyPrint() throws {
    let folder = try Folder()
    try Example().import(to: folder["example.telecap"], .test)
    let reader = try CaptureReader(path: folder["example.telecap"], .standard)
    let statements = try blocks("sql", after: "Ten questions")
    let outputs = try blocks("text", after: "Ten questions")
    #expect(statements.count == 10)
    #expect(outputs.count == 10)
    for (sql, output) in zip(statements, outputs) {
      let printed = try reader.printed(sql)
      #expect(printed.count > 1, "no rows: \(sql)")
      #expect(printed.joined(separator: "\n") == output, "\(sql)")
    }
  }

  @Test("The documentation shows the statements that create the tables")
  func showsTheStatementsThatMakeTheTables() throws {
    let shown = try blocks("sql", after: "The tables").joined(separator: "\n")
    let folder = try Folder()
    try CaptureWriter(creating: folder["a"], .test, .standard).finish(ended: .zero)
    let reader = try CaptureReader(path: folder["a"], .standard)
    for name in try SchemaCheck.tables(ofFormat: Schema.format).map(\.name) {
      let made = try reader.rows("SELECT sql FROM sqlite_schema WHERE name = '\(name)'")
      #expect(shown.contains(try #require(made.first?.first).printed + ";"), "\(name)")
    }
    #expect(text.contains("`PRAGMA user_version` is the format, now \(Schema.format):"))
    for name in ["session", "flow", "finding", "tele_pose", "tele_haptic"] {
      let sql = try #require(CaptureSchema.standard.all.first { $0.name == name }).sql
      #expect(shown.contains(sql + ";"), "\(name)")
    }
    for column in ["type", "protocol", "dialect", "direction", "severity"] {
      #expect(shown.contains("  \(column) TEXT AS ("))
    }
  }

  @Test("The documentation names every table of messages, with its columns")
  func namesEveryTableOfMessagesWithItsColumns() {
    for table in CaptureSchema.standard.tables {
      let columns = table.fields.map { "`\($0.name)`" }.joined(separator: ", ")
      #expect(text.contains("| `\(table.name)` | \(columns) |"), "| `\(table.name)` | \(columns) |")
    }
  }

  @Test("The documentation names every column of conditions")
  func namesEveryColumnThatAConditionCanUse() throws {
    let list = "`" + CaptureSchema.commonColumns.map(\.name).joined(separator: "`, `") + "`"
    #expect(text.contains(list), "\(list)")
  }
}
