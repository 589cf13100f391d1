import Foundation
import TelecapProtocols
import TelecapReport
import TelecapTestSupport
import TelecapWire
import Testing

@Suite struct ProtocolReferenceTests {
  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The page says what is declared")
  func thePageSaysWhatIsDeclared() throws {
    let file = Project.file("Scenarios/protocols/dsu.yaml")
    let dsu = try ProtocolFile.read(String(contentsOf: file, encoding: .utf8), file: "dsu.yaml")
    let page = ProtocolReference(Protocols.builtIn + [dsu]).markdown
    let path = Project.file("Documentation/reference/protocols.md")
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try Data(page.utf8).write(to: path)
      Issue.record("\(path.path) was written: look at it, and run the test again")
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == page, "\(path.path) is stale: TELECAP_RECORD=1")
  }

  /// A field that is added shows in the picture of its bytes and in the table.
  @Test("A message is drawn")
  func aMessageIsDrawn() throws {
    let page = ProtocolReference(Protocols.builtIn).markdown
    let start = try #require(page.range(of: "### HAPTIC")).upperBound
    let picture = page[start...].prefix(1_500)
    let expected = """
                 +0            +1            +2            +3
           +-------------+-------------+-------------+-------------+
         0 |                         magic                         |
           +-------------+-------------+-------------+-------------+
         4 |  msg_type   |   version   |         intensity         |
           +-------------+-------------+-------------+-------------+
         8 |             …             |   channel   |  reserved   |
           +-------------+-------------+-------------+-------------+
      """
    #expect(picture.contains(expected), "\(picture)")
  }
}
