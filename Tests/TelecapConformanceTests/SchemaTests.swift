import Foundation
import TelecapConformance
import TelecapSuites
import TelecapTestSupport
import Testing

/// The schema beside the documentation is the decoder's own.
@Suite struct SchemaTests {
  private let file = ScenarioFiles.root.appending(path: "Documentation/scenario.schema.json")

  private var made: String {
    JSONSchema.text(
      of: Suites.all.shape, id: "https://telecap.dev/scenario.schema.json", title: "A scenario of telecap conform"
    )
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }

  @Test func theSchemaIsJSONAndNamesEveryKey() throws {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
    let properties = try #require(root["properties"] as? [String: Any])
    #expect(Set(properties.keys) == Set(Suites.all.shape.keys.map(\.name)))
    #expect(root["required"] as? [String] == ["requirement", "role"])
    #expect(root["additionalProperties"] as? Bool == false)
  }
}
