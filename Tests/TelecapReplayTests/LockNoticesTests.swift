import Testing

@testable import TelecapReplay

@Suite("Notices of another program's lock") struct LockNoticesTests {
  private var notices = LockNotices()

  @Test("A lock of a second is told once, and its length and what was dropped when it is free")
  mutating func isTold() {
    #expect(notices.look(lockedFor: nil, dropped: 5) == nil)
    #expect(notices.look(lockedFor: 999_999_999, dropped: 5) == nil)
    let begin = notices.look(lockedFor: 1_000_000_000, dropped: 5)
    #expect(begin?.isOver == false && begin?.line.hasPrefix("another program holds the write lock: ") == true)
    #expect(notices.look(lockedFor: 9_000_000_000, dropped: 7) == nil)
    let line = "another program held the write lock for 9.000 s; 2 packets dropped"
    #expect(notices.look(lockedFor: nil, dropped: 7) == .init(line: line, isOver: true))
    #expect(notices.look(lockedFor: nil, dropped: 7) == nil)
  }

  @Test("A shorter lock is not told, and the next one by itself")
  mutating func isShort() {
    #expect(notices.look(lockedFor: 999_999_999, dropped: 0) == nil)
    #expect(notices.look(lockedFor: nil, dropped: 0) == nil)
    #expect(notices.look(lockedFor: 1_000_000_000, dropped: 0)?.isOver == false)
    let line = "another program held the write lock for 1.000 s; no packet was dropped"
    #expect(notices.look(lockedFor: nil, dropped: 0) == .init(line: line, isOver: true))
  }
}
