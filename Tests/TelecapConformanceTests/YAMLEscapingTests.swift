import TelecapConformance
import TelecapTestSupport
import TelecapText
import Testing

/// Text that `learn` writes into a system file, read back by the reader of system files.
@Suite("Text in YAML") struct YAMLEscapingTests {
  private static let shape = YAMLShape(
    "file", [YAMLKey("a", .list(.text), ""), YAMLKey("b", .text, ""), YAMLKey("c", .text, "")])

  @Test(
    "An escaped scalar is read back unchanged, within brackets and alone, and ends no comment",
    arguments: HostileText.all)
  func scalars(_ text: String) throws {
    let yaml = """
      \(Escaping.yamlComment(text))
      a: [\(Escaping.yaml(text)), \(Escaping.yaml("x\(text)")), 'end']
      b: \(Escaping.yamlQuoted(text))
      c: end
      """
    let value = try YAMLValue.read(yaml, file: "a.yaml", as: Self.shape)
    let meant = [text, "x\(text)", "end"].map { Array($0.utf8) }
    #expect(try #require(value["a"]).list.map { Array(($0.text ?? "").utf8) } == meant)
    #expect(value["b"].map { Array(($0.text ?? "").utf8) } == Array(text.utf8) && value["c"]?.text == "end")
    #expect(value["c"]?.line == 4)
  }
}
