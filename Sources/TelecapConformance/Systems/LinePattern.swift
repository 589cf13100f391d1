import TelecapText

/// A regular expression whose named groups are the fields of an event: how a program that prints text is read.
public struct LinePattern: Hashable, Sendable {
  /// The expression, in the syntax of Swift: `^pose (?<x>\S+) (?<y>\S+)$`.
  public let text: String

  /// Why an expression is refused that is one.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Checks that it is one, and that no line can hold up its matching.
  /// - Throws: what is wrong with the expression.
  public init(_ text: String) throws {
    _ = try Regex(text)
    if LinearPattern(text) == nil, LinePattern.nestsRepetitions(text) {
      throw Refusal(
        description:
          "it repeats a group that repeats, and needs backtracking (\\b, lookaround, back references, sets of "
          + "sets): a line could take for ever; leave one of them out")
    }
    self.text = text
  }

  /// The expression, made ready; it was checked.
  func compiled() -> CompiledPattern? { CompiledPattern(text) }

  /// Whether a repeated group holds something repeated, such as `(a+)+`: backtracking can take exponential time.
  private static func nestsRepetitions(_ text: String) -> Bool {
    var holdsRepetition: [Bool] = []
    var (isEscaped, isInClass, closed) = (false, false, false)
    for character in text {
      let wasClosed = closed
      closed = false
      if isEscaped {
        isEscaped = false
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass: holdsRepetition.append(false)
      case ")" where !isInClass:
        closed = holdsRepetition.popLast() ?? false
        if closed, let last = holdsRepetition.indices.last { holdsRepetition[last] = true }
      case "*" where !isInClass, "+" where !isInClass, "{" where !isInClass:
        if wasClosed { return true }
        if let last = holdsRepetition.indices.last { holdsRepetition[last] = true }
      case "|" where !isInClass: if let last = holdsRepetition.indices.last { holdsRepetition[last] = true }
      default: break
      }
    }
    return false
  }
}

/// A line pattern that is ready to be matched.
struct CompiledPattern {
  private enum Engine {
    case linear(LinearPattern)
    /// For what only backtracking can match.
    case backtracking(Regex<AnyRegexOutput>)
  }

  private let engine: Engine
  /// The longest line in bytes that is matched by backtracking, which can take the cube of it.
  private static let longestBacktracked = 2_048

  init?(_ text: String) {
    if let linear = LinearPattern(text) {
      engine = .linear(linear)
    } else if let regex = try? Regex(text) {
      engine = .backtracking(regex)
    } else {
      return nil
    }
  }

  /// What a pattern makes of a line.
  enum Reading {
    case none
    /// The named groups as an object of texts.
    case object(JSONNode)
    /// Matching would take too long.
    case tooLong
  }

  func read(_ line: String) -> Reading {
    switch engine {
    case .linear(let pattern):
      switch pattern.match(line) {
      case .none: return .none
      case .tooLong: return .tooLong
      case .found(let groups):
        return .object(JSONNode(.object(groups.map { JSONMember($0.name, .string($0.text)) })))
      }
    case .backtracking(let regex):
      if line.utf8.count > CompiledPattern.longestBacktracked { return .tooLong }
      return regex.object(of: line).map { .object($0) } ?? .none
    }
  }

  /// The named groups of a line as an object of texts; nil for a line that it does not match, or would take too long for.
  func object(of line: String) -> JSONNode? {
    if case .object(let node) = read(line) { node } else { nil }
  }
}

extension Regex<AnyRegexOutput> {
  /// The named groups of a line as an object of texts; nil for a line that it does not match.
  fileprivate func object(of line: String) -> JSONNode? {
    guard let match = try? firstMatch(in: line) else { return nil }
    let members = match.output.compactMap { group in
      group.name.flatMap { name in group.substring.map { JSONMember(name, .string(String($0))) } }
    }
    return JSONNode(.object(members))
  }
}
