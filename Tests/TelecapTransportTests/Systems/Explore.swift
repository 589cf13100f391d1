import Foundation
import TelecapConformance
import TelecapRecording
import Testing

@testable import TelecapTransport

@Test(.enabled(if: ProcessInfo.processInfo.environment["EXPLORE"] != nil)) func explore() async throws {
  let name = ProcessInfo.processInfo.environment["EXPLORE"]!
  let only = ProcessInfo.processInfo.environment["ONLY"] ?? ""
  let system = try RealSystems.system(name, telecap: RealSystems.root.appending(path: ".build/debug/telecap").path)
  let scenarios = Sample(
    of: try RealSystems.scenarios(of: system.role).filter { only.isEmpty || $0.id.contains(only) }, within: 60_000_000_000
  ).scenarios
  for scenario in scenarios {
    let result = try await RealSystems.run([scenario], against: system)[0]
    print(result.story, result.shown.log?.lateness ?? -1)
    if !only.isEmpty { for entry in result.shown.log?.entries ?? [] { print(entry.time.nanoseconds, "\(entry.what)".prefix(160)) } }
  }
}
