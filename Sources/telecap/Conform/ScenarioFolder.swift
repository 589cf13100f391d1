#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapSuites
import TelecapTransport

/// A folder of scenario files: `tele/hello/busy.yaml` and so on; what lies in `systems` is none.
struct ScenarioFolder {
  let root: String

  /// The folder `asked`; where none was asked for, `Scenarios` here, or those that came with the program: above it in a
  /// clone, or in `share/telecap` beside its `bin`.
  init(_ asked: String?) {
    var candidates = ["Scenarios"]
    var folder = Paths.directory(of: Paths.ownProgram)
    while folder.count > 1 {
      candidates += ["\(folder)/Scenarios", "\(folder)/share/telecap/Scenarios"]
      folder = Paths.directory(of: folder)
    }
    root = asked ?? candidates.first(where: ScenarioFolder.isFolder) ?? "Scenarios"
  }

  /// All of them, in the order of their ids.
  /// - Throws: `Failure` 66 when there is no such folder, 65 with file, line and column when one is wrong.
  func read() throws -> [Scenario] {
    var paths: [String] = []
    try collect("", into: &paths)
    guard !paths.isEmpty else {
      throw Failure(.noInput, "\(root): no scenarios", advice: "name their folder with --scenarios")
    }
    do throws(YAMLFileError) {
      return try paths.sorted().map { (path) throws(YAMLFileError) in try scenario(path) }
    } catch {
      throw Failure(.data, error.description)
    }
  }

  /// The scenario of the file `path` in this folder. It names a capture as it lies beside the folder of the scenarios:
  /// `Captures/busy.pcapng`.
  /// - Throws: `YAMLFileError` with file, line and column when it is wrong.
  func scenario(_ path: String) throws(YAMLFileError) -> Scenario {
    let beside = root.hasSuffix("/Scenarios") ? String(root.dropLast("Scenarios".count)) : ""
    let file = "\(root)/\(path)"
    return try Scenario(try ScenarioFolder.text(file), path: path, file: file, suites: .all) { path, sender in
      try CapturedMessages.read(path.hasPrefix("/") ? path : beside + path, sender)
    }
  }

  private static func text(_ path: String) throws(YAMLFileError) -> String {
    do {
      return try TextFile.read(path)
    } catch {
      throw YAMLFileError(file: path, line: 1, column: 1, "\(error)")
    }
  }

  private func collect(_ folder: String, into paths: inout [String]) throws {
    guard let directory = opendir(folder.isEmpty ? root : "\(root)/\(folder)") else {
      throw Failure(.noInput, "\(root)/\(folder): \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard !name.hasPrefix(".") else { continue }
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if name.hasSuffix(".yaml") {
        paths.append(path)
      } else if ScenarioFolder.isFolder("\(root)/\(path)"), !["systems", "protocols"].contains(path) {
        try collect(path, into: &paths)
      }
    }
  }

  /// The names in a folder; none where there is no such folder.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private static func isFolder(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }
}

/// The messages of a capture that a scenario names.
enum CapturedMessages {
  /// What `sender` sent, at its times since the capture's first packet.
  static let read: CaptureLoader = { path, sender in
    var input = try Loaded.files.open(.path(path))
    var reader = UnitReader(ports: .standard, role: sender, window: CaptureWindow())
    var start: Timestamp?
    var payloads: [CapturedPayload] = []
    try input.forEach { header, frame in
      let begin = start ?? header.time
      start = begin
      try reader.receive(header, frame) { unit, _, bytes in
        payloads.append(
          CapturedPayload(
            time: max(0, unit.time.nanoseconds(since: begin)), carrier: unit.carrier,
            bytes: bytes.withUnsafeBytes { Array($0) }))
      }
    }
    return payloads
  }
}
