import TelecapRecording

/// The haptics and sound of a session for a person: the strengths that the phone applied, and its poses, each held
/// until the next. The robot sounds at its position as a rumble that is as loud as the motor is strong.
public struct FollowedSession: Sendable {
  /// A pose, in m.
  public struct Pose: Interpolated, Hashable {
    /// The position.
    public var position: Vector3
    /// The rotation.
    public var rotation: Rotation

    /// A pose of these values.
    public init(position: Vector3, rotation: Rotation) { (self.position, self.rotation) = (position, rotation) }

    public func towards(_ other: Pose, _ share: Double) -> Pose {
      Pose(
        position: position.towards(other.position, share), rotation: rotation.towards(other.rotation, share))
    }
  }

  /// The applied strengths, 0…1, in order of time.
  public var strengths: [(time: Timestamp, value: Double)] = []
  /// The applied poses, in order of time.
  public var poses: [(time: Timestamp, value: Pose)] = []
  /// The position of the robot, in m.
  public var robot = Vector3(0, 0, -1)
  /// The space of the sound.
  public var space = SoundSpace(output: .headset)
  /// The end of the session.
  public var end = Timestamp.zero
  /// The phone's address and port, or its address alone; nil if it is unknown.
  public var phone: String?
  /// The sessions that it requested, by session_id, each from its first HELLO on.
  public var sessions: [(time: Timestamp, id: UInt32)] = []
  /// The times at which the end of a session stopped the motor, with the reasons.
  public var stops: [(time: Timestamp, why: String)] = []

  /// An empty session.
  public init() {}

  /// A track of values, each held until the next.
  private static func held<Value: Interpolated>(
    _ moments: [(time: Timestamp, value: Value)], from first: Value
  ) -> Track<Value> {
    var steps = [(time: Timestamp.zero, value: first)]
    for moment in moments {
      steps.append((moment.time, steps[steps.count - 1].value))
      steps.append(moment)
    }
    return Track(steps) ?? Track(first)
  }

  /// The strength of the motor.
  public var strength: Track<Double> { FollowedSession.held(strengths, from: 0) }

  /// The listener to the robot: the phone in its poses.
  public var listener: ListenerPath {
    let first = Pose(position: .zero, rotation: .none)
    func track<Value: Interpolated>(_ part: (Pose) -> Value) -> Track<Value> {
      FollowedSession.held(poses.map { ($0.time, part($0.value)) }, from: part(first))
    }
    return ListenerPath(position: track(\.position), camera: track(\.rotation))
  }

  /// The part after `start` and up to `end`; without these, from its beginning and to its end.
  public func part(after start: Timestamp?, upTo end: Timestamp?) -> FollowedSession {
    func isWithin(_ time: Timestamp) -> Bool { start.map { time > $0 } ?? true && end.map { time <= $0 } ?? true }
    var part = self
    part.strengths = strengths.filter { isWithin($0.time) }
    part.poses = poses.filter { isWithin($0.time) }
    part.stops = stops.filter { isWithin($0.time) }
    return part
  }

  /// The sound of the session.
  public func renderer(_ clip: SoundClip) -> SoundRenderer {
    var voice = SoundVoice(clip, at: .zero, until: end, position: Track(robot))
    (voice.level, voice.repeats) = (strength, true)
    return SoundRenderer([voice], in: space, for: listener)
  }

  /// The session_id of the session at `time`; nil if the phone requested none before.
  public func session(at time: Timestamp) -> UInt32? { sessions.last { $0.time <= time }?.id }

  /// The longest time with one strength of the motor, in ns. A repeated equal value does not end it.
  public var longestStrength: Nanoseconds {
    var longest: Nanoseconds = 0
    var since: (time: Timestamp, value: Double) = (.zero, 0)
    for (time, value) in strengths + [(max(end, strengths.last?.time ?? end), -1)] where value != since.value {
      if since.value > 0 { longest = max(longest, time.nanoseconds(since: since.time)) }
      since = (time, value)
    }
    return longest
  }

  /// The longest time in one pose, in ns, up to the last pose.
  public var longestPose: Nanoseconds {
    guard var since = poses.first, let last = poses.last else { return 0 }
    var longest: Nanoseconds = 0
    for pose in poses where pose.value != since.value {
      longest = max(longest, pose.time.nanoseconds(since: since.time))
      since = pose
    }
    return max(longest, last.time.nanoseconds(since: since.time))
  }

  /// The pattern of the haptics, from the first strength on; nil without strengths. A strength that lasted longer than
  /// usual is held until just before the next, as the phone held it.
  public func pattern(tolerance: Double) -> HapticStream.Fitted? {
    HapticStream.fit(heldSamples, tolerance: tolerance)
  }

  /// The time from a held strength to the next one, in s.
  private static let step = 0.001
  /// The factor of the usual interval of strengths from which on an interval is long.
  private static let long = 2.5

  private var heldSamples: [TimedValue] {
    let samples = strengths.map { TimedValue($0.time.seconds, $0.value) }
    let gaps = zip(samples, samples.dropFirst()).map { $1.time - $0.time }.sorted()
    guard let last = samples.last, !gaps.isEmpty else { return samples }
    let usual = gaps[gaps.count / 2]
    let longest = max(FollowedSession.long * usual, 2 * FollowedSession.step)
    var held: [TimedValue] = []
    for sample in samples {
      if let before = held.last, sample.time - before.time > longest {
        held.append(TimedValue(sample.time - FollowedSession.step, before.value))
      }
      held.append(sample)
    }
    if last.value > 0, end.seconds - last.time > longest { held.append(TimedValue(end.seconds - usual, last.value)) }
    return held
  }
}
