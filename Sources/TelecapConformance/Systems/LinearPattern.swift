/// A regular expression that matches in linear time: it follows all alternatives at once and tries none twice (Thompson
/// 1968; Pike's virtual machine). It finds the match of a backtracking engine: the leftmost; of alternatives the first;
/// of repetitions the longest, or with `?` the shortest.
struct LinearPattern: Sendable {
  /// One instruction.
  enum Step: Sendable {
    case scalar(ScalarSet)
    case begin
    case end
    /// Continues at both indices, the first of which is preferred.
    case split(Int, Int)
    case jump(Int)
    /// Stores the position.
    case save(Int)
    case match
  }

  private let steps: [Step]
  /// The names of the groups, each of which has two saved positions.
  private let names: [String]

  /// The maximum number of instructions of an expression, and of executed ones for a line.
  private static let mostSteps = 2_000
  private static let mostWork = 4_000_000

  /// The result for a line.
  enum Outcome: Equatable {
    case none
    /// The named groups that took part.
    case found([Group])
    /// The line needs more than the maximum number of instructions.
    case tooLong
  }

  /// A named group, and the text that it matched.
  struct Group: Equatable {
    let name: String
    let text: String
  }

  /// Nil for an expression that needs backtracking, such as one with `\b`, lookaround or a back reference.
  init?(_ text: String) {
    guard let (tree, names) = PatternParser.parse(text) else { return nil }
    var program = Program()
    guard program.add(tree), program.steps.count < LinearPattern.mostSteps else { return nil }
    steps = program.steps + [.match]
    self.names = names
  }

  private struct Program {
    var steps: [Step] = []

    /// Returns false where the program becomes too long.
    mutating func add(_ tree: PatternTree) -> Bool {
      guard steps.count < LinearPattern.mostSteps else { return false }
      switch tree {
      case .empty: break
      case .set(let set): steps.append(.scalar(set))
      case .begin: steps.append(.begin)
      case .end: steps.append(.end)
      case .sequence(let parts): return parts.allSatisfy { add($0) }
      case .group(let number, let inner):
        steps.append(.save(2 * number))
        guard add(inner) else { return false }
        steps.append(.save(2 * number + 1))
      case .alternatives(let parts):
        var ends: [Int] = []
        for (index, part) in parts.enumerated() {
          let split = steps.count
          if index < parts.count - 1 { steps.append(.split(split + 1, 0)) }
          guard add(part) else { return false }
          guard index < parts.count - 1 else { break }
          ends.append(steps.count)
          steps.append(.jump(0))
          steps[split] = .split(split + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
      case .repeated(let inner, let least, let most, let isLazy):
        for _ in 0..<least { guard add(inner) else { return false } }
        guard let most else {
          let start = steps.count
          steps.append(.split(0, 0))
          guard add(inner) else { return false }
          steps.append(.jump(start))
          steps[start] = isLazy ? .split(steps.count, start + 1) : .split(start + 1, steps.count)
          return true
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
          splits.append(steps.count)
          steps.append(.split(0, 0))
          guard add(inner) else { return false }
        }
        for split in splits {
          steps[split] = isLazy ? .split(steps.count, split + 1) : .split(split + 1, steps.count)
        }
      }
      return true
    }
  }

  // MARK: - Matching

  private struct Thread {
    let step: Int
    let saved: [Int]
  }

  /// Matches a line.
  func match(_ line: String) -> Outcome {
    let scalars = Array(line.unicodeScalars)
    var run = Run(steps: steps, count: scalars.count)
    var threads: [Thread] = []
    var found: [Int]?
    let none = [Int](repeating: -1, count: 2 * names.count)
    for position in 0...scalars.count {
      run.begin()
      var next: [Thread] = []
      for thread in threads { run.follow(thread.step, thread.saved, at: position, &next) }
      // A match that begins further left is preferred.
      if found == nil { run.follow(0, none, at: position, &next) }
      if run.work > LinearPattern.mostWork { return .tooLong }
      threads = []
      for thread in next {
        guard case .scalar(let set) = steps[thread.step] else {
          // The remaining threads have lower priority.
          found = thread.saved
          break
        }
        if position < scalars.count, set.contains(scalars[position]) {
          threads.append(Thread(step: thread.step + 1, saved: thread.saved))
        }
      }
      if threads.isEmpty, found != nil { break }
    }
    guard let found else { return .none }
    return .found(
      names.enumerated().compactMap { index, name in
        let (start, end) = (found[2 * index], found[2 * index + 1])
        guard start >= 0, end >= start else { return nil }
        return Group(name: name, text: String(String.UnicodeScalarView(scalars[start..<end])))
      })
  }

  /// The threads at one position, at most one for each instruction.
  private struct Run {
    let steps: [Step]
    let count: Int
    /// The round in which each instruction was reached last.
    private var reached: [Int]
    private var round = 0
    private(set) var work = 0

    init(steps: [Step], count: Int) {
      (self.steps, self.count) = (steps, count)
      reached = [Int](repeating: 0, count: steps.count)
    }

    mutating func begin() { round += 1 }

    /// Continues from an instruction to those that read a character or match, the preferred ones first.
    mutating func follow(_ first: Int, _ saved: [Int], at position: Int, _ threads: inout [Thread]) {
      var open = [Thread(step: first, saved: saved)]
      while let thread = open.popLast() {
        work += 1
        let step = thread.step
        if reached[step] == round { continue }
        reached[step] = round
        switch steps[step] {
        case .scalar, .match: threads.append(thread)
        case .begin: if position == 0 { open.append(Thread(step: step + 1, saved: thread.saved)) }
        case .end: if position == count { open.append(Thread(step: step + 1, saved: thread.saved)) }
        case .jump(let to): open.append(Thread(step: to, saved: thread.saved))
        case .split(let preferred, let other):
          open.append(Thread(step: other, saved: thread.saved))
          open.append(Thread(step: preferred, saved: thread.saved))
        case .save(let place):
          var saved = thread.saved
          saved[place] = position
          open.append(Thread(step: step + 1, saved: saved))
        }
      }
    }
  }
}
