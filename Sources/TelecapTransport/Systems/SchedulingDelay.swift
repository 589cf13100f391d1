import CSockets
import TelecapPlatform
import TelecapRecording

/// Measures the worst time within a short window for which threads of a program were ready and waited for a processor,
/// during a run: the output of a right program is late by that. Linux counts it for each thread (proc(5), `schedstat`);
/// other systems do not report it.
final class SchedulingDelay: Sendable {
  private let program: Int32
  private let clock: any MonotonicClock
  private let window: Locked<SchedulingWindow>
  private let task: Task<Void, Never>

  /// The interval between samples, in ns.
  private static let nap: Nanoseconds = 20_000_000
  /// The maximum number of sampled threads, of the program and its children.
  private static let maxThreads = 128

  /// Starts to sample a program and its descendants.
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

  /// The total wait of the program in ns, if it is at least a quarter of a time limit, which the program may exceed for
  /// that reason; otherwise 0.
  func share(of limit: Nanoseconds) -> Nanoseconds { window.with { $0.total >= limit / 4 ? $0.total : 0 } }

  /// Ends the sampling after each waiting thread has run, for at most 100 ms, since its delay is unknown before.
  /// - Returns: the worst delay, in ns.
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

  /// The current threads of a process and its descendants; empty where the system does not report them.
  static func threads(of program: Int32) -> [SchedulingWindow.Thread] {
    var times = [telecap_thread_times](repeating: telecap_thread_times(), count: maxThreads)
    let count = Int(telecap_threads(program, &times, Int32(maxThreads)))
    return times.prefix(count).map {
      SchedulingWindow.Thread(id: $0.id, isReady: $0.is_ready != 0, ran: $0.ran, waited: $0.waited)
    }
  }
}

/// The worst wait of a program's thread for a processor within a tenth of a second, from repeated samples of its
/// threads.
struct SchedulingWindow {
  /// A sample of a thread: its total running and waiting times, in ns.
  struct Thread {
    let id: Int32
    /// Whether it is ready or running.
    let isReady: Bool
    let ran: Nanoseconds
    let waited: Nanoseconds
  }

  private typealias Sample = (time: Nanoseconds, threads: [Int32: Thread])

  /// The window in ns in which delays add up: a program does several things for one message, and waits for each.
  private static let length: Nanoseconds = 100_000_000

  private let processors: Int
  private var samples: [Sample] = []
  /// The worst wait of one thread within a tenth of a second, in ns.
  private(set) var worst: Nanoseconds = 0
  /// The largest total wait of a thread since its first sample, in ns.
  private(set) var total: Nanoseconds = 0
  /// The wait of each thread at the first sample, in ns.
  private var before: [Int32: Nanoseconds]?
  /// Whether a thread is ready, and has not run since the last sample.
  private(set) var isWaiting = false

  /// A window without samples, on a machine with this number of processors.
  init(processors: Int) { self.processors = processors }

  /// Adds a sample of all threads at this time, on the monotonic clock in ns.
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
    // While the program itself uses every processor, its threads wait for each other.
    let others = (time &- first.time) * Nanoseconds(processors) &- ran
    worst = max(worst, min(waited, others))
  }
}

/// The worst lateness of a machine in a run.
struct RunLateness {
  /// The worst late wake-up of telecap or the sender of the run, in ns.
  var woke: Nanoseconds = 0
  /// The worst wait of a thread of the system under test for a processor, in ns.
  var waited: Nanoseconds = 0

  /// The worse of both, in ns.
  var worst: Nanoseconds { max(woke, waited) }

  /// The reason why a run with this lateness proves nothing.
  var words: String {
    woke >= waited
      ? "this machine woke up to \(woke / 1_000_000) ms late: it is too busy for a verdict"
      : "the system waited for a processor for up to \(waited / 1_000_000) ms: this machine is too busy for a verdict"
  }
}
