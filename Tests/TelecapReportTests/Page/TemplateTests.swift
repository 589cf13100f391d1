import Testing

@testable import TelecapReport

/// The tags of templates.
@Suite struct TemplateTests {
  private struct Values {
    var text = "<a>"
    var number = 7
    var share = 0.5
    var yes = true
    var no = false
    var none: String?
    var some: String? = "s"
    var empty: [String] = []
    var words = ["v", "w&"]
    var rows = [Row(name: "1"), Row(name: nil)]
    var markup = Markup([])
  }

  private struct Row {
    let name: String?
    var cells = ["x", "y"]
    let text = "in a row"
  }

  @Test(
    "Each tag",
    arguments: [
      ("", ""), ("no tag { } }}", "no tag { } }}"), ("{{text}}|{{{text}}}", "&lt;a&gt;|<a>"),
      ("{{number}} {{share}} {{yes}}", "7 0.5 true"),
      ("{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{^yes}}c{{/yes}}{{^no}}d{{/no}}", "ad"),
      ("{{#some}}[{{some}}{{.}}]{{/some}}{{^some}}b{{/some}}", "[ss]"),
      ("{{#none}}a{{/none}}{{^none}}b{{none}}{{/none}}", "b"),
      ("{{#words}}[{{.}}|{{{.}}}]{{/words}}{{^words}}b{{/words}}", "[v|v][w&amp;|w&]"),
      ("{{#empty}}a{{/empty}}{{^empty}}b{{/empty}}", "b"), ("{{#number}}<{{.}}>{{/number}}", "<7>"),
      // A name is looked for outwards, also where it is nil inside.
      ("{{#rows}}{{name}}{{#cells}}{{.}}{{number}}{{/cells}};{{/rows}}", "1x7y7;x7y7;"),
      ("{{#rows}}{{#name}}{{text}} {{/name}}{{some}} {{/rows}}{{text}}", "in a row s s &lt;a&gt;"),
      ("{{#rows}}{{#rows}}{{name}}{{/rows}}|{{/rows}}", "11|1|"),
      ("{{missing}}{{{missing}}}{{#missing}}a{{/missing}}{{^missing}}b{{/missing}}", "b"),
    ])
  func tags(_ template: String, _ expected: String) { #expect(PageTemplate(template).render(Values()) == expected) }

  @Test(
    "A line in which a section's mark stands alone is not written",
    arguments: [
      ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), ("a\n  {{#yes}}\t\n  b\n {{/yes}} \nc", "a\n  b\nc"),
      ("{{#yes}}\nb\n{{/yes}}", "b\n"), ("{{^no}}\n\nb\n{{/no}}\n\n", "\nb\n\n"),
      ("{{#words}}\n- {{.}}\n{{/words}}\n", "- v\n- w&amp;\n"),
      ("<{{#words}}{{.}}\n{{/words}}\n>", "<v\nw&amp;\n>"),
      // Others stay.
      ("  {{text}}\n", "  &lt;a&gt;\n"), ("{{#yes}} {{/yes}}\n", " \n"),
      ("{{#yes}}{{#some}}\na{{/some}}{{/yes}}\n", "\na\n"),
      ("a {{#yes}}\nb\n{{/yes}} c\n", "a \nb\n c\n"), ("{{#no}}\na\n{{/no}}\nb", "b"),
    ])
  func lines(_ template: String, _ expected: String) { #expect(PageTemplate(template).render(Values()) == expected) }

  @Test("A dictionary gives its values by their keys, and markup is not escaped twice")
  func dictionaries() {
    let inner = Markup(PageTemplate("<b>{{text}}</b>"), ["text": "<"])
    #expect(PageTemplate("{{{inner}}}{{other}}").render(["inner": inner]) == "<b>&lt;</b>")
    #expect(PageTemplate("{{#inner}}{{{.}}}{{/inner}}").render(["inner": inner]) == "<b>&lt;</b>")
    #expect(PageTemplate("{{#rows}}{{name}};{{/rows}}").render(["rows": Values().rows]) == "1;;")
    #expect(PageTemplate("{{a}}").render([:] as [String: String]) == "")
  }

  @Test("A quote stays none with a mark behind it, as value and in a list")
  func marks() {
    #expect(PageTemplate("{{a}}").render(["a": "\"\u{301}'\u{301}<\u{338}"]) == "&quot;\u{301}&#39;\u{301}&lt;\u{338}")
    #expect(PageTemplate("{{#a}}{{.}}{{/a}}").render(["a": ["\"\u{301}"]]) == "&quot;\u{301}")
  }

  @Test(
    "What is no template is told with its line",
    arguments: [
      ("a\n{{b", 2, "a tag has no end"), ("{{{b}}", 1, "a tag has no end"), ("{{#a}}\n\n", 2, "a has no end"),
      ("{{/a}}", 1, "a ends, which is not open"), ("{{#a}}{{#b}}\n{{/a}}{{/b}}", 2, "a ends, which is not open"),
      ("{{}}", 1, "\"\" is no name"), ("{{a b}}", 1, "\"a b\" is no name"), ("{{! a}}", 1, "\"! a\" is no name"),
      ("{{a.b}}", 1, "\"a.b\" is no name"), ("{{>a}}", 1, "\">a\" is no name"), ("{{&a}}", 1, "\"&a\" is no name"),
    ])
  func problems(_ template: String, _ line: Int, _ text: String) {
    let problem = #expect(throws: TemplateParser.Problem.self) { try TemplateParser.parts(of: template) }
    #expect(problem == TemplateParser.Problem(line: line, text: text))
  }
}
