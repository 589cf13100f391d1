import TelecapFiles
import TelecapRecording
import TelecapText
import TelecapTransport

/// The file in the user's cache folder that keeps the failed cases of one system and one folder of scenarios.
public struct LastFailedFile: Sendable {
  /// The path; nil if the user has no cache folder.
  public let path: String?
  private let system: String
  private let scenarios: String

  /// The file for a system, as `--sut` names it, and the folder of its scenarios.
  ///
  /// - Parameter cache: the user's cache folder.
  public init(system: String, scenarios: String, cache: String? = UserFolders.cache) {
    let isFile = system.hasEnding(".yaml") || system.hasEnding(".yml")
    self.system = isFile ? LastFailedFile.absolute(system) : system
    self.scenarios = LastFailedFile.absolute(scenarios)
    let key = FNV1a("\(self.system)\n\(self.scenarios)")
    path = cache.map { "\($0)/last-failed/\(key).json" }
  }

  /// The reason why the failures of the last run are not known.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No failure of an earlier run is known.
    case none(system: String)
    /// The file cannot be read.
    case unreadable(FileError)
    /// The file is not as telecap writes it.
    case damaged(path: String)

    /// The reason.
    public var description: String {
      switch self {
      case .none(let system): "no failure of an earlier run against \(system) is known"
      case .unreadable(let error): "\(error)"
      case .damaged(let path): "\(path): not a list of failed cases of this system"
      }
    }
  }

  /// Reads the failures of the last run.
  public func read() throws(Problem) -> LastFailed {
    guard let path, Folders.exists(path) else { throw .none(system: system) }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try TextFile.bytes(path) } catch { throw .unreadable(error) }
    let reading = JSONReading(bytes, allowing: [])
    guard reading.problem == nil, let node = reading.node, node["format"]?.string == LastFailedFile.format,
      node["system"]?.string == system, node["scenarios"]?.string == scenarios, let failed = LastFailed(node)
    else { throw .damaged(path: path) }
    return failed
  }

  /// Replaces the file, at once and complete. Does nothing without a cache folder, and where there is neither a failure nor a file: most
  /// systems never fail, and get no file.
  ///
  /// - Throws: `FileError`
  public func write(_ failed: LastFailed) throws(FileError) {
    guard let path, !failed.cases.isEmpty || Folders.exists(path) else { return }
    try Folders.createAll(Paths.directory(of: path))
    var json = JSONWriter()
    json.beginObject()
    json.put("format", LastFailedFile.format)
    json.put("system", system)
    json.put("scenarios", scenarios)
    failed.write(to: &json)
    json.endObject()
    json.endLine()
    var output = try Output(path: path, force: true)
    try output.take(&json)
    try output.finish()
  }

  private static let format = "telecap-last-failed-1"

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(Paths.directory(of: path))/\(name)"
  }
}
