import Foundation
import TelecapPlatform

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
      let thread = Thread { while true { queue.next().runSynchronously(on: generic) } }
      // As large as that of the main thread: tests nest deeply.
      thread.stackSize = 8 << 20
      thread.start()
    }
    hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in queue.add(job) }
    return true
  }()

  /// The executor of jobs that have none, which is no object (swift/ABI/Executor.h, `SerialExecutorRef::generic`): a task that returns to it
  /// goes on at once.
  private static let generic = unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)

  private static let queue = JobQueue()

  /// Jobs in the order of their arrival.
  private final class JobQueue: Sendable {
    private let jobs = Locked<(waiting: [UnownedJob], next: Int)>(([], 0))
    private let count = DispatchSemaphore(value: 0)

    func add(_ job: UnownedJob) {
      jobs.with { $0.waiting.append(job) }
      count.signal()
    }

    /// Waits for a job and takes it.
    func next() -> UnownedJob {
      count.wait()
      return jobs.with { jobs in
        let job = jobs.waiting[jobs.next]
        jobs.next += 1
        if jobs.next == jobs.waiting.count || jobs.next == 1_024 {
          jobs.waiting.removeFirst(jobs.next)
          jobs.next = 0
        }
        return job
      }
    }
  }
}
