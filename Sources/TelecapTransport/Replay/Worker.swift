import CSockets

/// A thread for blocking work, such as reading files ahead of a sender. Swift's own tasks share a few threads that must
/// not block.
public struct Worker: ~Copyable {
  private let thread: OpaquePointer

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts the work.
  ///
  /// - Throws: `WorkerError` when the system cannot start a thread.
  public init(_ body: @escaping @Sendable () -> Void) throws(WorkerError) {
    let work = Unmanaged.passRetained(Work(body))
    let started = telecap_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }, work.toOpaque())
    guard let started else {
      work.release()
      throw WorkerError()
    }
    thread = started
  }

  /// Runs blocking work, and returns its result or throws its error.
  ///
  /// - Throws: also `WorkerError`.
  public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    var worker: Worker?
    // No polling: a cancelled task would not sleep, and would occupy one of the few threads that all tasks share. The
    // work continues even if no task waits for it any more.
    let result: Result<Value, any Error> = try await withCheckedThrowingContinuation { continuation in
      do {
        worker = try Worker { continuation.resume(returning: Result { try body() }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    worker.take()?.join()
    return try result.get()
  }

  /// Waits until the work is done.
  public consuming func join() { telecap_thread_join(thread) }
}

/// The error that the system could not start a thread.
public struct WorkerError: Error, CustomStringConvertible {
  /// The error message.
  public var description: String { "the system has no thread left" }
}
