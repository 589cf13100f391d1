import TelecapRecording
import TelecapTestSupport
import TelecapTransport
import Testing

@Suite("Limits of the machine") struct MachineLimitsTests {
  @Test("Sleeps are as late as the clock says, in order")
  func lateness() {
    let clock = ManualClock()
    (clock.tick, clock.oversleep) = (0, 40_000)
    #expect(MachineLimits.lateness(of: 3, sleeps: 1_000_000, by: clock) == [40_000, 40_000, 40_000])
    clock.oversleep = 0
    #expect(MachineLimits.lateness(of: 2, sleeps: 1_000_000, by: clock) == [0, 0])
  }

  @Test("A program is found where the shell finds it")
  func programs() {
    #expect(MachineLimits.program("sh")?.hasSuffix("/sh") == true)
    #expect(MachineLimits.program("no-such-program-anywhere") == nil)
  }

  @Test("A port is taken as long as a socket has it, on loopback too", .real("sockets"))
  func ports() throws {
    let datagrams = try Socket.udp()
    #expect(MachineLimits.isTaken(datagrams.port, .udp))
    let listener = try Socket.listener()
    #expect(MachineLimits.isTaken(listener.port, .tcp))
    #expect(!MachineLimits.isTaken(0, .udp) && !MachineLimits.isTaken(0, .tcp))
  }

  @Test("Some of the receive buffer is granted, and no more than was asked for", .real("a socket"))
  func buffer() throws {
    let (requested, granted) = try #require(MachineLimits.receiveBuffer())
    #expect(granted > 0 && granted <= requested)
  }
}
