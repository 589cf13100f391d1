import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// `telecap conform --protocol dsu`: a protocol that telecap knows from a file alone, and a program that speaks it.
  @Suite("Real systems of a protocol file")
  struct DeclaredRealSystemTests {
    private static let client = Project.file("Scenarios/systems/dsu-client.yaml").path

    @Test("A client that goes by every pad fails just that")
    func aClientThatGoesByEveryPadFailsJustThat() throws {
      let run = try Program.run([
        "conform", "--protocol", "dsu", "--sut", Self.client, "--only", "dsu.*", "--format", "json",
      ])
      #expect(run.status == 1, "\(run.errors)")
      var verdicts: [String: Set<String>] = [:]
      for line in try run.json() {
        guard let requirement = line["requirement"] as? String, let verdict = line["verdict"] as? String else {
          continue
        }
        verdicts[requirement, default: []].insert(verdict)
      }
      let failed = verdicts.filter { $0.value.contains("fail") }.keys.sorted()
      #expect(failed == ["dsu.pad.duplicate", "dsu.pad.latest-value-wins"])
      let passed = verdicts.filter { $0.value == ["pass"] }.keys.sorted()
      #expect(
        passed == [
          "dsu.header.crc32", "dsu.header.length", "dsu.header.magic", "dsu.header.truncated", "dsu.header.type",
          "dsu.header.version", "dsu.pad.finite", "dsu.pad.values", "dsu.robust.mutations",
        ])
    }

    @Test("Without the file there is no such role")
    func withoutTheFileThereIsNoSuchRole() throws {
      let run = try Program.run(["conform", "--sut", Self.client])
      #expect(run.status == 65)
      #expect(run.errors.contains(#"dsu-client.yaml:3:7: "role": expected one of host, phone, mouse, mouse-host"#))
    }
  }
}
