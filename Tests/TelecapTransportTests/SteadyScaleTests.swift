import TelecapRecording
import Testing

@testable import TelecapTransport

/// The system clock of these tests is a number that they set.
@Suite("Times when the system clock is set") struct SteadyScaleTests {
  private let hour: Nanoseconds = 3_600_000_000_000
  private let scale = SteadyScale(steady: 1_000, wall: Timestamp(nanoseconds: 1_700_000_000_000_000_000))

  private func time(_ nanoseconds: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: 1_700_000_000_000_000_000 + nanoseconds)
  }

  @Test("Times on the steady scale keep their order and distances")
  func keepOrder() {
    #expect(scale.time(at: 1_000) == time(0))
    #expect(scale.time(at: 5_001_000) == time(5_000_000))
  }

  @Test(
    "The offset of the system clock is measured in both directions, from a millisecond on",
    arguments: [-1, 1] as [Int64])
  func shift(sign: Int64) {
    #expect(scale.shift(of: time(5_000_000 + sign * hour), at: 5_001_000) == sign * hour)
    #expect(scale.shift(of: time(5_000_000 + sign * 1_000_000), at: 5_001_000) == sign * 1_000_000)
    #expect(scale.shift(of: time(5_000_000 + sign * 999_999), at: 5_001_000) == 0)
  }

  @Test("A kernel timestamp after the clock was set is corrected to the steady scale", arguments: [-1, 1] as [Int64])
  func kernelStamps(sign: Int64) {
    let stamp = time(7_000_000 + sign * hour)
    #expect(WallClock.time(ofKernel: stamp, shift: sign * hour, readAt: time(9_000_000)) == time(7_000_000))
    #expect(WallClock.time(ofKernel: time(7), shift: 0, readAt: time(9)) == time(7))
  }

  @Test("A kernel timestamp from before the clock was set becomes the time of reading", arguments: [-1, 1] as [Int64])
  func kernelStampsFromBefore(sign: Int64) {
    #expect(WallClock.time(ofKernel: time(7), shift: sign * hour, readAt: time(9)) == time(9))
  }

  @Test("A kernel timestamp is used up to the age of a queued datagram, and not after the time of reading")
  func oldestStamp() {
    func read(_ age: Nanoseconds) -> Timestamp {
      WallClock.time(ofKernel: time(hour - age), shift: hour, readAt: time(0))
    }
    #expect(read(60_000_000_000) == time(-60_000_000_000))
    #expect(read(60_000_000_001) == time(0))
    #expect(read(0) == time(0) && read(-1) == time(0))
  }

  @Test("A step of at least 20 ms is reported once, in both directions")
  func steps() {
    var watch = ClockWatch(shift: 0)
    #expect(watch.look(shift: 0) == nil)
    #expect(watch.look(shift: -hour) == -hour)
    #expect(watch.look(shift: -hour) == nil)
    #expect(watch.look(shift: 0) == hour)
    #expect(watch.look(shift: 19_999_999) == nil)
    #expect(watch.look(shift: 39_999_999) == 20_000_000)
    #expect(watch.look(shift: .min) != nil)
  }
}
