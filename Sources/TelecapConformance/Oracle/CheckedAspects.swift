/// Where the checks of a stream's aspects stand.
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

  /// The check of an aspect, or of the general one that holds it.
  subscript(aspect: StreamAspect) -> Int? { all[aspect.rawValue] < 0 ? nil : all[aspect.rawValue] }

  /// The check of an aspect that has a requirement for it alone.
  subscript(only aspect: StreamAspect) -> Int? { own[aspect.rawValue] < 0 ? nil : own[aspect.rawValue] }

  /// All places but that of what is no message.
  var places: [Int] {
    StreamAspect.allCases.filter { $0 != .invalid }.map { own[$0.rawValue] }.filter { $0 >= 0 }
  }
}
