import TelecapHaptics
import TelecapRecording
import TelecapText

/// What a person felt and heard of a session: each strength and each pose as it was applied, JSON Lines for programs; for people only
/// what changed since the last second.
public struct FollowedReport: PrintedResult {
  private let followed: FollowedSession
  private let notes: [String]

  /// Of a session; `notes` say what became of its streams.
  public init(_ followed: FollowedSession, notes: [String]) { (self.followed, self.notes) = (followed, notes) }

  /// Where the robot is heard from a pose.
  private func heard(_ pose: FollowedSession.Pose) -> SoundPlacement {
    followed.space.placement(
      of: SoundSource(at: followed.robot), for: Listener(position: pose.position, camera: pose.rotation))
  }

  public var lines: [String] {
    var strongest = 0.0
    for (_, value) in followed.strengths { strongest = max(strongest, value) }
    var lines = notes
    if !followed.strengths.isEmpty {
      lines.append(
        "felt: strongest \(Numbers.fixed(strongest, 3)), longest at one strength \(longest(followed.strengths))")
    }
    if let first = followed.poses.first, let last = followed.poses.last {
      lines.append("heard: the robot \(words(heard(first.value))) at first, \(words(heard(last.value))) at the end")
      lines.append("held: longest in one pose \(longest(followed.poses))")
    }
    return lines
  }

  private func longest<Value>(_ moments: [(time: Timestamp, value: Value)]) -> String {
    let times = moments.map(\.time)
    return Numbers.time(zip(times, times.dropFirst()).map { $1.nanoseconds(since: $0) }.max() ?? 0)
  }

  private func words(_ placement: SoundPlacement) -> String {
    "\(Numbers.fixed(placement.distance, 2)) m away at azimuth \(Numbers.fixed(placement.azimuth * 180 / .pi, 1))°"
  }

  public func write(to json: inout JSONWriter) {
    var poses = followed.poses[...]
    for (time, strength) in followed.strengths {
      while let pose = poses.first, pose.time <= time { write(poses.removeFirst(), to: &json) }
      json.beginObject()
      json.put("time_ns", time.nanoseconds)
      json.put("sense", "felt")
      json.put("does", "strength")
      json.put("intensity", strength)
      json.endObject()
      json.endLine()
    }
    for pose in poses { write(pose, to: &json) }
  }

  private func write(_ pose: (time: Timestamp, value: FollowedSession.Pose), to json: inout JSONWriter) {
    let placement = heard(pose.value)
    json.beginObject()
    json.put("time_ns", pose.time.nanoseconds)
    json.put("sense", "heard")
    json.put("does", "placed")
    json.put("distance_m", placement.distance)
    json.put("gain", placement.gain)
    json.put("azimuth_deg", placement.azimuth * 180 / .pi)
    json.put("elevation_deg", placement.elevation * 180 / .pi)
    json.put("left_later_by_s", placement.delay)
    json.put("left", placement.left)
    json.put("right", placement.right)
    json.endObject()
    json.endLine()
  }
}

extension SensesPicture {
  /// What a session was to the senses: each pose as a tick, the robot in both ears, the motor's strength.
  public init(_ followed: FollowedSession, _ clip: SoundClip, title: String, notes: [String]) {
    self.init(title: title, duration: followed.end.seconds)
    legend = "felt: the motor's strength (area); moved: a tick a pose that was applied"
    firstLane = "moved"
    poses = followed.poses.map(\.time.seconds)
    hear(followed.renderer(clip))
    let strength = followed.strength
    feel { HapticSample(intensity: strength.value(at: Timestamp(seconds: $0)), sharpness: 0) }
    self.notes = notes
  }
}
