import TelecapConformance
import TelecapFiles
import TelecapText

/// A project file, `telecap.yaml`: the defaults of options in its folder and all folders below it.
public struct ProjectFile: Hashable, Sendable {
  /// The path.
  public let path: String
  /// The defaults of `--protocol`: absolute paths, and names of known protocols.
  public private(set) var protocols: [String] = []
  /// The defaults of `--port`, as `ID=NUMBER`.
  public private(set) var ports: [String] = []
  /// The default of `--sut`; a file's path is absolute.
  public private(set) var sut: String?
  /// The default of `--code`.
  public private(set) var code: String?
  /// The reports of `conform`, each with the name of its option and its path.
  public private(set) var reports: [Report] = []

  /// A report of `conform`.
  public struct Report: Hashable, Sendable {
    /// The name of the option: `junit`.
    public let option: String
    /// The absolute path, or `-`.
    public let path: String
  }

  /// The name of every project file.
  public static let name = "telecap.yaml"

  /// The keys of such a file.
  public static let shape = YAMLShape(
    "project",
    [
      YAMLKey("protocols", .list(.text), "The default of --protocol: protocol files, or names of known protocols."),
      YAMLKey(
        "ports", .dictionary(.integer), "The default of --port: the numbers of ports by their ids.",
        example: "{lamp-udp: 7001}"),
      YAMLKey("sut", .text, "The default of conform --sut: a system file, a model or an address."),
      YAMLKey("code", .line, "The default of --code: the pairing code."),
      YAMLKey("reports", .mapping(reportShape), "The reports of conform, by format."),
    ])

  private static let reportShape = YAMLShape(
    "reports",
    ["junit", "tap", "json", "markdown", "html"].map { YAMLKey($0, .text, "The default of conform --\($0).") })

  /// Reads a project file.
  ///
  /// - Parameter path: its absolute path; paths in it are relative to its folder.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public init(_ text: String, path: String) throws(YAMLFileError) {
    self.path = path
    let root = try YAMLValue.read(text, file: path, as: ProjectFile.shape)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    func absolute(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    protocols = (root["protocols"]?.list ?? []).compactMap(\.text).map { ProjectFile.isPath($0) ? absolute($0) : $0 }
    for (id, value) in root["ports"]?.pairs ?? [] {
      guard let number = value.integer, (1...65_535).contains(number) else {
        throw value.error("\"\(id)\": a port is 1 to 65535, found \(value.text ?? "")")
      }
      ports.append("\(id)=\(number)")
    }
    sut = (root["sut"]?.text).map { ProjectFile.isPath($0) && !$0.contains("://") ? absolute($0) : $0 }
    code = root["code"]?.text
    reports = (root["reports"]?.pairs ?? []).map { option, value in
      let path = value.text ?? "-"
      return Report(option: option, path: path == "-" ? path : absolute(path))
    }
  }

  /// Whether a text is a path and not a name: the same rule as for `--protocol`.
  private static func isPath(_ text: String) -> Bool {
    text.contains("/") || text.hasEnding(".yaml") || text.hasEnding(".yml")
  }
}

// MARK: - Finding it

extension ProjectFile {
  /// The possible paths, the nearest first: in a folder, and in each folder above it up to the home folder or the root.
  static func candidates(from folder: String, home: String?) -> [String] {
    var paths: [String] = []
    var folder = folder[...]
    while true {
      paths.append("\(folder == "/" ? "" : folder)/\(name)")
      guard folder != "/", folder != (home ?? "/")[...], let slash = folder.lastIndex(of: "/") else { return paths }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
  }

  /// The project file of a folder; nil if there is none. One that belongs to another user is not used, because anyone
  /// can put a file into a shared folder such as `/tmp`, and a project file names a program to run.
  ///
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - log: receives the reason why a file is not used.
  /// - Throws: `FileError` or `YAMLFileError`.
  public static func find(
    from folder: String, home: String? = UserFolders.home, log: (String) -> Void
  ) throws -> ProjectFile? {
    guard let path = candidates(from: folder, home: home).first(where: Folders.exists) else { return nil }
    guard UserFolders.isTrusted(path) else {
      log("\(path): not used, because it belongs to another user")
      return nil
    }
    return try ProjectFile(try TextFile.read(path), path: path)
  }
}

// MARK: - Using it

extension ProjectFile {
  /// The options that a command line gets from the project: those that its command has, and that were not given.
  ///
  /// - Parameters:
  ///   - words: the command line, with ports as `--port ID=NUMBER`.
  ///   - takes: whether the command has an option.
  public func options(for words: [String], where takes: (String) -> Bool) -> [String] {
    let given = words.optionNames(short: [:])
    func isOpen(_ option: String) -> Bool { takes(option) && !given.contains(option) }
    var options: [String] = []
    // The digits of dissect --hex are decoded as one protocol, which several files do not select.
    let isOne = !given.contains("hex") || protocols.count == 1
    if isOne, isOpen("protocol") { options += protocols.flatMap { ["--protocol", $0] } }
    if takes("port") {
      let ids = Set(words.values(of: "--port").map(\.halves.0))
      options += ports.filter { !ids.contains($0.halves.0) }.flatMap { ["--port", $0] }
    }
    if let code, isOpen("code") { options += ["--code", code] }
    // Of the commands with reports only conform has a system by default.
    guard takes("sut"), given.isDisjoint(with: ["list"]) else { return options }
    if let sut, isOpen("sut") { options += ["--sut", sut] }
    guard given.isDisjoint(with: ["dry-run", "check", "explore"]) else { return options }
    return options + reports.filter { isOpen($0.option) }.flatMap { ["--\($0.option)", $0.path] }
  }
}
