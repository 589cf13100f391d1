/// The indices of the checks of a stream's aspects.
struct CheckedAspects: Sendable {
  /// By the aspect; −1 where it is not required.
  private var own = [Int](repeating: -1, count: StreamAspect.allCases.count)
  private var all: [Int]

  init(_ stream: JudgedStream, _ checks: inout CheckList) {
    for (aspect, requirement) in stream.requirements { own[aspect.rawValue] = checks.place(of: requirement) }
    all = own
    for aspect in StreamAspect.allCases where own[aspect.rawValue] < 0 {
      if let general = aspect.general(isNumbered: stream.isNumbered) { all[aspect.rawValue] = own[general.rawValue] }
    }
  }

  /// The check of an aspect, or of the general aspect that includes it.
  subscript(aspect: StreamAspect) -> Int? { all[aspect.rawValue] < 0 ? nil : all[aspect.rawValue] }

  /// The check of an aspect with its own requirement.
  subscript(only aspect: StreamAspect) -> Int? { own[aspect.rawValue] < 0 ? nil : own[aspect.rawValue] }

  /// All indices except that of invalid messages.
  var places: [Int] {
    StreamAspect.allCases.filter { $0 != .invalid }.map { own[$0.rawValue] }.filter { $0 >= 0 }
  }
}
