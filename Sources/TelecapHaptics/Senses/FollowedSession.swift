import TelecapRecording

/// What a person felt and heard of a session: the strengths that the phone applied, and the poses in which it was held, each until the
/// next. The robot is heard at its place as a rumble as loud as the motor is strong.
public struct FollowedSession: Sendable {
  /// A pose, in m.
  public struct Pose: Interpolated, Hashable {
    /// Where.
    public var position: Vector3
    /// How it is turned.
    public var rotation: Rotation

    /// A pose of these values.
    public init(position: Vector3, rotation: Rotation) { (self.position, self.rotation) = (position, rotation) }

    public func towards(_ other: Pose, _ share: Double) -> Pose {
      Pose(
        position: position.towards(other.position, share), rotation: rotation.towards(other.rotation, share))
    }
  }

  /// The strengths that were applied, 0…1, in order of time.
  public var strengths: [(time: Timestamp, value: Double)] = []
  /// The poses that were applied, in order of time.
  public var poses: [(time: Timestamp, value: Pose)] = []
  /// Where the robot is heard, in m.
  public var robot = Vector3(0, 0, -1)
  /// Where sounds are placed.
  public var space = SoundSpace(output: .headset)
  /// When the session is over.
  public var end = Timestamp.zero
  /// Whose: the phone's address and port, or its address alone; nil where nobody is known.
  public var phone: String?
  /// The sessions that it asked for, by their session_id, each from its first HELLO on.
  public var sessions: [(time: Timestamp, id: UInt32)] = []
  /// Where the end of a session stopped the motor, and why.
  public var stops: [(time: Timestamp, why: String)] = []

  /// Nothing yet.
  public init() {}

  /// A value that holds until the next.
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

  /// How strong the motor runs.
  public var strength: Track<Double> { FollowedSession.held(strengths, from: 0) }

  /// Who hears the robot.
  public var listener: ListenerPath {
    let first = Pose(position: .zero, rotation: .none)
    func track<Value: Interpolated>(_ part: (Pose) -> Value) -> Track<Value> {
      FollowedSession.held(poses.map { ($0.time, part($0.value)) }, from: part(first))
    }
    return ListenerPath(position: track(\.position), camera: track(\.rotation))
  }

  /// What was applied after `start` and not after `end`; from its beginning, and to its end, where there is none.
  public func part(after start: Timestamp?, upTo end: Timestamp?) -> FollowedSession {
    func isWithin(_ time: Timestamp) -> Bool { start.map { time > $0 } ?? true && end.map { time <= $0 } ?? true }
    var part = self
    part.strengths = strengths.filter { isWithin($0.time) }
    part.poses = poses.filter { isWithin($0.time) }
    part.stops = stops.filter { isWithin($0.time) }
    return part
  }

  /// What is heard of it.
  public func renderer(_ clip: SoundClip) -> SoundRenderer {
    var voice = SoundVoice(clip, at: .zero, until: end, position: Track(robot))
    (voice.level, voice.repeats) = (strength, true)
    return SoundRenderer([voice], in: space, for: listener)
  }

  /// The session_id of the session that it had at `time`; nil where it asked for none.
  public func session(at time: Timestamp) -> UInt32? { sessions.last { $0.time <= time }?.id }

  /// How long the motor ran at one strength at most, in ns, whatever said so again meanwhile.
  public var longestStrength: Nanoseconds {
    var longest: Nanoseconds = 0
    var since: (time: Timestamp, value: Double) = (.zero, 0)
    for (time, value) in strengths + [(max(end, strengths.last?.time ?? end), -1)] where value != since.value {
      if since.value > 0 { longest = max(longest, time.nanoseconds(since: since.time)) }
      since = (time, value)
    }
    return longest
  }

  /// How long it was held in one pose at most, in ns, up to the last pose.
  public var longestPose: Nanoseconds {
    guard var since = poses.first, let last = poses.last else { return 0 }
    var longest: Nanoseconds = 0
    for pose in poses where pose.value != since.value {
      longest = max(longest, pose.time.nanoseconds(since: since.time))
      since = pose
    }
    return max(longest, last.time.nanoseconds(since: since.time))
  }

  /// The pattern that plays what was felt, from the first strength on; nil where there was none. A strength that lasted longer than
  /// usual is held until just before the next: the phone held it too.
  public func pattern(tolerance: Double) -> HapticStream.Fitted? {
    HapticStream.fit(heldSamples, tolerance: tolerance)
  }

  /// From a strength that is held to the one behind it, in s.
  private static let step = 0.001
  /// So many times the usual distance of two strengths is long.
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
