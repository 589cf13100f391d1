import TelecapConformance
import Testing

@testable import TelecapReport

/// Holds the file to what both common schemas ask: Ant's (windyroad JUnit.xsd) and Jenkins' (xunit junit-10.xsd).
@Suite struct JUnitTests {
  /// What an element must have, may have besides, and which children come in which order.
  static let schema: [String: (required: Set<String>, optional: Set<String>, children: [String])] = [
    "testsuites": ([], [], ["testsuite"]),
    "testsuite": (
      ["name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"], ["skipped"],
      ["properties", "testcase", "system-out", "system-err"]
    ),
    "properties": ([], [], ["property"]),
    "property": (["name", "value"], [], []),
    "testcase": (["name", "classname", "time"], [], ["skipped", "error", "failure"]),
    "failure": (["type", "message"], [], []),
    "error": (["type", "message"], [], []),
    // Of Ant's three it is the only one without a type (JUnit.xsd of Jenkins' xunit, and of GitLab).
    "skipped": (["message"], [], []),
    "system-out": ([], [], []),
    "system-err": ([], [], []),
  ]

  func check(_ element: XMLTree) throws {
    let rule = try #require(JUnitTests.schema[element.name], "\(element.name) is no element of JUnit")
    let names = Set(element.attributes.keys)
    #expect(rule.required.isSubset(of: names), "\(element.name) lacks \(rule.required.subtracting(names))")
    #expect(names.isSubset(of: rule.required.union(rule.optional)), "\(element.name): \(names)")
    // xs:decimal of Ant's; Jenkins' takes no more than three decimals.
    if let time = element.attributes["time"] {
      let parts = time.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count == 2 && parts[1].count == 3 && parts.allSatisfy { $0.allSatisfy(\.isNumber) }, "time=\(time)")
    }
    let places = element.children.map { child in rule.children.firstIndex(of: child.name) ?? -1 }
    #expect(places == places.sorted() && !places.contains(-1), "\(element.name): \(element.children.map(\.name))")
    for child in element.children { try check(child) }
  }

  func suite(_ report: SuiteReport) throws -> XMLTree {
    let root = try XMLTree.read(SuiteJUnit.text(report))
    #expect(root.name == "testsuites" && root.children.count == 1)
    try check(root)
    return try #require(root.children.first)
  }

  @Test("The file has the structure that the schemas ask for")
  func theFileHasTheStructureThatTheSchemasAskFor() throws {
    let suite = try suite(Suites.mixed())
    let cases = suite.children.filter { $0.name == "testcase" }
    #expect(
      cases.map { $0.children.first?.name ?? "pass" }
        == ["failure", "pass", "failure", "error", "error", "skipped", "skipped"])
    #expect(suite.attributes["tests"] == "7" && suite.attributes["failures"] == "2")
    #expect(suite.attributes["errors"] == "2" && suite.attributes["skipped"] == "2")
    #expect(suite.attributes["timestamp"] == "2026-02-03T04:05:06")
    #expect(suite.attributes["time"] == "0.012")
    #expect(cases[0].attributes["name"] == "tele.pose.latest-value-wins" && cases[0].attributes["time"] == "0.002")
    #expect(
      cases.compactMap { $0.children.first?.attributes["type"] }
        == ["must", "should", "broken", "inconclusive"])
    for element in suite.children {
      #expect(element.children.count <= 1 || element.name == "properties")
    }
  }

  @Test("What could not be judged is an error only where it fails the suite")
  func whatCouldNotBeJudgedIsAnErrorOnlyWhereItFailsTheSuite() throws {
    let text = Suites.impacts
    let unclear = try Suites.made(.inconclusive, "it shows nothing", text, "tele/haptic/impact-mapping.yaml")
    for (isStrict, expected) in [(false, "skipped"), (true, "error")] {
      let suite = try suite(Suites.report([unclear], strict: isStrict))
      let marks = suite.children.filter { $0.name == "testcase" }.flatMap { $0.children.map(\.name) }
      #expect(marks == [expected])
    }
  }

  @Test("Hostile text comes back as it was but for what XML cannot hold")
  func hostileTextComesBackAsItWasButForWhatXMLCannotHold() throws {
    let suite = try suite(Suites.hostileReport())
    let failure = try #require(suite.children.first { $0.name == "testcase" }?.children.first)
    let kept = "a\u{fffd}[31m</script>\"'&<b>|`*_\u{fffd}\u{fffd}\n# TODO\\ ]]> \u{fffd}é😀"
    #expect(failure.attributes["message"] == "expected \(kept), observed \(kept)")
    #expect(failure.text.contains(kept))
    #expect(suite.attributes["hostname"] == kept)
    #expect(suite.children.first { $0.name == "system-out" }?.text.contains(kept) == true)
  }
}
