import TelecapText

/// A regular expression whose named groups are the fields of an event, for programs that print text.
public struct LinePattern: Hashable, Sendable {
  /// The expression, in the syntax of Swift: `^pose (?<x>\S+) (?<y>\S+)$`.
  public let text: String

  /// The reason why a valid expression is rejected.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Checks that it is valid, and that no line can make its matching slow.
  /// - Throws: an error that describes the problem.
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

  /// The compiled expression. It was checked before.
  func compiled() -> CompiledPattern? { CompiledPattern(text) }

  /// Whether a repeated group contains a repetition, such as `(a+)+`: backtracking can take exponential time.
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

/// A compiled line pattern.
struct CompiledPattern {
  private enum Engine {
    case linear(LinearPattern)
    /// For expressions that need backtracking.
    case backtracking(Regex<AnyRegexOutput>)
  }

  private let engine: Engine
  /// The maximum length in bytes of a line for backtracking, which can take cubic time.
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

  /// The result of a pattern for a line.
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

  /// The named groups of a line as an object of texts; nil for a line that does not match or would take too long.
  func object(of line: String) -> JSONNode? {
    if case .object(let node) = read(line) { node } else { nil }
  }
}

extension Regex<AnyRegexOutput> {
  /// The named groups of a line as an object of texts; nil for a line that does not match.
  fileprivate func object(of line: String) -> JSONNode? {
    guard let match = try? firstMatch(in: line) else { return nil }
    let members = match.output.compactMap { group in
      group.name.flatMap { name in group.substring.map { JSONMember(name, .string(String($0))) } }
    }
    return JSONNode(.object(members))
  }
}
