#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that threads share: one at a time works on it, and one can wait until it is as needed.
///
/// The C library's mutex and condition: the standard library's Mutex needs macOS 15 and has no condition.
///
/// `@unchecked Sendable`: the value is touched with `mutex` held only; the C library's locks are made to be shared, and their memory
/// never moves.
public final class Locked<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// How many threads wait for a change.
  private var waiters = 0
  private var value: Value

  /// A value to share.
  public init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Works on the value; others wait. Not to be called by `body` on the same value.
  public func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    return try body(&value)
  }

  /// Works on the value as soon as `isReady` holds of it, which every other work on the value may bring about.
  public func with<Result>(
    when isReady: (Value) -> Bool, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    while !isReady(value) {
      waiters += 1
      pthread_cond_wait(changed, mutex)
      waiters -= 1
    }
    return try body(&value)
  }

  /// The value may have changed: those that wait look again.
  private func unlock() {
    if waiters > 0 { pthread_cond_broadcast(changed) }
    pthread_mutex_unlock(mutex)
  }
}
