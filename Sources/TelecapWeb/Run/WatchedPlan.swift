import TelecapConformance
import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapText
import TelecapTransport

/// A plan next to its capture, reread when its file changes, because users edit it and reload the page.
final class WatchedPlan: Sendable {
  private let path: String
  private let read: @Sendable () throws -> ShownPlan
  private let state: Locked<State>

  private struct State {
    var mark: FileStatus?
    var plan: ShownPlan
    /// All effects of the changed plan; nil while it is the plan of the first picture.
    var whole: NetworkRun?
    /// The reason why the current file cannot be read.
    var problem: String?
  }

  /// - Throws: as `ShownPlan` does.
  init(_ path: String, of recording: Recording, suites: Suites) throws {
    let read: @Sendable () throws -> ShownPlan = { try ShownPlan(path, of: recording, suites: suites) }
    (self.path, self.read) = (path, read)
    let mark = FileStatus(path)
    state = Locked(State(mark: mark, plan: try read()))
  }

  /// The effects of the plan in these columns.
  func drawn(_ grid: TimeGrid) throws -> NetworkRun { try state.with { $0.plan }.drawn(grid) }

  /// A part of the plan's current effects.
  ///
  /// - Parameter whole: all effects of the first plan.
  func part(_ grid: TimeGrid, of whole: NetworkRun) throws -> NetworkRun {
    let (plan, whole) = state.with { state in
      look(&state, whole.grid)
      return (state.plan, state.whole ?? whole)
    }
    return try plan.part(grid, of: whole)
  }

  /// A notice on the page if the picture does not match the file; nil otherwise.
  var notice: String? {
    state.with { $0.problem }.map { "\(path.printable) has changed: what it did before is drawn. \($0)" }
  }

  /// Rereads the file if it has changed. If it cannot be read, the old plan stays.
  private func look(_ state: inout State, _ grid: TimeGrid) {
    let mark = FileStatus(path)
    if mark == state.mark { return }
    (state.mark, state.problem) = (mark, nil)
    do {
      let plan = try read()
      (state.plan, state.whole) = (plan, try plan.drawn(grid))
    } catch {
      state.problem = "\(error)"
    }
  }
}
