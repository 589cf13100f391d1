import TelecapConformance
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTele
import TelecapText
import TelecapTransport
import TelecapWire

/// Replays the HAPTIC and POSE messages of a recorded session through a network, to a model of the phone and of the
/// host.
public struct CapturedSession: Sendable {
  /// The applied haptics and poses.
  public var followed = FollowedSession()
  /// The results of each stream, as sentences.
  public private(set) var notes: [String] = []
  /// The time of the last packet of the recording that is completely evaluated.
  public private(set) var reached: Timestamp?

  /// Whether a session opened in it.
  private var hasOpened = false
  /// The last close of a session: its time and reason, because the motor is then not stopped by HAPTIC.
  private var closing: (time: Timestamp, why: PeerEvent.CloseReason)?

  /// Replays both sides of a recording to our models, in virtual time. Messages that open and close sessions are not
  /// impaired, except for the network's constant delay.
  ///
  /// - Parameter phone: the address of the phone, or its address and port; nil if only one takes part.
  /// - Throws: `PhoneProblem` if the phone is ambiguous; `SessionProblem` if no session opened; any error of reading.
  public init(
    _ recording: Recording, of phone: String? = nil, by impairments: Impairments, seed: UInt64, in suites: Suites
  ) async throws {
    var name = if case .path(let path) = recording.place { path } else { "memory" }
    let phones = try CapturedPhones(recording)
    let chosen = try phones.chosen(phone, in: name)
    (followed.phone, followed.sessions) = (chosen.name, chosen.sessions)
    reached = phones.length.map { Timestamp(nanoseconds: $0) }
    var unread: [String] = []
    for (role, kind) in [(Role.host, "HAPTIC"), (.phone, "POSE")] {
      do {
        var source = try ReplaySource(recording, as: role.name)
        source.choose(chosen.flows(from: role))
        name = source.name
        try await follow(source, kind, chosen, impairments, seed, suites)
      } catch let problem as ReplayProblem {
        guard case .nothing(_, _, let notes) = problem else { throw problem }
        unread = notes
      }
    }
    if !chosen.leftOut.isEmpty { notes.append("left out: \(chosen.leftOut.list(or: false))") }
    // Our model of the host accepts any code, so without a phone that takes part no session has opened.
    guard hasOpened && chosen.name != nil || !followed.strengths.isEmpty || !followed.poses.isEmpty else {
      throw SessionProblem(recording: name, streams: notes, unread: unread)
    }
  }

  private mutating func follow(
    _ source: ReplaySource, _ kind: String, _ phone: ChosenPhone, _ impairments: Impairments, _ seed: UInt64,
    _ suites: Suites
  ) async throws {
    // Both sides have the same time origin: the recording's first packet.
    let reading = try RecordingScan(source).reading
    for note in reading.unread where !notes.contains(note) { notes.append(note) }
    let timeline = Timeline(speed: .recorded, start: reading.start)
    var length = Timestamp.zero
    if let start = reading.start, let end = reading.end {
      let whole = max(0, end.nanoseconds(since: start))
      guard whole <= HapticSamples.longest else {
        throw ReplayProblem.tooLong(packet: nil, most: HapticSamples.longest)
      }
      length = Timestamp(nanoseconds: whole)
      reached = min(reached ?? length, length)
    }
    let run = try ReplayRun(of: source, timeline, where: "type = '\(kind)'", suites: suites) { survey in
      PlanHeader(
        seed: seed, capture: survey.digest.description, selection: "type = '\(kind)'", impairments: impairments)
    }
    guard let model = suites.model(of: Part(source.role.receiver)) else {
      throw ReplayProblem.nothingToJudge(source.role.receiver)
    }
    let judged = try JudgedReplay(run, to: ModelSystem(model), wait: .milliseconds(0), delaysAll: true)
    // The model does not receive the phone's own BYE, so run each presence of the phone separately.
    let stays = source.role == .host ? phone.stays : [(from: .zero, until: nil)]
    for stay in stays {
      let log = try await judged.log(from: stay.from, until: stay.until, notBefore: length)
      for entry in log.entries where entry.time >= stay.from {
        guard case .event(let event) = entry.what else { continue }
        take(event, at: entry.time)
      }
      followed.end = max(followed.end, log.end)
    }
    let applied = kind == "HAPTIC" ? followed.strengths.count - followed.stops.count : followed.poses.count
    notes.append("\(kind): \(Numbers.grouped(applied)) applied")
    notes += judged.fed.account(of: run.feeder.header).map { "  \($0)" }
    if let damage = judged.fed.damage { throw damage }
  }

  private mutating func take(_ event: PeerEvent, at time: Timestamp) {
    switch event {
    case .sessionOpened: hasOpened = true
    case .sessionClosed(_, _, let why): closing = (time, why)
    case .received: closing = nil
    case .applied(let value):
      if let strength = value.strength { apply(strength, at: time) }
      if let pose = PoseSample(value) { apply(pose, at: time) }
    default: break
    }
  }

  private mutating func apply(_ strength: Float, at time: Timestamp) {
    followed.strengths.append((time, Double(strength)))
    if let closing, closing.time == time { followed.stops.append((time, closing.why.words)) }
  }

  private mutating func apply(_ pose: PoseSample, at time: Timestamp) {
    let (position, turn) = (pose.position, pose.orientation)
    followed.poses.append(
      (
        time,
        FollowedSession.Pose(
          position: Vector3(Double(position.x), Double(position.y), Double(position.z)),
          rotation: Rotation(w: Double(turn.w), x: Double(turn.x), y: Double(turn.y), z: Double(turn.z)))
      ))
  }
}

extension PeerEvent.CloseReason {
  /// The reason why the motor of a phone stopped.
  fileprivate var words: String {
    switch self {
    case .timeout: "the host had been silent for 3 s: the session was lost"
    case .stopped, .teardown: "the phone left"
    case .disconnected: "the connection ended"
    case .replaced: "another session began"
    }
  }
}

/// A recording without applied haptics or poses.
public struct SessionProblem: Advising, BadInput, Hashable, Sendable, CustomStringConvertible {
  /// The recording.
  public var recording: String
  /// The results of its streams, as sentences; empty if neither a host nor a phone sent anything.
  public var streams: [String]
  /// Notes about data that were not read, as sentences.
  public var unread: [String] = []

  /// The problem.
  public var description: String {
    streams.isEmpty
      ? "\(recording): neither a host nor a phone of TELE sent anything"
      : "\(recording): nothing was applied (\(said)): no session opened"
  }
  private var said: String { streams.map { String($0.drop { $0 == " " }) }.joined(separator: "; ") }
  /// The advice.
  public var advice: String {
    unread.isEmpty
      ? Advice.dissect(recording)
      : unread.joined(separator: "\n  ")
  }
}
