import TelecapRecording

/// What a person felt and heard of a session: the strengths that the phone applied, and the poses in which it was held, each until the
/// next. The robot is heard at its place as a rumble as loud as the motor is strong.
public struct FollowedSession: Sendable {
  /// A pose, in m.
  public struct Pose: Interpolated {
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
    return part
  }

  /// What is heard of it.
  public func renderer(_ clip: SoundClip) -> SoundRenderer {
    var voice = SoundVoice(clip, at: .zero, until: end, position: Track(robot))
    (voice.level, voice.repeats) = (strength, true)
    return SoundRenderer([voice], in: space, for: listener)
  }

  /// The pattern that plays what was felt, from the first strength on; nil where there was none.
  public func pattern(tolerance: Double) -> HapticStream.Fitted? {
    HapticStream.fit(strengths.map { TimedValue($0.time.seconds, $0.value) }, tolerance: tolerance)
  }
}
