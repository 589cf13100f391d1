import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapStore
import TelecapSuites
import TelecapText
import TelecapWire

/// Finds protocols in files by their names or paths, and reads them in addition to loaded ones.
public struct ProtocolLibrary: Sendable {
  private let scenarios: String?

  /// Protocols without a path are in `protocols` of this folder of scenarios; by default of those that are found.
  public init(scenarios: String? = nil) { self.scenarios = scenarios }

  /// The protocols of these names and files, each once, in the order of their first mention.
  ///
  /// - Parameter names: paths, which have a slash or end in `.yaml`; or names in the folder, or of a built-in protocol.
  ///   A file that declares a built-in protocol in the same way is that.
  /// - Throws: `ProtocolProblem`, `FileError`, or `YAMLFileError` with line and column, about the first error.
  public func read(_ names: [String]) throws -> [WireProtocol] {
    try names.reduce(into: []) { protocols, name in
      let one = try read(name, beside: protocols)
      if !protocols.contains(where: { $0 === one }) { protocols.append(one) }
    }
  }

  private func read(_ name: String, beside others: [WireProtocol]) throws -> WireProtocol {
    if let builtIn = Protocols.builtIn.first(where: { $0.name == name }) { return builtIn }
    let path = try path(of: name)
    let declared = others.filter { !Protocols.isBuiltIn($0) }
    return try ProtocolLibrary.declared(try TextFile.read(path), path, beside: Protocols.builtIn + declared)
  }

  /// The folders of protocols, the nearest first.
  private var folders: [String] { (scenarios.map { [$0] } ?? ScenarioFolder.places).map { "\($0)/protocols" } }

  /// The names of the protocols in the folders.
  public var names: [String] {
    let files = folders.flatMap { (try? Folders.names(in: $0)) ?? [] }.filter { $0.hasSuffix(".yaml") }
    let builtIn = Protocols.builtIn.map(\.name)
    return Set(files.map { String($0.dropLast(5)) }).subtracting(builtIn).sorted()
  }

  /// The path of the file with this name or path.
  ///
  /// - Throws: `ProtocolProblem.unknown` when there is no such name.
  public func path(of name: String) throws(ProtocolProblem) -> String {
    if name.contains("/") || name.hasEnding(".yaml") { return name }
    if let path = folders.map({ "\($0)/\(name).yaml" }).first(where: Folders.exists) { return path }
    throw .unknown(name: name, files: names)
  }

  /// The protocol that a text declares, if captures can store it and it is distinguishable from the others; one of the
  /// others where the text declares the same.
  ///
  /// - Parameter file: the file of the text, for errors.
  /// - Throws: `YAMLFileError` with line and column; `ProtocolProblem.unstorable`.
  @Sendable
  public static func declared(_ text: String, _ file: String, beside others: [WireProtocol]) throws -> WireProtocol {
    let surroundings = ProtocolSurroundings(others, taken: taken) { CaptureSchema.problem(ofColumn: $0) }
    let one = try ProtocolFile.read(text, file: file, beside: surroundings)
    if !others.contains(where: { $0 === one }), let problem = CaptureSchema(others + [one]).problem {
      throw ProtocolProblem.unstorable(file: file, reason: "\(problem)")
    }
    return one
  }

  /// The names of telecap's suites, with which the ids of their requirements begin.
  private static let taken = Set(
    Suites.all.requirements.compactMap { $0.id.split(separator: ".").first.map(String.init) })
}

/// The reason why a protocol cannot be used.
public enum ProtocolProblem: Advising, Hashable, Sendable {
  /// There is no such name; these are in files.
  case unknown(name: String, files: [String])
  /// Captures cannot store its messages.
  case unstorable(file: String, reason: String)

  /// The advice; empty without any.
  public var advice: String {
    switch self {
    case .unknown(let name, _): "name its file, with a slash in it: ./\(name).yaml"
    case .unstorable: ""
    }
  }
}

extension ProtocolProblem: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .unknown(let name, let files):
      "there is no protocol \"\(name)\"; there are \(Protocols.builtIn.map(\.name).joined(separator: ", "))"
        + (files.isEmpty ? "" : " and, in files, \(files.joined(separator: ", "))")
    case .unstorable(let file, let reason): "\(file): \(reason)"
    }
  }
}
