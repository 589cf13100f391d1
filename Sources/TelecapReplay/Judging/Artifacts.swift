import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// `--artifacts DIR`: a directory for each failure, with the data to analyse it without running it again.
///
///      DIR/tele.pose.latest-value-wins/
///        plan.jsonl          the impairments, for `replay --plan`
///        traffic.pcapng      the messages to the system and from it
///        observations.jsonl  its events, one a line
///        output.txt          its other output
///
/// A hidden file next to these marks them as made by telecap: other files are never replaced.
public struct Artifacts {
  private let directory: String
  private let tool: String
  private let ports: Ports

  /// The files about a scenario.
  private enum File: String, CaseIterable {
    case plan = "plan.jsonl"
    case traffic = "traffic.pcapng"
    case observations = "observations.jsonl"
    case output = "output.txt"
  }

  private static let mark = ".telecap-artifacts"

  /// The existing files that a run with failures may replace, in each folder of the directory of `--artifacts`.
  public static func present(in directory: String?) -> [SameFile.Named] {
    guard let directory, let folders = try? Folders.names(in: directory) else { return [] }
    return folders.sorted().flatMap { present(inFolder: "\(directory)/\($0)") }.map { ("--artifacts", $0) }
  }

  private static func present(inFolder folder: String) -> [String] {
    File.allCases.map { "\(folder)/\($0.rawValue)" }.filter(Folders.exists)
  }

  /// Creates the directory, and checks that no foreign files are in the place of these scenarios' files.
  ///
  /// - Throws: `FileError.others`, `cannotMakeFolder`.
  static func prepare(_ directory: String, for scenarios: [String]) throws(FileError) {
    try Folders.create(directory)
    for id in scenarios { try refuseOthers("\(directory)/\(fileName(id))") }
  }

  private static func refuseOthers(_ folder: String) throws(FileError) {
    if let other = present(inFolder: folder).first, !Folders.exists("\(folder)/\(mark)") { throw .others(path: other) }
  }

  /// Creates the directory if it is missing.
  ///
  /// - Parameters:
  ///   - tool: the name and version of the writing program.
  ///   - ports: the ports that identify protocols in a capture of the traffic.
  /// - Throws: `FileError.cannotCreate` when it cannot be created.
  public init(directory: String, tool: String, ports: Ports) throws {
    (self.directory, self.tool, self.ports) = (directory, tool, ports)
    try Folders.create(directory)
  }

  /// Writes the files about a scenario that did not pass; returns their folder, nil when there is nothing to keep.
  ///
  /// - Throws: `FileError` or `CaptureFileError` when they cannot be written; `FileError.others` when foreign files are
  ///   there.
  public func keep(_ result: ScenarioResult) throws -> String? {
    guard let log = result.shown.log else { return nil }
    let folder = "\(directory)/\(Artifacts.fileName(result.scenario.id))"
    try Artifacts.refuseOthers(folder)
    try Folders.create(folder)
    try Output.write("\(tool) wrote the files next to this one, and replaces them\n", to: "\(folder)/\(Artifacts.mark)")
    func path(_ file: File) -> String { "\(folder)/\(file.rawValue)" }
    if let script = result.shown.script {
      let one = result.shown.case
      let header =
        result.ran.recorded?.header ?? PlanHeader(seed: one.seed, capture: "", impairments: one.impairments)
      try writePlan(script, header, result.ran.changers[one.impairments]?.names ?? .none, to: path(.plan))
    }
    try TrafficCapture.write(log, of: result, to: path(.traffic), tool: tool, ports)
    try writeObservations(log, of: result.scenario.judging.owner, to: path(.observations))
    try writeOutput(log, to: path(.output))
    return folder
  }

  private func writePlan(_ script: Script, _ header: PlanHeader, _ fields: FieldNames, to path: String) throws {
    var output = try Output(path: path, force: true)
    PlanWriter.append(header, to: &output.buffer)
    for line in script.plan {
      PlanWriter.append(line, to: &output.buffer, fields)
      try output.flushIfLarge()
    }
    try output.finish()
  }

  private func writeObservations(_ log: RunLog, of owner: WireProtocol?, to path: String) throws {
    var output = try Output(path: path, force: true)
    for entry in log.entries {
      if case .event(let event) = entry.what { try output.line(event.jsonLine(at: entry.time, of: owner)) }
    }
    try output.finish()
  }

  private func writeOutput(_ log: RunLog, to path: String) throws {
    var output = try Output(path: path, force: true)
    for entry in log.entries {
      switch entry.what {
      case .output(let line): try output.line(line)
      case .broke(let reason): try output.line("telecap: the system broke: \(reason)")
      default: break
      }
    }
    try output.finish()
  }

  /// The ids of scenarios are paths with dots; any other character must not lead out of the directory.
  private static func fileName(_ id: String) -> String {
    let name = String(id.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    return name.hasPrefix(".") ? "_" + name : name
  }
}
