#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that its holder may take again, and that the others get in the order in which they asked: a thread that reads a capture in
/// many portions does not keep the others waiting for all of it, as it would with a lock of the system's.
public final class FairLock: Sendable {
  private struct State {
    var holder: pthread_t?
    /// How often its holder took it.
    var depth = 0
    /// How many have asked for it so far, and how many of them have given it back.
    var (asked, served) = (0, 0)
  }

  private let state = Locked(State())

  /// A lock that nobody holds.
  public init() {}

  /// Whether another thread waits for it, for tests.
  var isAwaited: Bool { state.with { $0.asked - $0.served > 1 } }

  /// Runs `body` when no other thread holds the lock.
  public func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
    take()
    defer { release() }
    return try body()
  }

  private func take() {
    let turn: Int? = state.with { state in
      if let holder = state.holder, pthread_equal(holder, pthread_self()) != 0 {
        state.depth += 1
        return nil
      }
      state.asked += 1
      return state.asked - 1
    }
    guard let turn else { return }
    state.with(when: { $0.served == turn }) { ($0.holder, $0.depth) = (pthread_self(), 1) }
  }

  private func release() {
    state.with { state in
      state.depth -= 1
      guard state.depth == 0 else { return }
      (state.holder, state.served) = (nil, state.served + 1)
    }
  }
}
