import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// What a network does to a trace: made by impairments and a seed, or read from a file, where a person may have changed it.
public struct TouchPlan: Sendable {
  /// What it was made from.
  public let header: PlanHeader
  /// One line for each sample, by its number from 1.
  public private(set) var lines: [PlanLine] = []

  /// Plans the network. What begins and ends a touch is always delivered: a trace without it is no touch.
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
  /// - Throws: `FileError` when there is no such file, `TouchProblem` with its place when it is no plan, or one of another
  ///   trace.
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

  /// As JSON Lines, the form of `telecap plan`.
  public var text: [UInt8] {
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    for line in lines { PlanWriter.append(line, to: &text) }
    return text
  }
}
