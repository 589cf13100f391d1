import Foundation
import TelecapConformance
import TelecapMouse
import TelecapProtocols
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// The page that says what of our own suites follows from a file.
@Suite("The table of what follows from a declaration") struct DeclaredRequirementsPageTests {
  /// The first two cells of each row.
  private static func rows() throws -> [(requirement: String, follows: String?)] {
    let page = try String(
      contentsOf: Project.file("Documentation/reference/declared-requirements.md"), encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = cells.prefix(2).map { $0.trimmingCharacters(in: ["`"]) }
      return (names[0], names[1] == "–" ? nil : names[1])
    }
  }

  @Test("The table has each requirement of TELE and the mouse once")
  func eachRequirementIsInItOnce() throws {
    let listed = Suites.all.requirements.map(\.id).filter { $0.hasPrefix("tele.") || $0.hasPrefix("mouse.") }
    #expect(try Self.rows().map(\.requirement).sorted() == listed.sorted())
  }

  @Test("The table lists exactly the requirements that follow from the declarations")
  func whatFollowsIsInTheSuiteThatFollows() throws {
    for owner in [Tele.wire, Mouse.wire] {
      let suite = Set(Suite.declared(by: owner).requirements.map { String($0.id.dropFirst(owner.name.count + 1)) })
      let named = Set(try Self.rows().filter { $0.requirement.hasPrefix(owner.name) }.compactMap(\.follows))
      #expect(named.subtracting(suite) == [], "\(owner.name)")
      // Named in the text of other rows, or asked of every protocol.
      #expect(suite.subtracting(named).subtracting(["session.id", "robust.mutations"]) == [], "\(owner.name)")
    }
  }
}
