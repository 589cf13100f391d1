/// Texts that break out of the language that they are written into: untrusted names, titles, paths and packet comments.
public enum HostileText {
  /// Forty of them. None contains a NUL, since no argument of a command and no file name can.
  public static let all = visible + controls

  /// Those without a control character: as names and titles they are allowed.
  public static let visible = [
    // Shells, a quote and a combining accent among them: to Swift one character, to a shell a quote.
    "a'; touch x; $(touch x)", "`touch x`", "'\u{301}; touch x; '\u{301}", "\"; touch x; \"", "~root/*?[a-z]{a,b}",
    "-rf", "=ls", "!!", "a\\",
    "$'\\x27; touch x", "# not a comment",
    // Lua, SQL, YAML, JSON, CSV.
    "]]os.execute([[touch x]])--", "\\\" .. os.execute('touch x') .. \\\"", "'; DROP TABLE packet; --",
    "\"\u{301}; DROP TABLE packet; --",
    "{a: &b [*b], c: !!x y}", "- yes: no # null", "%TAG ! x", "\\u0022,\"x\":1", "a,\"b\"\u{301},c",
    "=cmd|'/c calc'!A1",
    // HTML, XML, Markdown.
    "<script>run()</script>", "\"><img src=x onerror=run()>", "]]><!--<![CDATA[", "&lt;&#x3c;&amp",
    "[a](javascript:run) | ![b](//c) @d",
    // Workflow commands, TAP, roff.
    "::error file=a,line=1::b", "%0A::set-env name=A::b%3A", "a # SKIP b", ".so /etc/passwd", "'\\\" roff",
  ]

  /// Those with one: line breaks of every kind, what a terminal obeys, what turns the direction of text.
  public static let controls = [
    "a\nos.execute([[touch x]])\n--", "a\r::add-mask::b", "a\r\n|b\u{301}", "a\u{85}b", "a\u{2028}b", "a\u{2029}b",
    "a\u{1b}]0;owned\u{7}\u{9b}31m", "a\u{202e}b\u{2066}c", "a\u{7f}\u{8}\u{1}",
  ]
}
