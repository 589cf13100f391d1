import TelecapText
import TelecapWire
import Testing

@testable import TelecapConformance
import TelecapSuites

/// The patterns of system files are matched in bounded time, and find what Swift's own expressions find.
@Suite("Patterns of system files") struct LinearPatternTests {
  private static let patterns = [
    #"^pose (?<x>\S+) (?<y>\S+)$"#, #"(?<x>[-+]?(?:[.\d][-+.\w]*|(?i:nan|inf)\w*))"#, #"(?<x>[-0-9.]+)"#,
    #"(?<a>a|ab)(?<b>c|bcd)(?<c>d*)"#, #"^(?<x>(a+)+)$"#, #"(?<x>a{2,3}?)(?<y>a*)"#, #"x=(?<x>[^,\]]*)[,\]]"#,
    #"(?<w>\w+) +(?<d>\d+)?"#, #"a.c"#, #"(?<x>(?:ab)*)(?<y>b?)"#, #"^$"#, #"(?<e>)(?<x>é+)"#, #"[\]\-a]+(?<x>\^|\\)"#,
    #"(?<k>[A-Za-z_][\w.-]*) ?[:=] ?(?<v>.*?)(?: ;|$)"#, #"(?<x>a{0})b"#, #"(?<x>a*?)b"#, #"all done"#,
  ]
  private static let lines = [
    "", "pose 1 2", "pose 1.5 -2e3", "pose  1 2", "abcd", "abc", "aaaa", "aaa!", "x=1,y=2]", "x NaN", "x -inf",
    "speed 12",
    "a\tc", "abab", "abb", "ééé", "a]-^", "a-\\", "key = value ; more", "key: v", "b", "aab", "we are all done here",
    "٣٤", "a b",
  ]

  @Test("The linear matcher finds the same as a backtracking one", arguments: patterns)
  func same(_ pattern: String) throws {
    let linear = try #require(LinearPattern(pattern))
    let regex = try Regex(pattern)
    for line in Self.lines {
      var expected: [LinearPattern.Group]?
      if let match = try regex.firstMatch(in: line) {
        expected = match.output.compactMap { group in
          group.name.flatMap { name in group.substring.map { LinearPattern.Group(name: name, text: String($0)) } }
        }
      }
      #expect(linear.match(line) == expected.map { .found($0) } ?? .none, "\(pattern) on \(line)")
    }
  }

  @Test(
    "A line that would take a backtracking matcher for ever is matched at once", .timeLimit(.minutes(10)),
    arguments: [
      #"^(?<x>(a+)+)$"#, #"^(?<x>(?:a|a)*)b$"#, #"(?<x>(a*)*)c"#, #"^(?<x>.*.*.*.*.*)=$"#, #"(?<x>(\w+\s?)*)$x"#,
    ])
  func exponential(_ pattern: String) throws {
    let compiled = try #require(try LinePattern(pattern).compiled())
    for length in [40, 5_000] { _ = compiled.read(String(repeating: "a", count: length) + "!") }
  }

  @Test("A pattern that takes too long is named, and gives no event")
  func named() throws {
    var rule = EventRule(.pose)
    rule.pattern = try LinePattern("(?<x>\(String(repeating: "(?:a?){30}", count: 20)))b")
    var finder = EventMatcher([rule], file: "s.yaml")
    #expect(finder.find(in: String(repeating: "a", count: 60_000).utf8, isShown: true).isEmpty)
    #expect(finder.mapping.rules[0].unread.why.contains("takes too long"))
    #expect(finder.mapping.rules[0].unread.why.contains("(?:a?){30}"))
  }

  @Test(
    "A nested repetition that only backtracking can match is rejected",
    arguments: [#"(?<x>(a+)+)\b"#, #"^(?=a)(?<x>(?:a|ab)*)$"#, #"(?<x>(\w+)*)\1"#])
  func refused(_ pattern: String) {
    #expect(throws: LinePattern.Refusal.self) { try LinePattern(pattern) }
  }

  @Test(
    "Other expressions of Swift are still accepted", arguments: [#"\b(?<x>\d+)\b"#, #"(?<x>a++)b"#, #"(?<x>\p{L}+)"#])
  func taken(_ pattern: String) throws {
    let compiled = try #require(try LinePattern(pattern).compiled())
    #expect(compiled.object(of: "12") != nil || compiled.object(of: "aab") != nil)
  }
}
