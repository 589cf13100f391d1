import TelecapReport
import Testing

@Suite struct ColorChoiceTests {
  private static func isColoured(
    _ choice: ColorChoice, onTerminal isTerminal: Bool, _ environment: [String: String]
  ) -> Bool {
    choice.isColoured(isTerminal: isTerminal) { environment[$0] }
  }

  @Test("auto colours terminals that are not dumb")
  func terminal() {
    #expect(Self.isColoured(.auto, onTerminal: true, ["TERM": "xterm"]))
    #expect(!Self.isColoured(.auto, onTerminal: true, ["TERM": "dumb"]))
    #expect(!Self.isColoured(.auto, onTerminal: true, [:]))
    #expect(!Self.isColoured(.auto, onTerminal: false, ["TERM": "xterm"]))
  }

  @Test(
    "The environment decides in auto: NO_COLOR before CLICOLOR_FORCE, both unless empty",
    arguments: [
      (["NO_COLOR": "1"], false, false), (["NO_COLOR": ""], true, false), (["CLICOLOR_FORCE": "1"], true, true),
      (["CLICOLOR_FORCE": "0"], true, false), (["CLICOLOR_FORCE": ""], true, false),
      (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false, false),
    ])
  func environment(_ variables: [String: String], _ onTerminal: Bool, _ elsewhere: Bool) {
    let environment = variables.merging(["TERM": "xterm"]) { $1 }
    #expect(Self.isColoured(.auto, onTerminal: true, environment) == onTerminal)
    #expect(Self.isColoured(.auto, onTerminal: false, environment) == elsewhere)
  }

  @Test("always and never override the environment")
  func overridden() {
    #expect(Self.isColoured(.always, onTerminal: false, ["NO_COLOR": "1", "TERM": "dumb"]))
    #expect(!Self.isColoured(.never, onTerminal: true, ["CLICOLOR_FORCE": "1", "TERM": "xterm"]))
  }
}
