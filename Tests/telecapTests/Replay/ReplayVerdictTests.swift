import TelecapTestSupport
import Testing

/// A correct receiver passes, whatever the network does.
@Suite(.real("runs telecap")) struct ReplayVerdictTests {
  private let folder: Folder
  private let capture: String

  init() throws {
    folder = try Folder()
    capture = folder["session.pcapng"]
  }

  private static let networks = [
    [], ["--loss", "20%"], ["--delay", "5ms", "--jitter", "5ms", "--duplicate", "20%"], ["--reorder", "30%,3"],
    ["--corrupt", "20%"], ["--stall", "60ms@80ms"],
  ]

  /// The network, which strikes only what this SQL chooses.
  private static func striking(_ condition: String, _ network: [String]) -> [String] {
    network.isEmpty ? [] : network + ["--where", condition]
  }

  /// The JSON of a replay: the counts of the tested messages, and the verdicts.
  private struct Judged {
    var sent, delivered: Int
    /// The largest age of the applied value, in ms.
    var peak: Double
    /// The requirements by verdict.
    var verdicts: [String: Set<String>] = [:]

    init(_ replay: Finished) throws {
      let object = try #require(try replay.json().first)
      let counts = try #require(object["fidelity"] as? [String: Any])
      let age = try #require(object["age_of_information_ns"] as? [String: Any])
      (sent, delivered) = (try #require(counts["sent"] as? Int), try #require(counts["delivered"] as? Int))
      peak = Double(try #require(age["peak"] as? Int)) / 1e6
      for check in object["checks"] as? [[String: Any]] ?? [] {
        let verdict = try #require(check["verdict"] as? String)
        verdicts[verdict, default: []].insert(try #require(check["requirement"] as? String))
      }
    }

    /// Fails unless this is what such a network leaves of `sent` messages: the verdicts alone would pass without it too.
    func expect(_ network: [String], of sent: Int) {
      #expect(self.sent == sent)
      switch network.first {
      case "--loss": #expect(delivered < sent)
      case "--corrupt": #expect(delivered <= sent)
      case "--delay": #expect(delivered > sent, "it duplicates too")
      default: #expect(delivered == sent)
      }
      if network.first == "--stall" { #expect(peak > 50) }
    }
  }

  @Test("A host keeps the newest pose", arguments: sampled(["model", "simulate"], oneIn: 2), networks)
  func aHostKeepsTheNewestPose(_ kind: String, _ network: [String]) throws {
    _ = try RecordedSession.teleoperation(capture)
    // Everything but the HELLO suffers: without a session nothing would be tried.
    let arguments = ["replay", capture, "--to", "\(kind):host", "--seed", "3", "--format", "json"]
    let replay = try Program.run(arguments + Self.striking("type = 'POSE'", network))
    #expect(replay.status == 0)
    let judged = try Judged(replay)
    #expect(judged.verdicts["pass"]?.contains("tele.pose.latest-value-wins") == true && judged.verdicts["fail"] == nil)
    judged.expect(network, of: 200)
  }

  @Test("Messages sent to a peer that telecap runs are recorded under the recorded port")
  func whatAPeerOfOursWasSentIsRecordedUnderTheRecordedPort() throws {
    _ = try RecordedSession.teleoperation(capture)
    let sent = folder["sent.pcapng"]
    let replay = try Program.run(["replay", capture, "--to", "simulate:host", "--record", sent])
    #expect(replay.status == 0)
    let types = try Program.run(["dissect", sent, "--format", "json"]).json().compactMap { $0["type"] as? String }
    #expect(types.filter { $0 == "POSE" }.count == 200)
    #expect(types.contains("ACK"))
  }

  @Test("A phone plays the latest force clamped", arguments: sampled(["model", "simulate"], oneIn: 2), networks)
  func aPhonePlaysTheLatestForceClamped(_ kind: String, _ network: [String]) throws {
    _ = try RecordedSession.teleoperation(capture)
    let condition = "type = 'HAPTIC' AND intensity BETWEEN 0 AND 1"
    let arguments = ["replay", capture, "--role", "host", "--to", "\(kind):phone", "--seed", "3", "--format", "json"]
    let replay = try Program.run(arguments + Self.striking(condition, network))
    #expect(replay.status == 0)
    let judged = try Judged(replay)
    for requirement in ["latest-value-wins", "clamp-high", "clamp-low"] {
      #expect(judged.verdicts["pass"]?.contains("tele.haptic.\(requirement)") == true)
    }
    #expect(judged.verdicts["fail"] == nil)
    judged.expect(network, of: 10)
  }

  @Test("A mouse host sums what it received", arguments: sampled(["model", "simulate"], oneIn: 2), networks)
  func aMouseHostSumsWhatItReceived(_ kind: String, _ network: [String]) throws {
    _ = try RecordedSession.dragging(capture)
    let arguments = [
      "replay", capture, "--role", "mouse", "--to", "\(kind):mouse-host", "--seed", "3", "--format", "json",
    ]
    let replay = try Program.run(arguments + network)
    #expect(replay.status == 0)
    let judged = try Judged(replay)
    #expect(judged.verdicts["pass"]?.isSuperset(of: ["mouse.pointer.sum", "mouse.buttons.latest-value-wins"]) == true)
    #expect(judged.verdicts["fail"] == nil)
    judged.expect(network, of: 42)
  }

  @Test("A host of streams keeps the newest pose", arguments: ["model", "simulate"])
  func aHostOfStreamsKeepsTheNewestPose(_ kind: String) throws {
    _ = try RecordedSession.streamed(capture)
    let replay = try Program.run(["replay", capture, "--to", "\(kind):host"])
    #expect(replay.status == 0)
    #expect(replay.lines.contains { $0.hasPrefix("PASS  tele.pose.latest-value-wins: ") })
    #expect(replay.output.contains(#/\nPOSE +50 +50 +50\n/#))
  }

  @Test("Why nothing could be judged is told in words that hold for every protocol")
  func hint() throws {
    try RecordedSession.poses(capture, 10)
    let replay = try Program.run(["replay", capture, "--to", "model:host"])
    #expect(
      replay.lines.last
        == "INCONCLUSIVE  our host in virtual time: 0 passed, 4 skipped; the receiver applied nothing: was its session "
        + "opened and accepted?")
  }

  @Test("The replies of a host are counted")
  func theRepliesOfAHostAreCounted() throws {
    _ = try RecordedSession.teleoperation(capture)
    let replay = try Program.run(["replay", capture, "--to", "simulate:host"])
    #expect(replay.lines.contains("replies   ACK OK 4"))
  }

  @Test("An impossible receiver is a usage error")
  func anImpossibleReceiverIsAUsageError() throws {
    _ = try RecordedSession.teleoperation(capture)
    for target in ["model:phone", "simulate:mouse-host", "model:mouse", "simulate:nobody"] {
      #expect(try Program.run(["replay", capture, "--role", "phone", "--to", target]).status == 64)
    }
  }

  @Test("Virtual and real time carry out the same plan")
  func virtualAndRealTimeCarryOutTheSamePlan() throws {
    _ = try RecordedSession.teleoperation(capture)
    let plans = try ["model:host", "simulate:host"].map { target in
      let replay = try Program.run(["replay", capture, "--to", target, "--loss", "20%", "--seed", "9"])
      return try #require(replay.lines.first { $0.hasPrefix("plan ") })
    }
    #expect(plans[0] == plans[1])
  }
}
