/// What is no YAML, or YAML of another form: indentation, colons, quotes, braces, lists.
enum YAMLMistakes {
  static let rows: [Mistake] = [
    // Indentation.
    Mistake("    over: udp", "     over: udp", 6, 6, "indented more than that of line 5", "begin it in column 5"),
    Mistake("    over: udp", "   over: udp", 6, 4, "begins in column 4", "in column 5"),
    Mistake("    over: udp", "\tover: udp", 6, 1, "a tab", "write spaces"),
    Mistake("streams:", " streams:", 41, 2, "begins in column 2", "in column 1: begin it there"),
    Mistake("  - name: HELLO", "  name: HELLO", 13, 5, "begin it in column 3, or begin line 12 with \"- \""),
    // Colons and dashes.
    Mistake("port: 7000", "port 7000", 7, 5, "a colon and a space", "write \"port: 7000\""),
    Mistake("port: 7000", "port:7000", 7, 5, "a colon and a space", "write \"port: 7000\""),
    Mistake("port: 7000", "port = 7000", 7, 5, "a colon and a space", "write \"port: 7000\""),
    Mistake("protocol: lamp", "protocol lamp", 1, 1, "write \"protocol: lamp\""),
    Mistake("messages:", "messages", 11, 1, "write \"messages:\""),
    Mistake("  - name: HELLO", "  -name: HELLO", 12, 3, "a space follows the \"-\"", "write \"- name: HELLO\""),
    Mistake("{name: kind, type: u8, is: type}", "{name:kind, type:u8, is:type}", 10, 6, "write \"name: kind\""),
    Mistake("title: a lamp", "// a lamp\ntitle: a lamp", 2, 1, "a comment begins with \"#\""),
    Mistake("title: a lamp", "title: lamp: v2", 2, 8, "in quotes", "write \"title: 'lamp: v2'\""),
    // Braces, brackets, commas and quotes.
    Mistake("u8, is: type}", "u8, is: type", 10, 5, "\"{\" has no \"}\""),
    Mistake("[level]", "[level", 45, 13, "\"[\" has no \"]\""),
    Mistake("{name: kind, type: u8", "{name: kind type: u8", 10, 21, "write a comma"),
    Mistake(
      "- {name: kind, type: u8, is: type}", "- name: kind, type: u8, is: type", 10, 21,
      "write \"- {name: kind, type: u8, is: type}\""),
    Mistake("title: a lamp", "title: 'a lamp", 2, 8, "has no ' at its end"),
    Mistake("title: a lamp", "title: @home", 2, 8, "cannot begin with \"@\": put it in quotes"),
    Mistake("title: a lamp", "title: *bold* lamp", 2, 8, "in quotes"),
    Mistake("title: a lamp", "title: !a lamp", 2, 8, "the tag !a has no effect", "write '!a lamp'"),
    Mistake("title: a lamp", "title: !!str 12", 2, 8, "the tag !!str has no effect", "write '12'"),
    Mistake("values: [level]", "values: !list [level]", 45, 13, "the tag !list has no effect: remove it"),
    Mistake("title: a lamp", "title: a lamp\nexact: !yes {}", 3, 8, "the tag !yes has no effect: remove it"),
    Mistake(
      "type: text in size}", "type: text in size, meaning: what, where}", 36, 58, "put the text in quotes",
      "meaning: 'what, where'"),
    Mistake("unit: deg", "unit:", 33, 49, "a space and a value follow the colon"),
    Mistake("scale: 0.01", "scale: 0,01", 33, 39, "a decimal point", "write \"scale: 0.01\""),
    // Files.
    Mistake(file: "", 1, 1, "the file is empty"),
    Mistake(file: "protocol: lamp\n", 1, 1, "protocol has no \"carriers\"", "Write carriers: [{name: udp"),
    Mistake(file: "{\"name\": \"lamp\"}", 1, 2, "unknown key \"name\"", "write \"protocol\""),
    Mistake(
      file: "syntax = \"proto3\";\n", 1, 1, "expected a mapping (protocol)", "begins with \"protocol: …\""),
    Mistake(file: "\u{fffd}\u{fffd}p\u{0}r\u{0}o\u{0}", 1, 4, "U+0000", "save it as UTF-8"),
    Mistake("title: a lamp", "title: a lamp\n---", 3, 1, "one document: remove \"---\""),
    Mistake("title: a lamp", "title: a lamp\ntitle: the lamp", 3, 1, "\"title\" is there already", "line 2"),
    Mistake("title: a lamp", "title: a lamp\n<<: *base", 3, 5, "no anchor \"&base\""),
  ]
}
