import Foundation
import Synchronization

/// The threads that tests run on.
///
/// Swift's own pool has a thread for each core. A test that waits for a program holds its thread, so that on two cores two such tests
/// leave the machine idle. The runtime has a hook for jobs without an executor of their own (`swift_task_enqueueGlobal_hook`,
/// swift/Runtime/Concurrency.h); it gives them to twice as many threads. Where there is no such hook the tests only take longer.
enum TestThreads {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Sets the hook, once. False without one.
  static let areMore: Bool = {
    guard let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
    for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
      let thread = Thread { while true { executor.runNext() } }
      // As large as that of the main thread: tests nest deeply.
      thread.stackSize = 8 << 20
      thread.start()
    }
    hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in executor.enqueue(job) }
    return true
  }()

  private static let executor = SharedQueue()

  /// Jobs in the order of their arrival.
  private final class SharedQueue: TaskExecutor {
    private let jobs = Mutex<(waiting: [UnownedJob], next: Int)>(([], 0))
    private let count = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) {
      jobs.withLock { $0.waiting.append(job) }
      count.signal()
    }

    /// Waits for a job and runs it.
    func runNext() {
      count.wait()
      let job = jobs.withLock { jobs in
        defer {
          jobs.next += 1
          if jobs.next == jobs.waiting.count { jobs = ([], 0) }
        }
        return jobs.waiting[jobs.next]
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
