#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that its holder may take again, and that the others get in the order in which they asked: who reads a capture in many
/// portions does not keep them waiting for all of it, as with a lock of the system's.
///
/// @unchecked Sendable: what changes is touched with `mutex` held only.
final class FairLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let passedOn = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Who has it.
  private var holder: pthread_t?
  /// How often its holder took it.
  private var depth = 0
  /// How many have asked for it so far, and how many of them have given it back.
  private var (asked, served) = (0, 0)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(passedOn, nil)
  }

  deinit {
    pthread_cond_destroy(passedOn)
    pthread_mutex_destroy(mutex)
    passedOn.deallocate()
    mutex.deallocate()
  }

  /// Whether another thread waits for it, for tests.
  var isAwaited: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return asked - served > 1
  }

  /// Runs `body` when no other thread holds the lock.
  func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
    take()
    defer { release() }
    return try body()
  }

  private func take() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let holder, pthread_equal(holder, pthread_self()) != 0 {
      depth += 1
      return
    }
    let turn = asked
    asked += 1
    while served != turn { pthread_cond_wait(passedOn, mutex) }
    (holder, depth) = (pthread_self(), 1)
  }

  private func release() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    depth -= 1
    guard depth == 0 else { return }
    holder = nil
    served += 1
    pthread_cond_broadcast(passedOn)
  }
}
