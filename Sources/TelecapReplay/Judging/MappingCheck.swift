import TelecapConformance
import TelecapReport

/// `conform --check`: matches the rules of a system file with a short valid session, and runs nothing else.
public enum MappingCheck {
  /// Runs the check; the system is closed in any case.
  ///
  /// - Throws: `ReplayProblem.noFile` where the system has no file; `SystemError` when it cannot be started.
  public static func run(_ system: any SystemUnderTest) async throws -> SystemCheck {
    do {
      let check = try await system.check()
      await system.close()
      guard let check else { throw ReplayProblem.noFile(system: system.name) }
      return check
    } catch {
      await system.close()
      throw error
    }
  }
}
