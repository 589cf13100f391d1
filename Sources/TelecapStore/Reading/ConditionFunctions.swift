import CSQLite
import CStore

/// Functions of SQL whose versions in SQLite take time that grows with the product of the lengths of their arguments: with values of
/// 1 MiB a single call takes minutes. These return the same, and refuse what would take longer than a part of a second.
enum ConditionFunctions {
  typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// A function, by its name and how many arguments it takes.
  struct Function: Sendable {
    let name: String
    let argumentCounts: [Int32]
    let body: Body
  }

  static let all = [
    Function(name: "instr", argumentCounts: [2]) { call($0, $1, $2, instr) },
    Function(name: "replace", argumentCounts: [3]) { call($0, $1, $2, replace) },
    Function(name: "trim", argumentCounts: [1, 2]) { call($0, $1, $2) { trim($0, ends: (true, true)) } },
    Function(name: "ltrim", argumentCounts: [1, 2]) { call($0, $1, $2) { trim($0, ends: (true, false)) } },
    Function(name: "rtrim", argumentCounts: [1, 2]) { call($0, $1, $2) { trim($0, ends: (false, true)) } },
    Function(name: "like", argumentCounts: [2, 3]) { call($0, $1, $2, like) },
    Function(name: "glob", argumentCounts: [2]) { call($0, $1, $2, glob) },
  ]

  /// A call before the deadline, none of whose arguments is NULL.
  private struct Call {
    let context: OpaquePointer
    let arguments: UnsafeMutableBufferPointer<OpaquePointer?>

    func isBlob(_ index: Int) -> Bool { sqlite3_value_type(arguments[index]) == SQLITE_BLOB }

