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

/// A saved plan beside the capture that it was made for: what its network did with each packet.
public struct ShownPlan: Sendable {
  /// One at a time runs it.
  private let run: Locked<ReplayRun>
  private let survey: RecordingScan
  private let title: String
  /// So many messages are run again for a part of the time while a person waits; of more the columns of the whole are drawn.
  private static let most = 80_000

  /// The plan at a path. Whose packets it is about, and which part of the recording, is found by their digest.
  ///
  /// - Throws: `SavedPlanError` where it is no plan, was made for other packets, or cannot be carried out; `ReplayProblem` where no
  ///   model receives them;
  ///   what opening the recording throws.
  public init(_ path: String, of recording: Recording, suites: Suites) throws {
    let found = try ShownPlan.found(path, of: recording, suites)
    let (header, role) = (found.feeder.header, found.feeder.source.role)
    guard header.timeline == Timeline() else { throw SavedPlanError.otherTime(plan: path) }
    try found.checkModel()
    // What is wrong with a line is known before anything is drawn by it.
    if let wrong = try found.feeder.plan({ _ in }).damage?.reason as? SavedPlanError { throw wrong }
    let network = header.impairments.asked.isEmpty ? "no impairment" : "\(header.impairments)"
    title =
      "\(path.printable): what a network did with what the \(role) sent (\(network), seed \(header.seed))"
    survey = found.survey
    run = Locked(found)
  }

  /// The run that the plan describes: of what one side sent, in all of the recording or in a part of it.
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
    // Where nobody sent anything, that is what is wrong.
    throw SavedPlanError.ofNobody(plan: path, made: made, recording: try ReplaySource(recording, as: nil).name)
  }

  /// The run of what a side sent; nil where that is not what the plan was made for.
  private static func run(of source: ReplaySource, by path: String, _ suites: Suites) throws -> ReplayRun? {
    do {
      return try ReplayRun(of: source, by: path, suites: suites) { PlanHeader(seed: 1, capture: $0.digest.description) }
    } catch SavedPlanError.otherPackets {
      return nil
    } catch ReplayProblem.nothing {
      return nil
    } catch is Damage {
      // This side sent nothing before the file broke off.
      return nil
    }
  }

  /// What it did, in these columns.
  ///
  /// - Throws: what reading throws.
  func drawn(_ grid: TimeGrid) throws -> NetworkRun {
    let (start, end) = (survey.start, survey.start.advanced(byNanoseconds: survey.length))
    var drawn = try run.with { try $0.drawn(grid, from: start, until: end).run }
    drawn.title = title
    return drawn
  }

  /// A part of what it did: from the columns of the whole where these are fine enough, or where there is too much to run it again.
  func part(_ grid: TimeGrid, of whole: NetworkRun) throws -> NetworkRun {
    guard grid.length < whole.grid.length / 64, survey.units <= ShownPlan.most else {
      return whole.reduced(to: grid)
    }
    return try drawn(grid)
  }
}
