import TelecapTestSupport
import Testing

@testable import TelecapStore

/// The values that a condition can compute, and how long one of its steps takes: no step of SQLite's can be
/// interrupted.
@Suite("The limits of conditions") struct ConditionLimitTests {
  private let folder: Folder
  private let reader: CaptureReader

  init() throws {
    folder = try Folder()
    try Example().import(to: folder["a"], .test)
    reader = try CaptureReader(path: folder["a"], .standard)
  }

  /// The value of a condition's expression; SQLite's error if it has none.
  private func value(_ expression: String) throws -> CellValue {
    try reader.read { db in
      var found = CellValue.null
      let limits = try #require(db.conditionLimits)
      try limits.apply(nil) {
        let query = try limits.compile(expression, db) { try Query(db, "", "SELECT \(expression)") }
        try query.forEach { found = $0.value(0) }
      }
      return found
    }
  }

  private func problem(_ condition: String, timeout: Int? = nil) -> String? {
    do {
      _ = try reader.messages(where: condition, .after(0), most: 1, timeout: timeout)
      return nil
    } catch StoreError.badCondition(_, let reason) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  /// Expressions of which our versions of SQLite's functions return the same as these.
  private static let expressions = [
    "instr('abcabc', 'c')", "instr('abc', 'd')", "instr('abc', '')", "instr('', 'a')", "instr('äöüö', 'ö')",
    "instr(x'c3a4c3b6', x'b6')", "instr(x'6162', 'b')", "instr('a', NULL)", "instr(1234, 34)", "instr('abc', 'abcd')",
    "replace('abcabc', 'b', 'xx')", "replace('aaa', 'aa', 'b')", "replace('abc', '', 'x')", "replace('abc', 'b', '')",
    "replace('abc', 'b', NULL)", "replace(x'6162', 'b', 'c')", "replace('', 'a', 'b')", "typeof(replace(12, '', 'x'))",
    "trim('  a b  ')", "ltrim('  a ')", "rtrim(' a  ')", "trim('xxaxx', 'x')", "trim('äaäö', 'öä')", "trim('abc', '')",
    "trim('', 'a')", "trim('aaa', 'a')", "trim(NULL)", "trim('a', NULL)", "rtrim('abcba', 'ab')",
    "ltrim('abcba', 'ab')",
    "typeof(trim('   '))", "'ABC' LIKE 'a_c'", "'abc' LIKE 'a%'", "'abc' LIKE '%d'", "'a%c' LIKE 'a\\%c' ESCAPE '\\'",
    "'abc' LIKE 'a\\%c' ESCAPE '\\'", "NULL LIKE 'a'", "'a' LIKE NULL", "'Ä' LIKE 'ä'", "12 LIKE '1%'", "'' LIKE ''",
    "'abc' GLOB 'a*'", "'abc' GLOB 'A*'", "'abc' GLOB '[a-c]?c'", "'abc' GLOB '[^a]*'", "NOT 'abc' GLOB 'abc'",
  ]

  @Test("The functions that replace SQLite's return the same values", arguments: expressions)
  func same(_ expression: String) throws {
    let plain = try Database("", .memory, patience: 0)
    var expected = CellValue.null
    try Query(plain, "", "SELECT \(expression)").forEach { expected = $0.value(0) }
    #expect(try value(expression) == expected)
  }

  @Test(
    "A function of long values takes a fraction of a second, or is rejected", .timeLimit(.minutes(10)),
    arguments: [
      ("instr(zeroblob(1048576), zeroblob(524288) || x'01') > 0", nil),
      ("instr(hex(zeroblob(524287)), hex(zeroblob(200000)) || '1') > 0", nil),
      ("replace(hex(zeroblob(524287)), hex(zeroblob(200000)) || '1', '') = ''", nil),
      ("trim(hex(zeroblob(524287)), hex(zeroblob(524287))) = ''", nil),
      (
        "hex(zeroblob(524287)) LIKE '%' || hex(zeroblob(16)) || '1'",
        "a pattern of 34 bytes for a text of 1048574 bytes: LIKE takes at most 16777216 steps"
      ),
      (
        "hex(zeroblob(524287)) GLOB '*[0-9][0-9][0-9]1'",
        "a pattern of 17 bytes for a text of 1048574 bytes: GLOB takes at most 16777216 steps"
      ),
      ("hex(zeroblob(524287)) GLOB '*[0-9][0-9]1'", nil),
      ("'a%' LIKE 'a%' ESCAPE '%'", "ESCAPE expression must not be % or _"),
      ("'a_' LIKE 'a_' ESCAPE '_'", "ESCAPE expression must not be % or _"),
    ] as [(String, String?)])
  func long(_ condition: String, _ expected: String?) {
    #expect(problem(condition + " AND message = 1") == expected)
  }

  @Test("A value of 1 MiB can be computed, and not one of a byte more")
  func length() {
    #expect(problem("length(zeroblob(1048576)) = 0") == nil)
    let tooLong = "it makes a value of more than 1048576 bytes"
    #expect(problem("length(zeroblob(1048577)) = 0") == tooLong)
    #expect(problem("length(replace(zeroblob(1000000), x'00', 'ab')) = 0") == tooLong)
    // SQLite makes NULL of what is too long here.
    #expect(problem("length(printf('%2000000d', 1)) > 0") == nil)
    // The limit does not apply to columns outside a condition, nor to the connection afterwards.
    #expect(throws: Never.self) { try reader.forEachRow { _, _ in } }
    #expect(throws: Never.self) { try reader.read { try $0.execute(sql: "SELECT zeroblob(2000000)") } }
  }

  @Test("A comment may end the condition, and one without an end is an error")
  func comments() {
    for ended in ["message = 1 -- x", "message = 1 /* x */", "message = 1 /**/", "type = '/*'"] {
      #expect(problem(ended) == nil, "\(ended)")
    }
    for open in ["message = 1 /* x", "message = 1 /*", "message = 1 /* x *", "message = 1 /*/"] {
      #expect(problem(open) == "a comment in it has no end: write */", "\(open)")
    }
  }

  @Test("A condition has at most 16,384 bytes")
  func bytes() {
    func condition(_ count: Int) -> String { "1" + String(repeating: " ", count: count - 1) }
    #expect(problem(condition(16_384)) == nil)
    #expect(problem(condition(16_385)) == "it has 16385 bytes, and a condition has at most 16384")
  }

  @Test(
    "A function that is not on the list is rejected by its name, with any arguments",
    arguments: ["json_array_length('[]')", "json('1')", "load_extension('x')", "sqlite_version()", "changes()"])
  func functions(_ call: String) throws {
    let reason = try #require(problem("\(call) = 1"))
    let name = call.prefix { $0 != "(" }
    #expect(reason.hasPrefix("the function \(name) cannot be used in a condition; those that can: abs, "))
  }

  @Test(
    "WITH is rejected if it is a keyword of SQL",
    arguments: [
      ("(WITH c AS (SELECT 1) SELECT count(*) FROM c)", false),
      ("(/* */wItH c AS (SELECT 1 x) SELECT x FROM c)", false),
      ("type = 'WITH'", true), ("type = 'it''s with' -- with", true), ("type /* with */ = 'a'", true),
      ("[type] = 'with' OR \"type\" = 'with'", true), ("type = 'a' -- '\n OR (WITH c AS (SELECT 1) SELECT 1)", false),
    ])
  func with(_ condition: String, _ isTaken: Bool) {
    #expect(problem(condition) == (isTaken ? nil : "WITH cannot be used in a condition"))
  }

  /// A view of so many tables that name one another twice: SQLite takes 2ⁿ steps to compile it.
  private static let ladder =
    "WITH c0 AS (SELECT 1 x), "
    + (1..<60).map { "c\($0) AS (SELECT a.x FROM c\($0 - 1) a, c\($0 - 1) b)" }.joined(separator: ", ")
    + " SELECT x FROM c59"

  /// The capture of the test with these statements run in it, as its user may.
  private func problem(_ condition: String, after statements: [String], timeout: Int? = nil) throws -> String? {
    let path = folder["a"]
    let db = try Database(path, .writing, patience: 0)
    for statement in statements { try db.execute(sql: statement) }
    db.close()
    return problem(condition, timeout: timeout)
  }

  @Test(
    "A user's view with WITH in it is rejected under any name, and also through another view",
    arguments: [
      "(SELECT count(*) FROM slow) > 0", "(SELECT x FROM \"SLOW\") > 0", "(SELECT x FROM 'slow') > 0",
      "(SELECT x FROM [Slow]) > 0", "(SELECT x FROM `slow`) > 0", "(SELECT x FROM main.slow) > 0",
      "(SELECT x FROM outer_one) > 0", "(SELECT x FROM \"out\"\"er\") > 0", "1 IN slow",
    ])
  func viewsWithWith(_ condition: String) throws {
    let reason = try problem(
      condition,
      after: [
        "CREATE VIEW slow AS \(Self.ladder)", "CREATE VIEW outer_one AS SELECT x FROM inner_one",
        "CREATE VIEW inner_one AS SELECT x FROM 'Slow'", "CREATE VIEW \"out\"\"er\" AS SELECT x FROM inner_one",
      ])
    #expect(reason == "the view slow cannot be used in a condition: there is a WITH in it")
  }

  @Test("A user's view without WITH can be used, with the limits of the condition that names it")
  func otherViews() throws {
    let endless = "SELECT count(*) AS n FROM packet a, packet b, packet c, packet d, packet e, packet f, packet g"
    let views =
      [
        "CREATE VIEW slow AS \(Self.ladder)",
        "CREATE VIEW poses AS SELECT message FROM dissection WHERE type = 'POSE' /* with */",
        "CREATE VIEW made AS SELECT json('1') AS x FROM packet", "CREATE VIEW endless AS \(endless)",
        "CREATE VIEW v0 AS SELECT 1 x",
      ] + (1..<40).map { "CREATE VIEW v\($0) AS SELECT a.x FROM v\($0 - 1) a, v\($0 - 1) b" }
    #expect(try problem("message IN poses", after: views) == nil)
    #expect(problem("type = 'poses'") == nil)
    #expect(problem("(SELECT x FROM made) = 1") == "unsafe use of json()")
    #expect(problem("(SELECT count(*) FROM v39) > 0") == "too many references to \"v0\": max 65535")
    #expect(problem("(SELECT n FROM endless) < 0", timeout: 1) == "timeout after 1 s")
  }

  @Test("A long condition of slow steps times out", .real("the wall clock"))
  func many() {
    let step = "hex(zeroblob(524287)) LIKE '%00000000001'"
    let condition = Array(repeating: step, count: 300).joined(separator: " OR ")
    let clock = ContinuousClock()
    let took = clock.measure {
      #expect(problem(condition, timeout: 1) == "timeout after 1 s")
    }
    #expect(took < .seconds(10))
  }
}
