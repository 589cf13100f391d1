import TelecapConformance
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapText
import TelecapTransport
import TelecapWire

/// The HAPTIC and POSE of a recorded session, through a network, as a phone and a host applied them.
public struct CapturedSession: Sendable {
  /// What was felt and heard.
  public var followed = FollowedSession()
  /// What became of each stream, in sentences.
  public private(set) var notes: [String] = []
  /// When the last packet of the recording was sent that all of it rests on.
  public private(set) var reached: Timestamp?

  /// Replays both sides of a recording against our models, in virtual time; what opens and closes a session comes through
  /// unharmed.
  ///
  /// - Throws: `SessionProblem` where nothing was applied; what reading throws.
  public init(_ recording: Recording, by impairments: Impairments, seed: UInt64, in suites: Suites) async throws {
    var name = ""
    for (role, kind) in [(Role.host, "HAPTIC"), (.phone, "POSE")] {
      do {
        let source = try ReplaySource(recording, as: role.name)
        name = source.name
        try await follow(source, kind, impairments, seed, suites)
      } catch let problem as ReplayProblem {
        guard case .nothing = problem else { throw problem }
      }
    }
    guard !followed.strengths.isEmpty || !followed.poses.isEmpty else {
      throw SessionProblem(recording: name, streams: notes)
    }
  }

  private mutating func follow(
    _ source: ReplaySource, _ kind: String, _ impairments: Impairments, _ seed: UInt64, _ suites: Suites
  ) async throws {
    // Both sides on one time: that of the recording's first packet.
    let reading = try Survey(source).reading
    let timeline = Timeline(speed: .recorded, start: reading.start)
    if let start = reading.start, let end = reading.end {
      let length = Timestamp(nanoseconds: end.nanoseconds(since: start))
      reached = min(reached ?? length, length)
    }
    let run = try ReplayRun(of: source, timeline, where: "type = '\(kind)'", suites: suites) { survey in
      PlanHeader(
        seed: seed, capture: survey.digest.description, selection: "type = '\(kind)'", impairments: impairments)
    }
    guard let model = suites.model(of: Part(source.role.receiver)) else {
      throw ReplayProblem.nothingToJudge(source.role.receiver)
    }
    let judged = try JudgedReplay(run, to: ModelSystem(model), wait: .milliseconds(0))
    let log = try await judged.log()
    for entry in log.entries {
      guard case .event(let event) = entry.what else { continue }
      take(event, at: entry.time)
    }
    followed.end = max(followed.end, log.end)
    let applied = kind == "HAPTIC" ? followed.strengths.count : followed.poses.count
    notes.append("\(kind): \(Numbers.grouped(applied)) applied")
    notes += judged.fed.account(of: run.feeder.header).map { "  \($0)" }
    if let damage = judged.fed.damage { throw damage }
  }

  private mutating func take(_ event: PeerEvent, at time: Timestamp) {
    switch event {
    case .hapticApplied(let strength): followed.strengths.append((time, Double(strength)))
    case .poseApplied(let pose):
      let (position, turn) = (pose.position, pose.orientation)
      followed.poses.append(
        (
          time,
          FollowedSession.Pose(
            position: Vector3(Double(position.x), Double(position.y), Double(position.z)),
            rotation: Rotation(w: Double(turn.w), x: Double(turn.x), y: Double(turn.y), z: Double(turn.z)))
        ))
    default: break
    }
  }
}

/// A recording in which nothing is felt and nothing moves.
public struct SessionProblem: Advising, Hashable, Sendable, CustomStringConvertible {
  /// Which.
  public var recording: String
  /// What came of its streams, in sentences; none where neither a host nor a phone sent anything.
  public var streams: [String]

  /// What is wrong.
  public var description: String {
    streams.isEmpty
      ? "\(recording): neither a host nor a phone of TELE sent anything"
      : "\(recording): nothing was applied (\(streams.joined(separator: "; "))): no session opened"
  }
  /// What to do about it.
  public var advice: String { "see what it holds with telecap dissect \(recording) --summary" }
}
