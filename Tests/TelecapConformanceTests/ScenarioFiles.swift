import Foundation
import TelecapConformance
import TelecapRecording

/// The project's own scenarios.
enum ScenarioFiles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Their paths under `Scenarios/`, in order.
  static func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Scenarios").path)
      .filter { $0.hasSuffix(".yaml") && ($0.hasPrefix("tele/") || $0.hasPrefix("mouse/")) }.sorted()
  }

  static func read(_ path: String) throws -> Scenario {
    let text = try String(contentsOf: root.appending(path: "Scenarios/\(path)"), encoding: .utf8)
    return try Scenario(text, path: path, file: "Scenarios/\(path)")
  }

  static func all() throws -> [Scenario] { try paths().map(read) }

  static func all(of part: Part) throws -> [Scenario] { try all().filter { $0.setup.part == part } }
}
