import CSockets
import TelecapPlatform

/// What programs under test leave behind when they end: processes that lost their parents. On Linux these become our own children, however
/// they left their group and whatever they did to their environment, so none of them outlives the run.
///
/// Not the guard's children, though it would end them also where this process is killed: a process is handed to one of its ancestors only,
/// and between `fork` and `exec` of a program, where the guard could come between, nobody asks us.
public enum OrphanReaper {
  private struct State {
    /// Processes that we started ourselves and that have not been waited for.
    var own = 0
    /// Those of them that stay while programs come and go.
    var kept: Set<Int32> = []
    var isAdopting = false
    /// What is being started and is to stay.
    var spared = 0

    /// Ends all children but those that stay, and this one.
    func end(but process: Int32? = nil) {
      guard isAdopting else { return }
      let spared = Array(kept) + [process].compactMap(\.self)
      telecap_strays_end(spared, Int32(spared.count))
    }

    func tellSystem() { if isAdopting { telecap_strays_adopt(spared == 0 ? 1 : 0) } }
  }

  /// Whether all children of this process that it did not start by this room are strays. Set once, where the program begins: a process
  /// that starts others in ways of its own would lose them.
  nonisolated(unsafe) public static var areEnded = false

  private static let state = Locked(State())

  /// We are about to start a process of our own.
  ///
  /// - Parameter leaves: it may leave others behind, which are to be ended.
  static func begin(leaves: Bool = false) {
    state.with { state in
      state.own += 1
      guard leaves, areEnded, !state.isAdopting else { return }
      state.isAdopting = true
      state.tellSystem()
    }
  }

  /// A process of our own has ended, and has not been waited for: ends what it left behind, unless another one runs, whose own that
  /// may be.
  static func end(after process: Int32) {
    state.with { if $0.own == 1 { $0.end(but: process) } }
  }

  /// A process of our own has been waited for, or was never started.
  static func end() {
    state.with { state in
      state.own -= 1
      if state.own == 0 { state.end() }
    }
  }

  /// A process of our own has been started that stays while programs come and go, until `forget`.
  static func keep(_ process: Int32) {
    state.with { state in
      state.own -= 1
      state.kept.insert(process)
    }
  }

  /// A process that was to stay has been waited for.
  static func forget(_ process: Int32) { state.with { _ = $0.kept.remove(process) } }

  /// Starts something that is to stay when we have ended, a person's browser: what loses its parent meanwhile is nobody's stray.
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
