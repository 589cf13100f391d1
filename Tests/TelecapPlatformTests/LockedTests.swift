import Foundation
import TelecapTestSupport
import Testing
@testable import TelecapPlatform

@Suite("A locked value") struct LockedTests {
  @Test("Is worked on by one thread at a time")
  func isWorkedOnByOneThreadAtATime() {
    let count = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<1_000 { count.with { $0 += 1 } } }
    #expect(count.with { $0 } == 4_000)
  }

  @Test("Is waited for until it is as needed, and not a moment less")
  func isWaitedForUntilItIsAsNeeded() {
    let count = Locked(0)
    let counting = Repetition { _ in count.with { $0 += 1 } }
    defer { counting.stop() }
    #expect(count.with(when: { $0 >= 50 }) { $0 } >= 50)
  }

  @Test("Is free again after an error")
  func isFreeAgainAfterAnError() {
    struct Broken: Error {}
    let value = Locked(1)
    #expect(throws: Broken.self) { try value.with { _ in throw Broken() } }
    #expect(throws: Broken.self) { try value.with(when: { $0 == 1 }) { _ in throw Broken() } }
    #expect(value.with { $0 } == 1)
  }
}

@Suite("A fair lock") struct FairLockTests {
  @Test("Gives turns in the order in which they were asked for")
  func givesTurnsInTheOrderInWhichTheyWereAskedFor() {
    let lock = FairLock()
    let isInside = Locked(false)
    let served = Locked(false)
    DispatchQueue.global().async {
      isInside.with(when: { $0 }) { _ in }
      lock.hold { served.with { $0 = true } }
    }
    lock.hold {
      isInside.with { $0 = true }
      // Until the other one waits.
      while !lock.isAwaited { sched_yield() }
    }
    // The other one has its turn before us, though we ask at once.
    #expect(lock.hold { served.with { $0 } })
  }

  @Test("Is taken again by its holder, and given back with the first")
  func isTakenAgainByItsHolder() {
    let lock = FairLock()
    #expect(lock.hold { lock.hold { lock.isAwaited } } == false)
    #expect(lock.hold { true })
  }
}
