import Foundation
import TelecapConformance
import TelecapProtocols
import TelecapTestSupport
import TelecapWire
import Testing

/// The protocol files of `Tests/Independent/sacn`, each with a rule of receivers of sACN that are in use, by models in virtual time.
/// `SequenceRuleTests` has programs.
@Suite("Sequence rules of sACN, in virtual time") struct SequenceFileTests {
  private static let names = ["window", "no-wrap", "restarts", "arrival"]

  private static func read(_ name: String) throws -> WireProtocol {
    let text = try String(contentsOf: Project.file("Tests/Independent/sacn/\(name).yaml"), encoding: .utf8)
    return try ProtocolFile.read(text, file: "\(name).yaml")
  }

  /// The scenarios that the right receiver by one rule does not pass where another one is declared.
  private static func failed(_ receiver: String, declared: String) async throws -> Set<String> {
    let model = try ModelSystem(parsing: "model:sacn-receiver", in: Suites([.declared(by: read(receiver))]))
    let scenarios = Suite.declared(by: try read(declared)).scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    #expect(!results.isEmpty)
    return Set(results.filter { $0.verdict != .pass }.map(\.scenario.id))
  }

  @Test(
    "Each file declares its rule",
    arguments: [
      ("window", OrderRule(.window(size: 20, wraps: true))), ("no-wrap", OrderRule(.window(size: 20, wraps: false))),
      ("restarts", OrderRule(.restarting(from: 250, to: 20), appliesDuplicates: true)), ("arrival", OrderRule(.none)),
    ])
  func rules(_ name: String, _ rule: OrderRule) throws {
    #expect(try Self.read(name).streams.map(\.orderRule) == [rule])
  }

  @Test(
    "A receiver passes under its own rule, and fails at the limit of every other one", arguments: names)
  func receivers(_ receiver: String) async throws {
    let borders = ["window": "window", "no-wrap": "window", "restarts": "restart", "arrival": "late"]
    for declared in Self.names {
      let failed = try await Self.failed(receiver, declared: declared)
      if declared == receiver {
        #expect(failed.isEmpty, "declared \(declared)")
      } else {
        let border = "sacn.levels.latest-value-wins.\(borders[declared] ?? "")"
        #expect(failed.contains(border), "declared \(declared): \(failed)")
      }
    }
  }
}
