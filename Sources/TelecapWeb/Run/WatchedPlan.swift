import TelecapConformance
import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapText
import TelecapTransport

/// A plan that is shown beside its capture, and read again when its file has changed: a person edits it and looks again.
final class WatchedPlan: Sendable {
  private let path: String
  private let read: @Sendable () throws -> ShownPlan
  private let state: Locked<State>

  private struct State {
    var mark: FileStatus?
    var plan: ShownPlan
    /// All of what it does, drawn anew; nil as long as it is the plan of the first picture.
    var whole: NetworkRun?
    /// Why the file cannot be read as it is now.
    var problem: String?
  }

  /// - Throws: as `ShownPlan` does.
  init(_ path: String, of recording: Recording, suites: Suites) throws {
    let read: @Sendable () throws -> ShownPlan = { try ShownPlan(path, of: recording, suites: suites) }
    (self.path, self.read) = (path, read)
    let mark = FileStatus(path)
    state = Locked(State(mark: mark, plan: try read()))
  }

  /// What it does, in these columns.
  func drawn(_ grid: TimeGrid) throws -> NetworkRun { try state.with { $0.plan }.drawn(grid) }

  /// A part of what it does now.
  ///
  /// - Parameter whole: all of what it did at first.
  func part(_ grid: TimeGrid, of whole: NetworkRun) throws -> NetworkRun {
    let (plan, whole) = state.with { state in
      look(&state, whole.grid)
      return (state.plan, state.whole ?? whole)
    }
    return try plan.part(grid, of: whole)
  }

  /// What a reader of a page must know of it; nil where what is drawn is what its file holds.
  var notice: String? {
    state.with { $0.problem }.map { "\(path.printable) has changed: what it did before is drawn. \($0)" }
  }

  /// Reads the file again where it is another one than before. One that cannot be read leaves what there was.
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
