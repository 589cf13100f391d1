import Foundation
import TelecapTestSupport
import Testing

/// What simulated peers say when they cannot do what they are asked for.
@Suite(.real("runs telecap")) struct SimulateErrorTests {
  @Test("A mouse whose computer cannot be reached says so as its API does")
  func aMouseWhoseComputerCannotBeReachedSaysSoAsItsAPIDoes() throws {
    // Nobody listens any more.
    let port = try Socket.listener().port
    let end = try Program.run("simulate mouse --mouse-tcp \(port)")
    #expect(end.status == 69 && end.errors.contains("Connection refused"))
    #expect(try end.json().map { $0["error"] as? String } == ["wifi-connection-failed"])
  }

  @Test("What a mouse cannot hold is said")
  func whatAMouseCannotHoldIsSaid() throws {
    let folder = try Folder()
    let events = try folder.write(
      Array("E: 1.000000 0002 0000 40000\nE: 1.000000 0002 0008 300\nE: 1.000000 0000 0000 0\n".utf8), to: "far.events")
    let (movement, control) = (try Socket.udp(), try Socket.listener())
    let end = try Program.run(
      ["simulate", "mouse", "--events", events, "--mouse-udp", "\(movement.port)", "--mouse-tcp", "\(control.port)"])
    let clamped = try end.json().first { $0["event"] as? String == "clamped" }
    #expect(clamped?["delta_x"] as? Int == 32_767 && clamped?["scroll"] as? Int == 127)
  }

  #if os(Linux)
    @Test("What came faster than a host took it is counted")
    func whatCameFasterThanAHostTookItIsCounted() throws {
      let port = try freePort()
      let program = try Program.start(["simulate", "host", "--tele-udp", "\(port)"])
      try program.wait(for: "UDP ")
      let phone = try Socket.udp()
      // It sleeps while more comes than its buffer holds, which is 8 MB at most.
      program.signal(SIGSTOP)
      for _ in 0..<200 { try phone.send([UInt8](repeating: 0, count: 60_000), to: port) }
      program.signal(SIGCONT)
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.status == 0)
      #expect(end.errors.contains(" datagrams dropped by the kernel: they came faster than they were taken"))
    }
  #endif

  @Test(
    "A host's rate is 1 to 1000, of a waveform",
    arguments: ["--rate-hz 0", "--rate-hz 1001", "--waveform off --rate-hz 20"])
  func aHostsRateIs1To1000OfAWaveform(options: String) throws {
    #expect(try Program.run("simulate host --duration 1ms \(options)").status == 64)
  }
}
