import CSockets
import TelecapPlatform

/// Ends orphans of programs under test. On Linux orphaned processes become telecap's own children, even if they left
/// their group or changed their environment, so none of them remains after the run.
///
/// The guard does not adopt them, although it would end them even where this process is killed: a process has one
/// adopter only, and telecap has no control between `fork` and `exec` of a program, where the guard would have to be
/// inserted.
public enum OrphanReaper {
  private struct State {
    /// The number of processes that telecap started and has not waited for.
    var own = 0
    /// The long-lived ones of them.
    var kept: Set<Int32> = []
    var isAdopting = false
    /// The number of long-lived processes that are being started.
    var spared = 0

    /// Kills all children except the long-lived ones and this one.
    func end(but process: Int32? = nil) {
      guard isAdopting else { return }
      let spared = Array(kept) + [process].compactMap(\.self)
      telecap_strays_end(spared, Int32(spared.count))
    }

    func tellSystem() { if isAdopting { telecap_strays_adopt(spared == 0 ? 1 : 0) } }
  }

  /// Whether all children of this process that this module did not start are orphans. Set once at the start of the
  /// program: a process that starts others in another way would lose them.
  nonisolated(unsafe) public static var areEnded = false

  private static let state = Locked(State())

  /// Call it before the start of a process.
  ///
  /// - Parameter leaves: whether it may leave orphans, which are to be killed.
  static func begin(leaves: Bool = false) {
    state.with { state in
      state.own += 1
      guard leaves, areEnded, !state.isAdopting else { return }
      state.isAdopting = true
      state.tellSystem()
    }
  }

  /// Call it when a process has exited and was not waited for: kills its orphans, unless another process runs that they
  /// may belong to.
  static func end(after process: Int32) {
    state.with { if $0.own == 1 { $0.end(but: process) } }
  }

  /// Call it when a process was waited for, or was never started.
  static func end() {
    state.with { state in
      state.own -= 1
      if state.own == 0 { state.end() }
    }
  }

  /// Marks a started process as long-lived, until `forget`.
  static func keep(_ process: Int32) {
    state.with { state in
      state.own -= 1
      state.kept.insert(process)
    }
  }

  /// Call it when a long-lived process was waited for.
  static func forget(_ process: Int32) { state.with { _ = $0.kept.remove(process) } }

  /// Starts a process that remains after telecap's exit, such as a browser. Orphans of that time are not killed.
  static func sparing<Value>(_ start: () async -> Value) async -> Value {
    state.with { state in
      (state.own, state.spared) = (state.own + 1, state.spared + 1)
      state.tellSystem()
    }
    let value = await start()
    state.with { state in
      state.spared -= 1
      state.tellSystem()
    }
    end()
    return value
  }
}
