import TelecapTestSupport
import Testing

@testable import telecap

/// Options of other commands: a command has only options that can have an effect.
@Suite(.real("runs telecap")) struct StrayOptionTests {
  @Test(
    "An option that only other commands have is refused with their names",
    arguments: [
      ("relay udp:1=a:2 --shrink", "Unknown option '--shrink': it is an option of replay and conform"),
      ("relay udp:1=a:2 --tcp-port 3", "Unknown option '--tcp-port': it is an option of replay"),
      (
        "touch a.jsonl --views v --hostile 5%",
        "Unknown option '--hostile': it is an option of replay, plan, relay, ahap play and senses"
      ),
      ("touch a.jsonl --views v --set x=1", "Unknown option '--set': it is an option of replay, plan, relay"),
      ("simulate mouse --bluetooth", "Unknown option '--bluetooth'\n"),
    ])
  func stray(_ line: String, _ words: String) throws {
    let end = try Program.refuse(line)
    #expect(end.status == 64 && end.errors.hasPrefix("Error: \(words)"), "\(end.errors)")
  }

  @Test("A network profile for touches may not change fields of messages either")
  func touches() throws {
    let folder = try Folder()
    let text = "network: n\ntitle: Fuzzing\nsource: none\nhostile: 5%\n"
    let profile = try folder.write(Array(text.utf8), to: "n.yaml")
    let end = try Program.run(["touch", TouchTests.hand, "--views", TouchTests.screen, "--network", profile])
    #expect(end.status == 64 && end.errors.contains("--network changes fields of messages"), "\(end.errors)")
  }
}
