import TelecapConformance
import TelecapFiles
import TelecapText

/// Networks in files: found by their names or paths.
public struct NetworkLibrary: Sendable {
  private let scenarios: String?

  /// Networks that are named without a path lie in `networks` of this folder of scenarios; of those that are found where none
  /// is given.
  public init(scenarios: String? = nil) { self.scenarios = scenarios }

  /// Where they lie, the nearest folder first.
  private var folders: [String] { (scenarios.map { [$0] } ?? ScenarioFolder.places).map { "\($0)/networks" } }

  /// The names of those in the folders.
  public var names: [String] {
    let files = folders.flatMap { (try? Folders.names(in: $0)) ?? [] }.filter { $0.hasSuffix(".yaml") }
    return Set(files.map { String($0.dropLast(5)) }).sorted()
  }

  /// Where the network of this name or path lies.
  public func path(of name: String) -> String {
    if name.contains("/") || name.hasEnding(".yaml") { return name }
    let paths = folders.map { "\($0)/\(name).yaml" }
    return paths.first(where: Folders.exists) ?? paths.first ?? "Scenarios/networks/\(name).yaml"
  }

  /// The network of this name, or of the file at this path, which has a slash or ends in `.yaml`.
  ///
  /// - Throws: `NetworkProblem` when the folder has none of the name, `FileError` when the file cannot be read, `YAMLFileError`
  ///   with line and column.
  public func read(_ name: String) throws -> NetworkFile {
    let path = path(of: name)
    guard path == name || Folders.exists(path) else { throw NetworkProblem(name: name, names: names) }
    return try NetworkFile(try TextFile.read(path), file: path)
  }
}

/// There is no network of this name.
public struct NetworkProblem: Advising, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public var name: String
  /// Those that there are.
  public var names: [String]

  /// That there is none of this name, but these.
  public init(name: String, names: [String]) { (self.name, self.names) = (name, names) }

  /// What is wrong.
  public var description: String {
    let meant = Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
    return "there is no network \"\(name)\"; " + (meant ?? "there are \(names.joined(separator: ", "))")
  }

  /// What to do about it.
  public var advice: String { "name one of them, or a file of your own with a slash in it: ./\(name).yaml" }
}