    /// The bytes of an argument as text; they stay SQLite's.
    func text(_ index: Int) -> UnsafeRawBufferPointer {
      let start = UnsafeRawPointer(sqlite3_value_text(arguments[index]))
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[index])))
    }

    /// The bytes of a blob; they stay SQLite's.
    func blob(_ index: Int) -> UnsafeRawBufferPointer {
      let start = sqlite3_value_blob(arguments[index])
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[index])))
    }

    func fail(_ words: String) { sqlite3_result_error(context, words, -1) }

    func returnText(_ bytes: UnsafeRawBufferPointer) {
      // The address of no bytes is nil, which would be NULL.
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return sqlite3_result_text(context, "", 0, SQLITE_TRANSIENT)
      }
      sqlite3_result_text(context, start, Int32(clamping: bytes.count), SQLITE_TRANSIENT)
    }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (Call) -> Void
  ) {
    guard let context, let arguments else { return }
    if ConditionLimits.at(sqlite3_user_data(context))?.isLate == true {
      return sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    }
    let call = Call(context: context, arguments: .init(start: arguments, count: Int(count)))
    for argument in call.arguments where sqlite3_value_type(argument) == SQLITE_NULL {
      return sqlite3_result_null(context)
    }
    body(call)
  }

  // MARK: - Searching

  /// The index of the first `part` in `whole` from `start` on.
  private static func index(of part: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer, from start: Int) -> Int?
  {
    guard let first = whole.baseAddress, let wanted = part.baseAddress, start <= whole.count else { return nil }
    return telecap_find(first + start, whole.count - start, wanted, part.count).map { $0 - first }
  }

  /// `instr(X, Y)`: where Y begins in X, from 1: in bytes where both are blobs, else in characters. 0 where it is not in X.
  private static func instr(_ call: Call) {
    let areBlobs = call.isBlob(0) && call.isBlob(1)
    let (whole, part) = areBlobs ? (call.blob(0), call.blob(1)) : (call.text(0), call.text(1))
    if part.isEmpty { return sqlite3_result_int64(call.context, 1) }
    guard let place = index(of: part, in: whole, from: 0) else { return sqlite3_result_int64(call.context, 0) }
    let before = areBlobs ? place : whole[..<place].count { $0 & 0xc0 != 0x80 }
    sqlite3_result_int64(call.context, Int64(before + 1))
  }

  /// `replace(X, Y, Z)`: X with Z for each Y.
  private static func replace(_ call: Call) {
    let (whole, part, other) = (call.text(0), call.text(1), call.text(2))
    if part.isEmpty { return sqlite3_result_value(call.context, call.arguments[0]) }
    var (made, start) = ([UInt8](), 0)
    while let place = index(of: part, in: whole, from: start) {
      made += whole[start..<place]
      made += other
      guard made.count <= ConditionLimits.maxValueLength else { return sqlite3_result_error_toobig(call.context) }
      start = place + part.count
    }
    made += whole[start...]
    guard made.count <= ConditionLimits.maxValueLength else { return sqlite3_result_error_toobig(call.context) }
    made.withUnsafeBytes(call.returnText)
  }

  /// `trim(X, Y)`: X without the characters of Y at its ends; without Y, without spaces.
  private static func trim(_ call: Call, ends: (first: Bool, last: Bool)) {
    var rest = call.text(0)[...]
    let characters = call.arguments.count > 1 ? Set(Characters(rest: call.text(1)[...])) : [UInt32(UInt8(ascii: " "))]
    if ends.first {
      var all = Characters(rest: rest)
      while let next = all.next(), characters.contains(next) { rest = all.rest }
    }
    while ends.last, !rest.isEmpty {
      let start = rest.lastIndex { $0 & 0xc0 != 0x80 } ?? rest.startIndex
      var last = Characters(rest: rest[start...])
      guard let character = last.next(), last.rest.isEmpty, characters.contains(character) else { break }
      rest = rest[..<start]
    }
    call.returnText(UnsafeRawBufferPointer(rebasing: rest))
  }

  /// The characters of UTF-8 as numbers of their bytes; a character is a first byte and at most three that continue it.
  private struct Characters: Sequence, IteratorProtocol {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func next() -> UInt32? {
      guard let first = rest.popFirst() else { return nil }
      var character = UInt32(first)
      while first >= 0xc0, character < 1 << 24, let next = rest.first, next & 0xc0 == 0x80 {
        character = character << 8 | UInt32(next)
        rest = rest.dropFirst()
      }
      return character
    }
  }

  // MARK: - Patterns

  /// The maximum product of the lengths of a text and a pattern: a comparison takes so many steps at most.
  private static let maxSteps = 1 << 24

  /// `X LIKE Y ESCAPE Z` is `like(Y, X, Z)`.
  private static func like(_ call: Call) {
    var escape: UInt32 = 0
    if call.arguments.count > 2 {
      let scalars = String(decoding: call.text(2), as: UTF8.self).unicodeScalars
      guard scalars.count == 1, let one = scalars.first else {
        return call.fail("ESCAPE expression must be a single character")
      }
      // SQLite's operator then loses its wildcard, its function does not.
      if one == "%" || one == "_" { return call.fail("ESCAPE expression must not be % or _") }
      escape = one.value
    }
    match(call, "LIKE") { sqlite3_strlike($0, $1, escape) }
  }

  /// `X GLOB Y` is `glob(Y, X)`.
  private static func glob(_ call: Call) { match(call, "GLOB") { sqlite3_strglob($0, $1) } }

  private static func match(
    _ call: Call, _ name: String, _ compare: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) {
    let (pattern, text) = (call.text(0), call.text(1))
    let steps = pattern.count.multipliedReportingOverflow(by: text.count)
    guard !steps.overflow, steps.partialValue <= maxSteps else {
      return call.fail(
        "a pattern of \(pattern.count) bytes for a text of \(text.count) bytes: \(name) takes at most \(maxSteps) steps"
      )
    }
    // SQLite ends both with a NUL.
    guard let pattern = pattern.baseAddress?.assumingMemoryBound(to: CChar.self),
      let text = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    else { return sqlite3_result_error_nomem(call.context) }
    sqlite3_result_int(call.context, compare(pattern, text) == 0 ? 1 : 0)
  }
}
