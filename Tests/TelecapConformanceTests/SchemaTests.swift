import Foundation
import TelecapConformance
import TelecapSuites
import TelecapTestSupport
import Testing

/// The schema in the documentation is the decoder's own.
@Suite struct SchemaTests {
  private let file = ScenarioFiles.root.appending(path: "Documentation/scenario.schema.json")

  private var made: String {
    JSONSchema.text(
      of: Suites.all.shape, id: "https://telecap.dev/scenario.schema.json", title: "A scenario of telecap conform"
    )
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema file is the decoder's own schema of scenarios")
  func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }

  @Test("The schema is JSON and names every key")
  func theSchemaIsJSONAndNamesEveryKey() throws {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
    let properties = try #require(root["properties"] as? [String: Any])
    #expect(Set(properties.keys) == Set(Suites.all.shape.keys.map(\.name)))
    #expect(root["required"] as? [String] == ["requirement", "role"])
    #expect(root["additionalProperties"] as? Bool == false)
  }
}

/// The schema of networks is the decoder's own, and each of the project's says what it is and where its numbers come from.
@Suite struct NetworkFileTests {
  private let file = ScenarioFiles.root.appending(path: "Documentation/network.schema.json")
  private let folder = ScenarioFiles.root.appending(path: "Scenarios/networks")

  private var made: String {
    JSONSchema.text(of: NetworkFile.shape, id: "https://telecap.dev/network.schema.json", title: "A network of telecap")
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema file is the decoder's own schema of network profiles")
  func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }

  @Test("The project's network profiles are valid and named like their files")
  func thoseOfTheProjectAreReadAndCalledAsTheirFiles() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(
      names.map { String($0.dropLast(5)) } == [
        "3g", "bluetooth-busy", "edge", "lte", "train-tunnel", "very-bad", "wifi-crowded",
      ])
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let network = try NetworkFile(text, file: name)
      #expect("\(network.name).yaml" == name && !network.title.isEmpty && network.source.count > 40)
      let page = try String(
        contentsOf: ScenarioFiles.root.appending(path: "Documentation/reference/network-profiles.md"), encoding: .utf8)
      #expect(
        page.contains("| `\(network.name)` | \(network.title) | `\(network.impairments)` |"), "\(network.impairments)")
    }
  }

  @Test(
    "An error in a network profile names its line and column",
    arguments: [
      ("network: x\ntitle: x\nsource: x\n", "1:1: a network without an impairment has no effect: add one"),
      ("network: x\ntitle: x\nloss: 5%\n", "1:1: network has no \"source\": The source of its numbers."),
      ("network: x\ntitle: x\nsource: x\nloss: 500%\n", "4:7: \"500%\" is more than 100%"),
      ("network: x\ntitle: x\nsource: x\nlos: 5%\n", "4:1: unknown key \"los\""),
      (
        "network: x\ntitle: x\nsource: x\nloss 5%\n",
        "4:1: a colon and a space follow a key: write \"loss: 5%\""
      ),
    ])
  func whatIsWrongIsToldWithItsPlace(_ text: String, _ words: String) {
    #expect {
      try NetworkFile(text, file: "x.yaml")
    } throws: { "\($0)".contains(words) }
  }
}

/// The schema of system files is the decoder's own, and the files of the project and of its pages keep to both.
@Suite struct SystemSchemaTests {
  private let file = ScenarioFiles.root.appending(path: "Documentation/system.schema.json")

  private var made: String {
    JSONSchema.text(
      of: SystemShape.system(.all), id: "https://telecap.dev/system.schema.json", title: "A system of telecap conform")
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema file is the decoder's own schema of system files")
  func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }

  @Test(
    "Files of the project name their schema in the first line",
    arguments: [
      ("Scenarios/systems", "system"), ("Tests/Independent", "system"), ("Scenarios/protocols", "protocol"),
      ("Scenarios/networks", "network"),
    ])
  func filesOfTheProjectNameTheirSchemaInTheFirstLine(_ folder: String, _ kind: String) throws {
    let folder = ScenarioFiles.root.appending(path: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(!names.isEmpty)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let mark = "# yaml-language-server: $schema="
      let line = String(text.prefix { $0 != "\n" })
      #expect(line.hasPrefix(mark), "\(name)")
      let schema = folder.appending(path: String(line.dropFirst(mark.count))).standardizedFileURL
      #expect(schema.path == ScenarioFiles.root.appending(path: "Documentation/\(kind).schema.json").path)
    }
  }

  @Test("The examples of its pages are system files")
  func theExamplesOfItsPagesAreSystemFiles() throws {
    let folder = ScenarioFiles.root.appending(path: "Documentation/reference")
    let pages = try ["system-file.md", "device-programs.md"].map { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    let page = pages.joined(separator: "\n")
    let examples = page.components(separatedBy: "```yaml\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count == 10)
    for example in examples {
      #expect(throws: Never.self, "\(example)") { try SystemFile(example, file: "system-file.md", suites: .all) }
    }
    for name in SystemFile.Variable.allCases.map(\.rawValue) { #expect(page.contains("`$\(name)`")) }
    for name in Suites.all.kindNames { #expect(page.contains("| `\(name)` |")) }
    for kind in Suites.all.kinds {
      for field in kind.fields where field != "address" { #expect(page.contains("`\(field)`"), "\(kind.name)") }
    }
    for key in SystemShape.system(.all).keys {
      #expect(page.contains("| `\(key.name)` |") || page.contains("### `\(key.name)`"), "\(key.name)")
    }
  }
}
