import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText

/// The report on the haptics and sound of a session. As JSON Lines it has each applied strength and pose; as text only
/// the changes in each second.
public struct FollowedReport: PrintedResult {
  private let followed: FollowedSession
  private let channels: Int
  private let notes: [String]

  /// The report on a session in which the robot's sound has this many channels; `notes` has the results of its streams.
  public init(_ followed: FollowedSession, channels: Int = 1, notes: [String]) {
    (self.followed, self.channels, self.notes) = (followed, channels, notes)
  }

  /// The placement of the robot's sound for a pose.
  private func heard(_ pose: FollowedSession.Pose) -> SoundPlacement {
    followed.space.placement(
      of: SoundSource(at: followed.robot, channels: channels),
      for: Listener(position: pose.position, camera: pose.rotation))
  }

  public var lines: [String] {
    var strongest = 0.0
    for (_, value) in followed.strengths { strongest = max(strongest, value) }
    var lines = notes
    if let phone = followed.phone { lines.append("phone: \(phone)\(sessionWords)") }
    if !followed.strengths.isEmpty {
      let longest = Numbers.time(followed.longestStrength)
      lines.append("felt: strongest \(Numbers.fixed(strongest, 3)), longest at one strength \(longest)")
    }
    for stop in followed.stops { lines.append("stopped: at \(Numbers.fixed(stop.time.seconds, 3)) s, \(stop.why)") }
    if let first = followed.poses.first, let last = followed.poses.last {
      let (begin, end) = (heard(first.value), heard(last.value))
      lines.append(
        begin.isPlaced
          ? "heard: the robot \(words(begin)) at first, \(words(end)) at the end"
          : "heard: the robot as a bed, played as it is: its sound has two channels")
      lines.append("held: longest in one pose \(Numbers.time(followed.longestPose))")
    }
    return lines
  }

  private var sessionWords: String {
    let ids = followed.sessions.map { "\($0.id)" }
    return ids.isEmpty ? "" : ", session\(ids.count == 1 ? "" : "s") \(ids.list(or: false))"
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
      if let stop = followed.stops.first(where: { $0.time == time }), strength == 0 { json.put("why", stop.why) }
      writePhone(at: time, to: &json)
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
    placement.write(to: &json)
    json.put("left", placement.left)
    json.put("right", placement.right)
    if !placement.isPlaced { json.put("why", "two channels: a bed, played as it is") }
    writePhone(at: pose.time, to: &json)
    json.endObject()
    json.endLine()
  }

  /// Writes the phone and the session.
  private func writePhone(at time: Timestamp, to json: inout JSONWriter) {
    if let phone = followed.phone { json.put("phone", phone) }
    if let session = followed.session(at: time) { json.put("session_id", session) }
  }
}

extension SensesPicture {
  /// The picture of a session: each pose as a tick, the robot in both ears, and the motor's strength.
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
