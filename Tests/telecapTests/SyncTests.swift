import TelecapTestSupport
import Testing

/// The built program as a user of `telecap sync` runs it.
@Suite("sync", .real("runs telecap"))
struct SyncTests {
  @Test("Planned ahead the usual latencies stay within 3 frames")
  func plannedAheadTheUsualLatenciesStayWithin3Frames() throws {
    let end = try Program.run(["sync"])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.lines.first == "display 60 Hz, audio 30ms ± 10ms, haptic 10ms ± 5ms; 10,000 trials, seed 1")
    #expect(end.lines.contains { $0.hasPrefix("  50ms ahead") && $0.hasSuffix("0.0 %") })
    #expect(try Program.run(["sync"]).output == end.output, "the same seed gives the same trials")
    #expect(try Program.run(["sync", "--seed", "2"]).output != end.output)
  }

  @Test("Latency that the lead does not cover exits 1 and names the lead that would")
  func latencyThatTheLeadDoesNotCoverExits1AndNamesTheLeadThatWould() throws {
    let end = try Program.run("sync --audio 90ms --format json")
    #expect(end.status == 1)
    let rows = try end.json()
    #expect(rows.map { $0["start"] as? String } == ["now", "ahead"])
    let smallest = try #require(rows[1]["smallest_delta_ns"] as? Int)
    #expect(smallest > 50_000_000 && (rows[1]["over_3_frames"] as? Int ?? 0) > 0)
    let enough = try Program.run("sync --audio 90ms --delta \(smallest / 1_000_000)ms")
    #expect(enough.status == 0)
    let tooLittle = try Program.run("sync --audio 90ms --delta \(smallest / 1_000_000 - 1)ms")
    #expect(tooLittle.status == 1)
  }

  @Test("Jitter of more than the limit has no lead that helps")
  func jitterOfMoreThanTheLimitHasNoLeadThatHelps() throws {
    let end = try Program.run("sync --haptic-jitter 80ms")
    #expect(end.status == 1 && end.output.contains("no δ up to 1 s keeps every trial within 3 frames"))
  }

  @Test(
    "Values up to the limits count as they are",
    arguments: [
      ("--audio", "=99s", "=100s"), ("--haptic", "=99s", "=100s"), ("--arming", "=99s", "=100s"),
      ("--audio-jitter", "=99s", "=100s"), ("--haptic-jitter", "=99s", "=100s"),
      ("--haptic-drift=-100000 --set-every", "=3599s", "=3600s"),
      ("--set-every 3600s --audio-drift", "=-99999", "=-100000"),
    ])
  func limits(_ option: String, _ less: String, _ most: String) throws {
    let printed = try [less, most].map { try Program.run("sync --format json --trials 10 \(option)\($0)") }
    #expect(printed.allSatisfy { $0.status <= 1 } && printed[0].output != printed[1].output)
  }

  @Test(
    "What makes no sense is a usage error", arguments: ["--trials 0", "--refresh 0", "--delta fast", "--buffer -1"])
  func whatMakesNoSenseIsAUsageError(option: String) throws {
    #expect(try Program.run("sync \(option)").status == 64)
  }
}
