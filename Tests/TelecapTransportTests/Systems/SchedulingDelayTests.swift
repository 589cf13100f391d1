import TelecapConformance
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A program that did not get a processor is not blamed for being late.
@Suite("The time for which a program waits for a processor")
struct SchedulingDelayTests {
  private static let ms: Nanoseconds = 1_000_000

  /// The worst delay of threads that were seen every 20 ms: for how long each ran and waited since it began, in ms.
  private static func worst(_ samples: [[(ran: Int64, waited: Int64)]], processors: Int = 2) -> Nanoseconds {
    var window = SchedulingWindow(processors: processors)
    for (index, threads) in samples.enumerated() {
      let threads = threads.enumerated().map {
        SchedulingWindow.Thread(
          id: Int32($0.offset), isReady: false, ran: $0.element.ran * ms, waited: $0.element.waited * ms)
      }
      window.add(threads, at: Int64(index) * 20 * ms)
    }
    return window.worst / ms
  }

  @Test("One long wait counts whole, and waits from before the run do not count")
  func single() {
    #expect(Self.worst([[(5, 700)], [(5, 700)], [(6, 797)], [(7, 797)]]) == 97)
    #expect(Self.worst([[(5, 700)]]) == 0)
  }

  @Test("Short waits add up within a tenth of a second, and not beyond")
  func window() {
    // 8 ms in each 20 ms: within 100 ms five of them.
    #expect(Self.worst((0...50).map { [(0, 8 * Int64($0))] }) == 40)
    #expect(Self.worst((0...3).map { [(0, 8 * Int64($0))] }) == 24)
  }

  @Test(
    "The total wait of a thread counts from the first sample of it",
    arguments: [(0, 400), (100, 300)] as [(Int64, Int64)])
  func total(_ before: Int64, _ total: Int64) {
    var window = SchedulingWindow(processors: 1)
    for step in 0...4 as ClosedRange<Int64> {
      let waited = step == 0 ? before : 100 * step
      window.add(
        [SchedulingWindow.Thread(id: 1, isReady: false, ran: 0, waited: waited * Self.ms)], at: step * 200 * Self.ms)
    }
    #expect(window.total == total * Self.ms)
  }

  @Test("The worst thread counts, and a thread that began during the run counts from its beginning")
  func threads() {
    #expect(Self.worst([[(0, 0), (0, 0)], [(1, 9), (1, 30)]]) == 30)
    #expect(Self.worst([[(0, 0)], [(1, 3), (2, 12)]]) == 12)
  }

  @Test("Threads of the program itself that use every processor cause no waiting time")
  func ownDoing() {
    // Four threads on two processors, of which each has one for half of the time.
    #expect(Self.worst((0...10).map { step in (0..<4).map { _ in (10 * Int64(step), 10 * Int64(step)) } }) == 0)
    // One of two runs where another program has the other processor.
    #expect(Self.worst((0...5).map { step in [(20 * Int64(step), 0), (0, 20 * Int64(step))] }) == 100)
  }

  @Test("A thread that is ready and has not run since the last sample is waiting")
  func waiting() {
    var window = SchedulingWindow(processors: 2)
    func see(isReady: Bool, ran: Nanoseconds, at time: Nanoseconds) -> Bool {
      window.add([SchedulingWindow.Thread(id: 1, isReady: isReady, ran: ran, waited: 0)], at: time)
      return window.isWaiting
    }
    #expect(!see(isReady: true, ran: 1, at: 0))
    #expect(see(isReady: true, ran: 1, at: 1))
    #expect(!see(isReady: true, ran: 2, at: 2))
    #expect(!see(isReady: false, ran: 2, at: 3))
  }

  @Test(
    "A system that waited up to 50 ms gets that much more time, and a longer wait proves nothing",
    arguments: [
      (50, nil), (51, "the system waited for a processor for up to 51 ms: this machine is too busy for a verdict"),
    ]
      as [(Int64, String?)])
  func border(_ waited: Int64, _ words: String?) {
    var log = RunLog(shows: [])
    log.note(lateness: RunLateness(woke: 3 * Self.ms, waited: waited * Self.ms))
    #expect(log.tooLate == words && !log.stoodStill)
    #expect(log.settle == 75 * Self.ms + waited * Self.ms)
  }

  #if os(Linux)
    @Test("The threads of this process are listed, with their running times")
    func own() throws {
      let threads = SchedulingDelay.threads(of: getpid())
      #expect(threads.contains { $0.ran > 0 })
      #expect(SchedulingDelay.threads(of: Int32.max).isEmpty)
    }
  #endif
}
