import CSQLite
import TelecapText

/// The limits of conditions: expressions of SQL that a user, or a page, gives. They run in the process that may be recording, and
/// SQLite looks at an interrupt between the steps of a statement only, never within a function or while it compiles.
///
/// - No value is longer than `maxValueLength`, no condition longer than `maxLength`.
/// - Only the functions in `functions` can be called: their time grows with the length of their arguments and not with its square.
///   Those of SQLite's that are slower have the versions of `ConditionFunctions`.
/// - `WITH` is refused, also in a view that the condition names: tables that name one another twice take SQLite 2ⁿ steps to compile,
///   which nothing breaks off. Of views that do so SQLite itself allows 65,535 references.
///
/// Used with the connection in hand.
final class ConditionLimits {
  /// The maximum length of a condition in bytes.
  static let maxLength = 16_384
  /// The maximum length of a value that a condition computes or reads, in bytes. No frame is longer.
  static let maxValueLength = 1 << 20
  /// The maximum number of steps of SQLite's machine between two looks at the deadline: a step can be a function of a long value.
  private static let stepsBetweenLooks: Int32 = 64

  /// When the condition is given up; nil where it may take its time.
  private(set) var deadline: ContinuousClock.Instant?
  /// The function that was asked for last and cannot be called.
  private var refused: String?
  private let connection: OpaquePointer

  /// Replaces the slow functions of a connection.
  init(on connection: OpaquePointer) throws(SQLiteError) {
    self.connection = connection
    let limits = Unmanaged.passUnretained(self).toOpaque()
    // Innocuous, as SQLite's own are: else a table of a user's that names one in a CHECK would make the file a damaged one.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    for function in ConditionFunctions.all {
      for count in function.argumentCounts {
        try SQLiteError.check(
          sqlite3_create_function_v2(
            connection, function.name, count, flags, limits, function.body, nil, nil, nil),
          of: connection)
      }
    }
  }

  /// Whether the deadline has passed.
  var isLate: Bool { deadline.map { ContinuousClock.now > $0 } ?? false }

  /// Runs `body`, in which a condition is compiled and computed, within the limits.
  ///
  /// - Parameter timeout: in seconds; nil for none.
  func apply<Value>(_ timeout: Int?, _ body: () throws -> Value) rethrows -> Value {
    let length = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(Self.maxValueLength))
    if let timeout {
      deadline = ContinuousClock.now + .seconds(timeout)
      sqlite3_progress_handler(
        connection, Self.stepsBetweenLooks, { ConditionLimits.at($0)?.isLate == true ? 1 : 0 },
        Unmanaged.passUnretained(self).toOpaque())
    }
    defer {
      sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, length)
      sqlite3_progress_handler(connection, 0, nil, nil)
      deadline = nil
    }
    return try body()
  }

  /// Compiles a condition with `body`, which may call the allowed functions only.
  ///
  /// - Throws: `SQLiteError`, whose words name the function that cannot be called.
  func compile<Value>(_ condition: String, _ db: Database, _ body: () throws -> Value) throws -> Value {
    let length = condition.utf8.count
    guard length <= Self.maxLength else {
      throw SQLiteError(
        code: SQLITE_TOOBIG, message: "it has \(length) bytes, and a condition has at most \(Self.maxLength)")
    }
    let words = SQLWords(condition)
    guard !words.hasOpenComment else {
      throw SQLiteError(code: SQLITE_ERROR, message: "a comment in it has no end: write */")
    }
    guard !words.words.contains("with") else {
      throw SQLiteError(code: SQLITE_AUTH, message: "WITH cannot be used in a condition")
    }
    if let view = try Self.viewOfWith(in: condition, db) {
      throw SQLiteError(
        code: SQLITE_AUTH, message: "the view \(view.printable) cannot be used in a condition: there is a WITH in it")
    }
    refused = nil
    sqlite3_set_authorizer(
      connection, { limits, action, _, name, _, _ in ConditionLimits.at(limits)?.decide(action, name) ?? SQLITE_DENY },
      Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(connection, nil, nil) }
    do {
      return try body()
    } catch let error as SQLiteError {
      guard let refused else { throw error }
      throw SQLiteError(
        code: SQLITE_AUTH,
        message: "the function \(refused) cannot be used in a condition; "
          + "those that can: \(Self.functions.sorted().joined(separator: ", "))")
    }
  }

  /// The name of a view with WITH in it that a condition may read, directly or through other views; nil where there is none. A text that
  /// is the name of such a view counts as that name: SQLite takes it for one in a FROM.
  private static func viewOfWith(in condition: String, _ db: Database) throws -> String? {
    let sql = "SELECT CAST(name AS TEXT) AS name, CAST(sql AS TEXT) AS sql FROM sqlite_schema WHERE type = 'view'"
    var others = try db.rows(sql: sql).map { (name: $0.text("name") ?? "", sql: $0.text("sql") ?? "") }
    var names = SQLWords(condition).names
    var hasNew = true
    while hasNew {
      let named = others.partition { names.contains($0.name.lowercased()) }
      hasNew = named < others.count
      for view in others[named...] {
        let words = SQLWords(view.sql)
        if words.words.contains("with") { return view.name }
        names.formUnion(words.names)
      }
      others.removeSubrange(named...)
    }
    return nil
  }

  private func decide(_ action: Int32, _ name: UnsafePointer<CChar>?) -> Int32 {
    guard action == SQLITE_FUNCTION else {
      return [SQLITE_SELECT, SQLITE_READ].contains(action) ? SQLITE_OK : SQLITE_DENY
    }
    let name = name.map { String(cString: $0).lowercased() } ?? ""
    if Self.functions.contains(name) { return SQLITE_OK }
    refused = name
    return SQLITE_DENY
  }

  /// The limits that a callback of SQLite's was given.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> ConditionLimits? {
    pointer.map { Unmanaged<ConditionLimits>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The functions that a condition can call (https://www.sqlite.org/lang_corefunc.html and its neighbours). None reads a file, and
  /// none takes time or memory that grows faster than its arguments: those of JSON do.
  private static let functions: Set<String> = [
    "abs", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "ifnull", "iif", "instr", "length",
    "like",
    "likelihood", "likely", "lower", "ltrim", "max", "min", "nullif", "octet_length", "printf", "quote", "random",
    "randomblob", "replace", "round", "rtrim", "sign", "substr", "substring", "trim", "typeof", "unhex", "unicode",
    "unlikely", "upper", "zeroblob",
    // Of dates and times.
    "date", "datetime", "julianday", "strftime", "time", "timediff", "unixepoch",
    // Of numbers.
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp",
    "floor",
    "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    // Of many rows.
    "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag", "last_value", "lead", "nth_value",
    "ntile", "percent_rank", "rank", "row_number", "string_agg", "sum", "total",
  ]
}
