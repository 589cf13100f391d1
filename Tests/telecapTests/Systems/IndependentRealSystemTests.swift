import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// Right programs that were written from the specification alone (`Tests/Independent`): no verdict on one of them may be a
  /// failure, whatever it prints and wherever it is stricter or laxer than our own models. Sampled here; all of it in
  /// `make torture`.
  @Suite("Independent right programs, over real sockets", .deep("ten programs, 15 s each"))
  struct IndependentRealSystemTests {
    @Test(
      "None fails",
      arguments: [
        ("tele-host", "tele.hello.*"), ("tele-host-strict", "tele.header.*"), ("tele-host-closing", "tele.header.*"),
        ("tele-host-rounded", "tele.pose.[dln]*"), ("tele-host-conflating", "tele.bye.*"),
        ("tele-phone", "tele.haptic.[cinz]*"),
        ("tele-phone-strict", "tele.header.*"), ("mouse-sender", "mouse.sender.*"),
        ("mouse-sender-http", "mouse.s[ep]*"), ("mouse-sender-command", "mouse.s[ep]*"),
      ])
    func noneFails(name: String, only: String) throws {
      let file = Project.file("Tests/Independent/\(name).yaml").path
      let run = try Program.run([
        "conform", "--sut", file, "--only", only, "--time-limit", "15s", "--format", "json",
      ])
      let lines = try run.json().filter { $0["verdict"] is String }
      #expect(lines.contains { $0["verdict"] as? String == "pass" }, "\(run.errors)")
      let failed = lines.filter { $0["verdict"] as? String == "fail" }
      #expect(failed.isEmpty, "\(failed)")
    }
  }
}
