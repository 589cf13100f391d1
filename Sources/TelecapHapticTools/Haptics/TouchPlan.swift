import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// The effects of a network on a trace: computed from impairments and a seed, or read from a file, which the user may
/// have edited.
public struct TouchPlan: Sendable {
  /// The parameters from which it was made.
  public let header: PlanHeader
  /// A line for each sample, by its number from 1.
  public private(set) var lines: [PlanLine] = []

  /// Plans the network. The first and last samples of a touch are always delivered, because a trace without them is
  /// invalid.
  public init(_ trace: TouchTrace, _ impairments: Impairments, seed: UInt64) {
    header = PlanHeader(
      seed: seed, capture: trace.digest.description, selection: "moved and stationary", impairments: impairments)
    var planner = Planner(impairments, seed: seed)
    var lines: [PlanLine] = []
    for (index, line) in trace.lines.enumerated() {
      let phase = (try? TouchSample(line: line.bytes))?.phase
      let packet = PlannedPacket(
        number: index + 1, time: line.time, length: line.bytes.count,
        isSelected: phase == .moved || phase == .stationary)
      planner.plan(packet) { line, _ in lines.append(line) }
    }
    planner.finish { line, _ in lines.append(line) }
    self.lines = lines
  }

  /// Reads a plan that was made for this trace.
  ///
  /// - Throws: `FileError` if the file does not exist, `TouchProblem` with a position if it is not a plan, or a plan of
  ///   another trace.
  public init(path: String, for trace: TouchTrace) throws {
    let bytes = try TextFile.bytes(path)
    var reader = PlanReader()
    var lines: [PlanLine] = []
    do {
      try reader.read(bytes.span.bytes) { lines.append($0) }
      try reader.finish { lines.append($0) }
    } catch let error as PlanSyntaxError {
      throw TouchProblem.wrongPlan(path: path, error)
    }
    guard let header = reader.header else { throw TouchProblem.headless(plan: path) }
    guard header.capture.isEmpty || header.capture == trace.digest.description else {
      throw TouchProblem.otherTrace(plan: path, digest: header.capture, this: trace.digest)
    }
    if let line = lines.first(where: { $0.packet < 1 || $0.packet > trace.lines.count }) {
      throw TouchProblem.noSuchSample(plan: path, line.packet, of: trace.lines.count)
    }
    self.header = header
    self.lines = lines
  }

  /// The plan as JSON Lines, in the format of `telecap plan`.
  public var text: [UInt8] {
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    for line in lines { PlanWriter.append(line, to: &text) }
    return text
  }
}
