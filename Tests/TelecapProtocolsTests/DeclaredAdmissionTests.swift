import TelecapConformance
import TelecapProtocols
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// Which clients a host lets in follows from the declaration: tried with that of TELE, by the general models.
@Suite("Declared hosts accept and reject clients") struct DeclaredAdmissionTests {
  private let suite = Suite.declared(by: Tele.wire)

  private func results(_ system: String) async throws -> [ScenarioResult] {
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    return try await SuiteRunner(model).run(scenarios).scenarios
  }

  @Test func show() async throws {
    for system in ["host", "phone"] {
      for result in try await results(system) {
        print(system, result.scenario.id, result.verdict, result.shown.reason, result.shown.breaches)
      }
    }
  }
}
