import Foundation
import TelecapConformance
import TelecapRecording
import TelecapReplay
import TelecapTestSupport

/// The project's own scenarios.
enum ScenarioFiles {
  static let root = Project.root

  private static let folder = ScenarioFolder(root.appending(path: "Scenarios").path)

  static func read(_ path: String) throws -> Scenario { try folder.scenario(path) }

  static func all() throws -> [Scenario] { try everything.get() }

  /// Read once: a debug build takes more than a second for them.
  private static let everything = Result { try folder.read() }

  static func all(of part: Part) throws -> [Scenario] { try all().filter { $0.setup.part == part } }
}
