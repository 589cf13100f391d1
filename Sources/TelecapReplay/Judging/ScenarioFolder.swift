import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapSuites
import TelecapTransport
import TelecapWire

/// A folder of scenario files: `tele/hello/busy.yaml` and so on. Files in `systems`, `protocols` and `networks` are
/// none.
public struct ScenarioFolder: Sendable {
  /// Its path.
  public let root: String
  /// The suites that define the keys of its scenarios.
  public let suites: Suites
  private let isAsked: Bool

  /// The folder `asked`, or by default the one that is found.
  public init(_ asked: String?, _ suites: Suites = .all) {
    root = asked ?? ScenarioFolder.found
    isAsked = asked != nil
    self.suites = suites
  }

  /// `Scenarios` here, or the one of the program: above it in a clone, or in `share/telecap` next to its `bin`.
  public static var found: String { places.first ?? "Scenarios" }

  /// All existing folders, the nearest first: missing network profiles and protocols are looked up in the next.
  static var places: [String] {
    var candidates = ["Scenarios"]
    var folder = Paths.directory(of: Paths.ownProgram)
    while folder.count > 1 {
      candidates += ["\(folder)/Scenarios", "\(folder)/share/telecap/Scenarios"]
      folder = Paths.directory(of: folder)
    }
    return candidates.filter(Folders.isFolder)
  }

  /// All scenarios in the order of paths. With a filter, those of the files that it may select from; if it selects none
  /// of these, all, for the error about its patterns.
  ///
  /// - Throws: `FileError.noInput` when there is no such folder, `ReplayProblem.noScenarioFolder` when no folder was
  ///   given or found, `ReplayProblem.noScenarios` when it is empty, `YAMLFileError` with file, line and column about
  ///   an error.
  public func read(_ filter: ScenarioFilter = ScenarioFilter()) throws -> [Scenario] {
    let paths = try paths()
    let all = try (filter.files(of: paths) ?? paths).flatMap(scenarios)
    var byID: [String: Scenario] = [:]
    for after in all {
      guard let before = byID.updateValue(after, forKey: after.id) else { continue }
      throw YAMLFileError(
        file: "\(root)/\(after.path)", line: 1, column: 1,
        "\(before.path) is called \(after.id) as well, over another transport: give one of them another name")
    }
    return all
  }

  /// The paths of the files in the folder, sorted.
  ///
  /// - Throws: `FileError.noInput` when there is no such folder, `ReplayProblem.noScenarioFolder` when no folder was
  ///   given or found, `ReplayProblem.noScenarios` when it is empty.
  public func paths() throws -> [String] {
    if !isAsked, !Folders.isFolder(root) { throw ReplayProblem.noScenarioFolder }
    let paths = try paths(in: "")
    guard !paths.isEmpty else { throw ReplayProblem.noScenarios(folder: root) }
    return paths.sorted()
  }

  /// The scenarios of `read`, and then those of the suites; a file replaces one with its id.
  ///
  /// - Throws: the errors of `read`.
  public func withThoseOfSuites(_ filter: ScenarioFilter = ScenarioFilter()) throws -> [Scenario] {
    let own = try read(filter)
    let ids = Set(own.map(\.id))
    return own + suites.scenarios.filter { !ids.contains($0.id) }
  }

  /// The same; empty where they cannot be read, which `tell` reports.
  public func withThoseOfSuites(orTell tell: (any Error) -> Void) -> [Scenario] {
    do {
      return try withThoseOfSuites()
    } catch {
      tell(error)
      return []
    }
  }

  /// The scenario of the file `path` in this folder, over its first transport.
  ///
  /// - Throws: `YAMLFileError` with file, line and column about an error.
  public func scenario(_ path: String) throws(YAMLFileError) -> Scenario { try scenarios(path)[0] }

  /// The scenarios of the file `path` in this folder, one for each transport. Paths of captures are relative to the
  /// parent of the folder of scenarios: `Captures/busy.pcapng`. Network profiles are in the folder's `networks`, or
  /// else in those that are found.
  ///
  /// - Throws: `YAMLFileError` with file, line and column about an error.
  public func scenarios(_ path: String) throws(YAMLFileError) -> [Scenario] {
    let beside = root.hasSuffix("/Scenarios") ? String(root.dropLast("Scenarios".count)) : ""
    let file = "\(root)/\(path)"
    return try Scenario.read(try ScenarioFolder.text(file), path: path, file: file, suites: suites) { path, sender in
      // Use the capture's own ports and the protocol of its sender: another protocol of a file may use the same port.
      let declared = Protocols.isBuiltIn(sender.owner) ? [] : [sender.owner]
      let capture = try RecordingFiles.knowing(declared).recording(path.hasPrefix("/") ? path : beside + path)
      return try ReplaySource(capture, as: sender.name).payloads()
    } networks: { name in
      let own = NetworkLibrary(scenarios: root)
      return try (own.names.contains(name) ? own : NetworkLibrary()).read(name).impairments
    }
  }

  private static func text(_ path: String) throws(YAMLFileError) -> String {
    do {
      return try TextFile.read(path)
    } catch {
      throw YAMLFileError(file: path, line: 1, column: 1, "\(error)")
    }
  }

  private func paths(in folder: String) throws(FileError) -> [String] {
    var paths: [String] = []
    for name in try Folders.names(in: "\(root)/\(folder)") {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if name.hasSuffix(".yaml") {
        paths.append(path)
      } else if Folders.isFolder("\(root)/\(path)"), !["systems", "protocols", "networks"].contains(path) {
        paths += try self.paths(in: path)
      }
    }
    return paths
  }
}
