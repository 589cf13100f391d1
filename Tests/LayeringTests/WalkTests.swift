import Foundation
import TelecapTestSupport
import Testing

/// The three walks of Documentation/explanation/architecture.md: each row names a type and its file, and
/// no walk becomes longer.
@Suite struct WalkTests {
  /// A row: its number, the type, and the path below Sources; nil where a row names none.
  struct Row: Equatable {
    let number: Int
    let type: String
    let path: String?
  }

  /// The rows of the tables below "Three walks", a list for each walk.
  static func walks(in page: String) -> [[Row]] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "## Three walks") else { return [] }
    var walks: [[Row]] = []
    for line in lines[(start + 1)...].prefix(while: { !$0.hasPrefix("## ") }) {
      if line.hasPrefix("### ") { walks.append([]) }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard !walks.isEmpty, cells.count > 1, let number = Int(cells[0]) else { continue }
      let names = cells[1].split(separator: "`", omittingEmptySubsequences: false).map(String.init)
      let path = names.count > 3 && names[2] == " (" ? names[3] : nil
      walks[walks.count - 1].append(Row(number: number, type: names.count > 1 ? names[1] : "", path: path))
    }
    return walks
  }

  private static func walks() throws -> [[Row]] {
    let page = Project.root.appending(path: "Documentation/explanation/architecture.md")
    return walks(in: try String(contentsOf: page, encoding: .utf8))
  }

  @Test("The path of a packet is read from the page row by row")
  func rows() {
    let page = """
      | 9 | `Early` (`Nowhere`) | before the walks |
      ## Three walks
      ### One
      | | type (file) | work |
      |---|---|---|
      | 1 | `Script` (`TelecapConformance/Running/A.swift`) | makes `Other` (`Elsewhere`) |
      | 2 | `Script` | no path |
      ### Two
      | 1 | `RunLog` to `SuiteResult` | rows of the walk above |
      ## To add something
      | 3 | `Late` (`Nowhere`) | after the walks |
      """
    #expect(
      WalkTests.walks(in: page) == [
        [
          Row(number: 1, type: "Script", path: "TelecapConformance/Running/A.swift"),
          Row(number: 2, type: "Script", path: nil),
        ], [Row(number: 1, type: "RunLog", path: nil)],
      ])
  }

  @Test("Each row of a path has the next number, and its type is declared in its file")
  func types() throws {
    let walks = try WalkTests.walks()
    #expect(walks.count == 3)
    for rows in walks {
      #expect(rows.map(\.number) == Array(1...rows.count))
      for row in rows {
        guard let path = row.path else { continue }
        let file = "Sources/" + (path.hasSuffix(".swift") ? path : "\(path)/\(row.type).swift")
        let text = (try? String(contentsOf: Project.root.appending(path: file), encoding: .utf8)) ?? ""
        let declared = try Regex("(struct|class|enum|actor|protocol|typealias) \(row.type)\\b")
        #expect(text.contains(declared), "\(row.type) is not declared in \(file)")
      }
    }
  }

  /// The goals are 15 types in the second walk and 20 in the third, of which one row stands for twelve.
  @Test("No path of a packet becomes longer")
  func lengths() throws { #expect(zip(try WalkTests.walks().map(\.count), [19, 40, 26]).allSatisfy { $0 <= $1 }) }
}
