import TelecapConformance
import TelecapProtocols
import TelecapTestSupport
import Testing

/// Whatever a protocol file declares, our correct models of both sides pass the suite that follows from it, and nothing in it
/// is inconclusive: a suite that fails a right program, or that can never decide, is wrong.
@Suite("Correct models pass the suite of any declaration") struct RandomDeclarationTests {
  static let seeds = Array(UInt64(1)...160)

  @Test("Both sides of protocols made by chance", arguments: sampled(seeds, oneIn: 8))
  func models(_ seed: UInt64) async throws {
    let text = RandomDeclaration.text(seed: seed)
    let owner = try ProtocolFile.read(text, file: "toy.yaml")
    let suite = Suite.declared(by: owner)
    for part in suite.models.map(\.part) {
      let model = try ModelSystem(parsing: "model:\(part.name)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      let others = results.filter { $0.verdict != .pass }.map { "\($0.scenario.id): \($0.verdict)" }
      #expect(others.isEmpty, "\(part.name) \(others)\n\(text)")
    }
  }
}
