import TelecapConformance
import TelecapRecording
import Testing

/// Which requirements catch which wrong system: all that it must fail, and nothing unrelated.
@Suite struct FaultTableTests {
  /// The requirements that a wrong system fails.
  static func failed(_ system: ModelSystem) async throws -> Set<String> {
    let result = try await SuiteRunner(system).run(try ScenarioFiles.all(of: system.role))
    return Set(result.scenarios.filter { $0.verdict == .fail }.map(\.requirement.id))
  }

  @Test(arguments: Role.allCases)
  func show(_ role: Role) async throws {
    for fault in Fault.all(of: role) {
      print("TABLE", role.rawValue, fault.name, try await FaultTableTests.failed(ModelSystem(role, fault: fault)).sorted())
    }
  }
}
