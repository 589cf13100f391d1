import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// One session with a program, with values that occur nowhere else, and its results.
struct ProgramTrial {
  private let probe: SystemFile
  private let folder: String
  private let namesNothing: Bool
  private let suites: Suites
  private let stop: StopFlag

  /// - Parameters:
  ///   - probe: the system file for the session, which reads all output.
  ///   - folder: the folder of its file.
  ///   - namesNothing: whether its command contains no variable.
  init(_ probe: SystemFile, folder: String, namesNothing: Bool, _ suites: Suites, _ stop: StopFlag) {
    (self.probe, self.folder, self.namesNothing, self.suites, self.stop) = (probe, folder, namesNothing, suites, stop)
  }

  /// `tell` is called at each stage, from any thread.
  /// - Throws: `LearnProblem`; `YAMLFileError` where a session of telecap is invalid; `CancellationError`.
  func run(_ tell: @escaping @Sendable (String) -> Void) async throws -> (LearnedSystem, WatchedSession) {
    let part = probe.part
    let carrier: Carrier = probe.udp != nil ? .udp : .tcp
    guard let session = try suites.learning(part, over: carrier) else {
      throw LearnProblem.noPart(part.name, among: suites.learnable.map(\.name))
    }
    var greetings = [carrier: session.greeting].compactMapValues(\.self)
    if carrier == .udp, probe.tcp != nil, session.greeting != nil {
      greetings[.tcp] = try suites.learning(part, over: .tcp)?.greeting
    }
    let system = ProgramSystem(probe, directory: folder, telecap: Paths.ownProgram, stop: stop)
    let watched: WatchedSession
    do {
      watched = try await system.watch(session.session, greetings: greetings) { tell($0.words) }
    } catch let error as SystemError {
      throw LearnProblem.notReached("\(error)", namesNothing: namesNothing)
    }
    if let broke = watched.log.broke {
      throw LearnProblem.notReached("\(broke.reason) during the session", namesNothing: false)
    }
    // Skip output during the readiness checks, since it shows other sessions.
    let lines = watched.lines.filter { $0.time >= 0 || $0.time - watched.start < watched.opened }
    let model = suites.model(of: part)
    let streams = model?.isDeclared == true ? model?.judging.streams ?? [] : []
    let occasions = ExpectedEvents.of(watched.log, part: part, streams: streams, kinds: suites.kinds)
    let learned = Learner.learn(LearningLog(occasions: occasions, lines: lines), preferring: probe.format)
    let kinds = learned.rules.map(\.rule.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let count = watched.lines.count == 1 ? "1 line" : "\(watched.lines.count) lines"
    tell("found \(kinds.isEmpty ? "nothing" : kinds.list(or: false)) in \(count)")
    return (learned, watched)
  }
}

extension WatchedSession.Stage {
  /// The text of the stage for a person.
  fileprivate var words: String {
    func seconds(_ time: Nanoseconds) -> String { "\(Double(time / 100_000_000) / 10) s" }
    return switch self {
    case .ready(let time): "ready after \(seconds(time))"
    case .sending(let time): "sending a session of \(seconds(time))"
    }
  }
}
