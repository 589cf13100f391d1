import CSockets
import TelecapPlatform
import TelecapRecording

/// How long the threads of a program were ready to run and waited for a processor, at worst within a short time, while a run goes on:
/// what a right program shows is that much later. Linux counts it for each thread (proc(5), `schedstat`); elsewhere nothing is known.
final class SchedulingDelay: Sendable {
  private let program: Int32
  private let clock: any MonotonicClock
  private let window: Locked<SchedulingWindow>
  private let task: Task<Void, Never>

  /// How long it sleeps between two looks, in ns.
  private static let nap: Nanoseconds = 20_000_000
  /// The maximum number of threads that are looked at, of the program and its children.
  private static let maxThreads = 128

  /// Begins to look at a program and at the processes that descend from it.
  init(of program: Int32, by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    (self.program, self.clock) = (program, clock)
    let window = Locked(SchedulingWindow(processors: Int(telecap_processors())))
    self.window = window
    SchedulingDelay.look(at: program, window, clock)
    task = Task.detached {
      while !Task.isCancelled {
        await clock.wait(for: SchedulingDelay.nap)
        SchedulingDelay.look(at: program, window, clock)
      }
    }
  }

  /// The worst delay so far, in ns.
  var worst: Nanoseconds { window.with { $0.worst } }

  /// How long the program waited in all, in ns, where that is a quarter of a time limit or more, which it could not keep for that; else 0.
  func share(of limit: Nanoseconds) -> Nanoseconds { window.with { $0.total >= limit / 4 ? $0.total : 0 } }

  /// Ends looking, and blocks until no thread waits that has not run since, for 100 ms at most: only then its delay is known.
  /// - Returns: The worst delay, in ns.
  func end() -> Nanoseconds {
    task.cancel()
    SchedulingDelay.look(at: program, window, clock)
    for _ in 0..<20 where window.with({ $0.isWaiting }) {
      clock.sleep(for: 5_000_000)
      SchedulingDelay.look(at: program, window, clock)
    }
    return worst
  }

  deinit { task.cancel() }

  private static func look(at program: Int32, _ window: Locked<SchedulingWindow>, _ clock: any MonotonicClock) {
    let threads = threads(of: program)
    window.with { $0.add(threads, at: clock.now()) }
  }

  /// The threads of a process and of those that descend from it, as they are now; none where the system does not tell.
  static func threads(of program: Int32) -> [SchedulingWindow.Thread] {
    var times = [telecap_thread_times](repeating: telecap_thread_times(), count: maxThreads)
    let count = Int(telecap_threads(program, &times, Int32(maxThreads)))
    return times.prefix(count).map {
      SchedulingWindow.Thread(id: $0.id, isReady: $0.is_ready != 0, ran: $0.ran, waited: $0.waited)
    }
  }
}

/// The worst that any thread of a program waited for a processor within a tenth of a second, out of what was seen of its threads
/// again and again.
struct SchedulingWindow {
  /// A thread as it was seen: for how long it ran since it began, and for how long it was ready to run and waited, in ns.
  struct Thread {
    let id: Int32
    /// It is ready to run or runs.
    let isReady: Bool
    let ran: Nanoseconds
    let waited: Nanoseconds
  }

  private typealias Sample = (time: Nanoseconds, threads: [Int32: Thread])

  /// Delays that lie within this time add up, in ns: a program does several things for one message, and waits for each.
  private static let length: Nanoseconds = 100_000_000

  private let processors: Int
  private var samples: [Sample] = []
  /// The worst that one thread waited within a tenth of a second, in ns.
  private(set) var worst: Nanoseconds = 0
  /// The most that one thread waited in all since it was first seen, in ns.
  private(set) var total: Nanoseconds = 0
  /// For how long each thread had waited when the program was first seen, in ns.
  private var before: [Int32: Nanoseconds]?
  /// A thread is ready to run, and has not run since it was seen before.
  private(set) var isWaiting = false

  /// Nothing was seen yet, on a machine with so many processors.
  init(processors: Int) { self.processors = processors }

  /// All threads of the program were seen at this time, on the monotonic clock in ns.
  mutating func add(_ threads: [Thread], at time: Nanoseconds) {
    let sample = Sample(time, Dictionary(threads.map { ($0.id, $0) }) { $1 })
    isWaiting =
      samples.last.map { last in
        threads.contains { thread in thread.isReady && last.threads[thread.id].map { $0.ran == thread.ran } ?? false }
      } ?? false
    samples.append(sample)
    let before = before ?? sample.threads.mapValues(\.waited)
    self.before = before
    total = max(total, threads.map { $0.waited &- (before[$0.id] ?? 0) }.max() ?? 0)
    while samples.count > 2, samples[1].time <= time &- Self.length { samples.removeFirst() }
    guard let first = samples.first, samples.count > 1 else { return }
    var (ran, waited): (Nanoseconds, Nanoseconds) = (0, 0)
    for thread in threads {
      let before = first.threads[thread.id]
      ran += max(0, thread.ran &- (before?.ran ?? 0))
      waited = max(waited, thread.waited &- (before?.waited ?? 0))
    }
    // A thread that waits while the program itself uses every processor waits for its own program.
    let others = (time &- first.time) * Nanoseconds(processors) &- ran
    worst = max(worst, min(waited, others))
  }
}

/// How late a machine was in a run, at worst.
struct RunLateness {
  /// It woke up who slept so late, in ns: telecap, or the sender of the run.
  var woke: Nanoseconds = 0
  /// A thread of the system under test waited for a processor so long, in ns.
  var waited: Nanoseconds = 0

  /// The worse one of both, in ns.
  var worst: Nanoseconds { max(woke, waited) }

  /// Why a run in which a machine was so late proves nothing.
  var words: String {
    woke >= waited
      ? "this machine woke up to \(woke / 1_000_000) ms late: it is too busy to judge by"
      : "the system waited for a processor for up to \(waited / 1_000_000) ms: this machine is too busy to judge by"
  }
}
