import TelecapText
import Testing

@Suite struct GlobTests {
  @Test(
    "A pattern matches as in a shell",
    arguments: [
      ("tele.*", "tele.hello.busy", true), ("tele.*", "mouse.split.sum", false), ("*", "", true), ("", "a", false),
      ("*.grid", "tele.pose.latest-value-wins.grid", true), ("*.grid", "tele.grid.x", false), ("a?c", "abc", true),
      ("a?c", "ac", false), ("tele.[bh]*", "tele.bye.closes", true), ("tele.[bh]*", "tele.cmd.unknown", false),
      ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("**.busy", "tele.hello.busy", true), ("tele", "tele.x", false),
      ("[", "[", false),
    ])
  func aPatternMatchesAsInAShell(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(text) == matches)
  }
}
