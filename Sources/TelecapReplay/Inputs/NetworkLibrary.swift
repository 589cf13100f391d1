import TelecapConformance
import TelecapFiles
import TelecapText

/// Finds network profiles in files by their names or paths.
public struct NetworkLibrary: Sendable {
  private let scenarios: String?

  /// Profiles without a path are in `networks` of this folder of scenarios; by default of those that are found.
  public init(scenarios: String? = nil) { self.scenarios = scenarios }

  /// The folders of profiles, the nearest first.
  private var folders: [String] { (scenarios.map { [$0] } ?? ScenarioFolder.places).map { "\($0)/networks" } }

  /// The names of the profiles in the folders.
  public var names: [String] {
    let files = folders.flatMap { (try? Folders.names(in: $0)) ?? [] }.filter { $0.hasSuffix(".yaml") }
    return Set(files.map { String($0.dropLast(5)) }).sorted()
  }

  /// The path of the profile with this name or path.
  public func path(of name: String) -> String {
    if name.contains("/") || name.hasEnding(".yaml") { return name }
    let paths = folders.map { "\($0)/\(name).yaml" }
    return paths.first(where: Folders.exists) ?? paths.first ?? "Scenarios/networks/\(name).yaml"
  }

  /// The profile of this name, or of the file at this path, which has a slash or ends in `.yaml`.
  ///
  /// - Throws: `NetworkProblem` when there is no such name, `FileError` when the file cannot be read, `YAMLFileError`
  ///   with line and column.
  public func read(_ name: String) throws -> NetworkFile {
    let path = path(of: name)
    guard path == name || Folders.exists(path) else { throw NetworkProblem(name: name, names: names) }
    return try NetworkFile(try TextFile.read(path), file: path)
  }
}

/// The error about an unknown network profile.
public struct NetworkProblem: Advising, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public var name: String
  /// The known names.
  public var names: [String]

  /// An error with the known names.
  public init(name: String, names: [String]) { (self.name, self.names) = (name, names) }

  /// The error message.
  public var description: String {
    let meant = Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
    return "there is no network \"\(name)\"; " + (meant ?? "there are \(names.joined(separator: ", "))")
  }

  /// The advice.
  public var advice: String { "name one of them, or a file of your own with a slash in it: ./\(name).yaml" }
}
