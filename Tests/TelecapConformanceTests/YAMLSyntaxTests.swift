import Testing

@testable import TelecapConformance

/// Text that libyaml cannot read is an error at the position that a person changes, with what to write there.
@Suite struct YAMLSyntaxTests {
  @Test(
    "A syntax error names the line to change",
    arguments: [
      // Keys and colons.
      ("a: 1\nb 2\nc: 3", "2:1: a colon and a space follow a key: write \"b: 2\""),
      ("a: 1\nb:2\nc: 3", "2:1: a colon and a space follow a key: write \"b: 2\""),
      ("a: 1\nb = 2;\nc: 3", "2:1: a colon and a space follow a key: write \"b: 2\""),
      ("a: 1\nlist\n  - x: 1", "2:1: a colon and a space follow a key: write \"list:\""),
      ("name toy\ntitle: x", "1:1: a colon and a space follow a key: write \"name: toy\""),
      ("a: 1\n// b\nc: 3", "2:1: a comment begins with \"#\""),
      ("a: x: y", "1:4: a text with a colon and a space is in quotes: write \"a: 'x: y'\""),
      ("- a: x: y", "1:6: a text with a colon and a space is in quotes: write \"a: 'x: y'\""),
      ("- a: 1, b: 2", "1:10: several keys in one line are in braces: write \"- {a: 1, b: 2}\""),
      ("- (a: 1, b: 2)", "1:11: several keys in one line are in braces: write \"- {a: 1, b: 2}\""),
      ("l:\n  - {a: 1}\n  {b: 2}\nc: 3", "3:3: an entry of a list begins with \"- \": write \"- {b: 2}\""),
      ("l:\n  - {a: 1}\n  * {b: 2}\nc: 3", "3:3: an entry of a list begins with \"- \""),
      (
        "l: - a", "1:4: an entry with \"- \" begins a line of its own: write the list below its key, or within brackets"
      ),
      // Indentation.
      (
        "l:\n  - a: 1\n     b: 2",
        "3:6: this key is indented more than that of line 2, which has a value: begin it in column 5"
      ),
      (
        "l:\n  a: 1\n    b: 2",
        "3:5: this key is indented more than that of line 2, which has a value: begin it in column 3, or begin line 2 with \"- \""
      ),
      ("l:\n  -a: 1\n    b: 2", "2:3: a space follows the \"-\" of an entry: write \"- a: 1\""),
      (
        "l:\n  - a: 1\n   b: 2",
        "3:4: this key begins in column 4, and those of the list's entries in column 5: begin it there, or an entry with \"- \" in column 3"
      ),
      (
        "l:\n  - a: 1\n - a: 2",
        "3:2: this entry begins in column 2, where no list is: begin it below its key, as the entries before it"
      ),
      (
        "a: 1\n b: 2",
        "2:2: this key is indented more than that of line 1, which has a value: begin it in column 1, or begin line 1 with \"- \""
      ),
      ("a: [1]\n b: 2", "2:2: this key begins in column 2, and those of line 1 in column 1: begin it there"),
      ("a:\n  b: 1\n\tc: 2", "3:1: a tab indents this line: write spaces, as YAML is indented by these only"),
      // Quotes, brackets and braces.
      ("a: 'x\nb: 1", "1:4: the text that begins here with ' has no ' at its end"),
      ("a: \"x\nb: 1", "1:4: the text that begins here with \" has no \" at its end"),
      ("a: 'x' y", "1:8: the text in quotes ends before this: put all of it in quotes"),
      (
        "a: \"\\d\"",
        "1:5: a backslash within double quotes begins an escape: write it twice, or put the text in single quotes"
      ),
      ("a: {b: 1\nc: 2", "1:4: \"{\" has no \"}\" here, or a comma is missing before line 2, column 2"),
      ("a: [1\nc: 2", "1:4: \"[\" has no \"]\" here, or a comma is missing before line 2, column 2"),
      (
        "a: {b: 1 c: 2}",
        "1:11: within braces a comma follows each \"key: value\", and a text with a colon is in quotes: write a comma or quotes before this"
      ),
      ("a:\n  - {b: 1}}\nc: 2", "2:11: the value ends before this: remove \"}\""),
      ("a: {b: 1, c:}", "1:12: within braces and brackets a space and a value follow the colon of a key"),
      ("a: &", "1:4: a text cannot begin with \"&\": put it in quotes"),
      ("a: %x", "1:4: a text cannot begin with \"%\": put it in quotes"),
      ("a: ]", "1:4: a text cannot begin with \"]\": put it in quotes"),
    ])
  func problems(_ text: String, _ expected: String) {
    let most = YAMLComposer.Room(values: 1_000, bytes: 10_000)
    let error = #expect(throws: YAMLFileError.self) { try YAMLComposer.compose(text, file: "f", most: most) }
    #expect(error?.description == "f:\(expected)")
  }
}
