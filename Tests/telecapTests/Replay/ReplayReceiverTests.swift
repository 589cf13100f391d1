import Foundation
import TelecapTestSupport
import Testing

/// Options that mean nothing to a receiver are refused, never passed over.
@Suite(.real("runs telecap")) struct ReplayReceiverTests {
  private let capture = Project.file("Captures/teleoperation.pcapng").path
  private let system = Project.file("Scenarios/systems/naive-host.yaml").path

  private func refusal(_ arguments: [String]) throws -> String {
    let replay = try Program.refuse(["replay", capture] + arguments)
    #expect(replay.status == 64)
    #expect(replay.output.isEmpty)
    return replay.errors
  }

  @Test(
    "A system under test refuses",
    arguments: [
      (["--loop", "2"], "--loop cannot be combined with a system under test, which is tested by one run"),
      (
        ["--record", "x.pcapng"], "--record cannot be combined with a system under test: --artifacts keeps its traffic"
      ),
      (["--tcp-port", "9"], "--tcp-port requires an address: the system file has the port for streams"),
      (["--fail-if-late", "2ms"], "--fail-if-late cannot be combined with a system under test"),
      (["--dry-run"], "--dry-run lists destinations, which are unknown until the receiver of --to runs"),
    ])
  func aSystemUnderTestRefuses(_ option: [String], _ words: String) throws {
    #expect(try refusal(["--to", system] + option).contains(words))
    #expect(try refusal(["--to", "udp://127.0.0.1:9?role=host"] + option).contains(words))
  }

  @Test(
    "Others refuse reports",
    arguments: [
      ["--junit", "x"], ["--tap", "x"], ["--json", "x"], ["--markdown", "x"], ["--html", "x"], ["--artifacts", "x"],
      ["--shrink"],
    ], ["model:host", "simulate:host", "127.0.0.1:9"])
  func othersRefuseReports(_ option: [String], _ target: String) throws {
    #expect(try refusal(["--to", target] + option).contains("\(option[0]) is about a system under test"))
  }

  @Test("A system of another role is named")
  func aSystemOfAnotherRoleIsNamed() throws {
    #expect(try refusal(["--role", "host", "--to", system]).contains("is for a phone, which naive-host is not"))
  }

  @Test("A system that cannot take it says why")
  func aSystemThatCannotTakeItSaysWhy() throws {
    let streams = Project.file("Captures/tcp-v1.pcapng").path
    let replay = try Program.run(["replay", streams, "--role", "phone", "--to", system])
    #expect(replay.status == 64)
    #expect(replay.errors.contains("naive-host cannot take this recording: it speaks no TCP"))
  }

  @Test("A file that is not there is no input")
  func aFileThatIsNotThereIsNoInput() throws {
    let replay = try Program.run(["replay", capture, "--to", "missing.yaml"])
    #expect(replay.status == 66)
  }
}
