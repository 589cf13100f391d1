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
          "dsu.client.well-formed", "dsu.header.crc32", "dsu.header.length", "dsu.header.magic", "dsu.header.truncated",
          "dsu.header.type", "dsu.header.version", "dsu.pad.finite", "dsu.pad.values", "dsu.robust.mutations",
          "dsu.session.keepalive", "dsu.session.request",
        ])
    }

    /// A single fault in one of the programs of `Tests/Independent`.
    struct ProgramFault: Sendable, CustomTestStringConvertible {
      let program: String
      let old: String
      let new: String
      let requirement: String

      var testDescription: String { "\(program): \(new)" }
    }

    /// The verdicts of a program with a text replaced in it, by requirement, of what it sends.
    private static func verdicts(_ program: String, replacing old: String, with new: String) throws -> [String: Set<
      String
    >] {
      let sources = Project.file("Tests/Independent").path
      let folder = try Folder()
      for name in ["dsu_\(program).py", "dsu-\(program).yaml"] {
        let text = String(decoding: try [UInt8](file: "\(sources)/\(name)"), as: UTF8.self)
        #expect(old.isEmpty || !name.hasSuffix(".py") || text.contains(old))
        try text.replacing(old, with: new).write(toFile: folder[name], atomically: true, encoding: .utf8)
      }
      let ids = ["dsu.*.well-formed", "dsu.session.*", "dsu.version.*", "dsu.ports.*", "dsu.pad.sender-*"]
      let run = try Program.run(
        ["conform", "--protocol", "dsu", "--sut", folder["dsu-\(program).yaml"], "--format", "json"]
          + ids.flatMap { ["--only", $0] }, seconds: 300)
      var verdicts: [String: Set<String>] = [:]
      for line in try run.json() {
        guard let requirement = line["requirement"] as? String, let verdict = line["verdict"] as? String else {
          continue
        }
        verdicts[requirement, default: []].insert(verdict)
      }
      #expect(!verdicts.isEmpty, "\(run.errors)")
      return verdicts
    }

    @Test(
      "A right server and a right client of DSU keep all that is required of senders", arguments: ["server", "client"])
    func rightSenders(_ program: String) throws {
      let verdicts = try Self.verdicts(program, replacing: "", with: "")
      #expect(verdicts.values.allSatisfy { $0 == ["pass"] }, "\(verdicts)")
    }

    @Test(
      "Each wrong server and client of DSU fails by name", .deep("nine programs, some 15 s each"),
      arguments: [
        ProgramFault(
          program: "server", old: "struct.pack(\"<I\", crc)", new: "bytes(4)", requirement: "dsu.host.well-formed"),
        ProgramFault(
          program: "server", old: "for peer, client in self.clients.items():\n            number",
          new: "for peer, client in self.clients.items():\n            if client[1] > 60: continue\n            number",
          requirement: "dsu.pad.sender-interval"),
        ProgramFault(
          program: "server", old: "(number + 1) & 0xFFFFFFFF", new: "number", requirement: "dsu.pad.sender-order"),
        ProgramFault(
          program: "server", old: "now - client[0] <= self.o.timeout", new: "True",
          requirement: "dsu.pad.sender-session"),
        ProgramFault(
          program: "server", old: "if kind == VERSION_ASKED:", new: "if kind == 0:", requirement: "dsu.version.answer"),
        ProgramFault(
          program: "client", old: "struct.pack(\"<I\", zlib.crc32(head + payload))", new: "bytes(4)",
          requirement: "dsu.client.well-formed"),
        ProgramFault(
          program: "client", old: "ASK_EVERY = 1.0", new: "ASK_EVERY = 7.0", requirement: "dsu.session.keepalive"),
        ProgramFault(
          program: "client", old: "return self.send(PAD, bytes(8))", new: "return self.send(0x100000)",
          requirement: "dsu.session.request"),
      ])
    func wrongSenders(_ fault: ProgramFault) throws {
      let verdicts = try Self.verdicts(fault.program, replacing: fault.old, with: fault.new)
      #expect(verdicts[fault.requirement]?.contains("fail") == true, "\(verdicts)")
    }

    @Test("Without the file there is no such role")
    func withoutTheFileThereIsNoSuchRole() throws {
      let run = try Program.run(["conform", "--sut", Self.client])
      #expect(run.status == 65)
      #expect(run.errors.contains(#"dsu-client.yaml:3:7: "role": expected one of host, phone, mouse, mouse-host"#))
    }
  }
}
