import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport
import TelecapWire

/// A saved plan of a capture, and the effects of its network on each packet.
public struct ShownPlan: Sendable {
  /// Locked, because only one run at a time is possible.
  private let run: Locked<ReplayRun>
  private let survey: RecordingScan
  private let title: String
  /// The maximum number of messages that are rerun for a part of the time while a user waits; above it the columns of
  /// the whole are drawn.
  private static let most = 80_000

  /// Reads the plan at a path. Its digest determines the side and the part of the recording.
  ///
  /// - Throws: `SavedPlanError` if the file is not a plan, was made for other packets, or cannot be carried out;
  ///   `ReplayProblem` if no model receives them; any error of opening the recording.
  public init(_ path: String, of recording: Recording, suites: Suites) throws {
    let found = try ShownPlan.found(path, of: recording, suites)
    let (header, role) = (found.feeder.header, found.feeder.source.role)
    guard header.timeline == Timeline() else { throw SavedPlanError.otherTime(plan: path) }
    try found.checkModel()
    // Check all lines before drawing any.
    if let wrong = try found.feeder.plan({ _ in }).damage?.reason as? SavedPlanError { throw wrong }
    let network = header.impairments.asked.isEmpty ? "no impairment" : "\(header.impairments)"
    title =
      "\(path.printable): what a network did with what the \(role) sent (\(network), seed \(header.seed))"
    survey = found.survey
    run = Locked(found)
  }

  /// The run of the plan: of the packets of one side, in the whole recording or in a part of it.
  private static func found(_ path: String, of recording: Recording, _ suites: Suites) throws -> ReplayRun {
    var plan = try SavedPlan.opening(path, MessageChanger.names(of: recording.ports.protocols))
    let (made, ends) = (plan?.header.capture ?? "", try plan?.packets())
    let senders = Role.all(of: recording.ports.protocols).filter(\.sends)
    for role in senders {
      if let run = try run(of: ReplaySource(recording, as: role.name), by: path, suites) { return run }
    }
    for role in senders {
      guard let ends, let window = try ReplaySource(recording, as: role.name).window(ends) else { continue }
      let part = try ReplaySource(recording, as: role.name, window: window)
      if let run = try run(of: part, by: path, suites) { return run }
    }
    // If no side sent anything, report that.
    throw SavedPlanError.ofNobody(plan: path, made: made, recording: try ReplaySource(recording, as: nil).name)
  }

  /// The run of a side's packets; nil if the plan was not made for them.
  private static func run(of source: ReplaySource, by path: String, _ suites: Suites) throws -> ReplayRun? {
    do {
      return try ReplayRun(of: source, by: path, suites: suites) { PlanHeader(seed: 1, capture: $0.digest.description) }
    } catch SavedPlanError.otherPackets {
      return nil
    } catch ReplayProblem.nothing {
      return nil
    } catch is Damage {
      // This side sent nothing before the damage in the file.
      return nil
    }
  }

  /// The effects of the plan in these columns.
  ///
  /// - Throws: any error of reading.
  func drawn(_ grid: TimeGrid) throws -> NetworkRun {
    let (start, end) = (survey.start, survey.start.advanced(byNanoseconds: survey.length))
    var drawn = try run.with { try $0.drawn(grid, from: start, until: end).run }
    drawn.title = title
    return drawn
  }

  /// A part of the effects: from the columns of the whole if they are fine enough, or if a rerun would be too large.
  func part(_ grid: TimeGrid, of whole: NetworkRun) throws -> NetworkRun {
    guard grid.length < whole.grid.length / 64, survey.units <= ShownPlan.most else {
      return whole.reduced(to: grid)
    }
    return try drawn(grid)
  }
}
