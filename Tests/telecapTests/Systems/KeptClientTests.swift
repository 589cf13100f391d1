import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// A client that is started once for all scenarios, as an app on a phone is.
  @Suite("A client that is kept for all scenarios", .deep("waits 45 s for sessions to be lost")) struct KeptClientTests
  {
    @Test("A right phone passes: a scenario begins when the phone has lost the session of the one before")
    func needsSession() throws {
      let folder = try Folder()
      let phone =
        try String(contentsOf: Project.file("Scenarios/systems/simulated-phone.yaml"), encoding: .utf8)
        + "reuse: true\n"
      let file = try folder.write(Array(phone.utf8), to: "phone.yaml")
      let end = try Program.run([
        "conform", "--sut", file, "--only", "tele.haptic.clamp-high", "--only", "tele.haptic.needs-session",
      ])
      #expect(end.status == 0 && end.output.contains("2 passed"), "\(end)")
    }
  }
}
