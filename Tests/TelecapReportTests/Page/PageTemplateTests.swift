import Testing

@testable import TelecapReport

@Suite struct PageTemplateTests {
  @Test(
    "Nothing that is put into a template can end the text or the attribute that it stands in",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)",
      // As Swift's characters these are no quotes: a mark behind one makes another character of it.
      "\"\u{301} onload=alert(1) x=\"\u{301}", "<\u{338}script>", "'\u{200d}", "&\u{301}",
    ])
  func escapes(_ text: String) {
    let filled = PageTemplate("[{{text}}]{{#list}}[{{.}}]{{/list}}").render(Values(text: text, list: [text]))
    #expect(filled.unicodeScalars.allSatisfy { !"<>\"'".unicodeScalars.contains($0) })
    #expect(
      filled.unicodeScalars.filter { $0 == "&" }.count == filled.split(separator: ";").count - 1 || !text.contains("&"))
  }

  private struct Values {
    let text: String
    let list: [String]
  }
}
