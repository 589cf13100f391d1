import TelecapConformance
import TelecapHaptics
import TelecapImpairment
import TelecapRecording

/// A script of `telecap senses` in a YAML file.
public enum SensesScriptFile {
  /// The keys of such a file.
  public static let shape = YAMLShape(
    "senses",
    [
      YAMLKey("title", .line, required: true, "A title, in a few words."),
      YAMLKey("seed", .integer, "The seed of its trials; 1 unless given."),
      YAMLKey("trials", .integer, "The number of trials for the skew of each event; 10000 unless given."),
      YAMLKey("lead", .time, "How far ahead the three senses are armed; 50ms unless given."),
      YAMLKey("lasts", .time, "How long it is played; until everything is over unless given."),
      YAMLKey("space", .mapping(SensesShapes.space), "Where sounds are placed."),
      YAMLKey("players", .integer, "How many players there are for sounds; 4 unless given."),
      YAMLKey("device", .mapping(device), "The clocks of the device."),
      YAMLKey("camera", .list(.mapping(camera)), "Where the camera is and how it is turned, from moment to moment."),
      YAMLKey("head", .list(.mapping(head)), "How the head is turned against the camera, from moment to moment."),
      YAMLKey("world", .list(.mapping(world)), "The changes around the application."),
      YAMLKey("events", .list(.mapping(event)), required: true, "The events of the core."),
    ])

  private static let device = YAMLShape(
    "device",
    [
      YAMLKey("haptics", .flag, "It has haptics; true unless given."),
      YAMLKey("refresh", .integer, "The display's refreshes a second; 60 unless given."),
      YAMLKey("audio", .time, "Audio's latency as the system reports it; 30ms unless given."),
      YAMLKey("audio-jitter", .time, "How far the true one lies off, either way; 10ms unless given."),
      YAMLKey("haptic", .time, "The haptic engine's latency; 10ms unless given."),
      YAMLKey("haptic-jitter", .time, "How far the true one lies off, either way; 5ms unless given."),
    ])

  private static let at = YAMLKey("at", .time, required: true, "When.")

  private static let camera = YAMLShape(
    "camera",
    [at, YAMLKey("position", SensesShapes.vector, "Where: [x, y, z]; the origin unless given.")] + SensesShapes.attitude
  )

  private static let head = YAMLShape("head", [at] + SensesShapes.attitude)

  private static let world = YAMLShape(
    "change",
    [
      at, YAMLKey("thermal", SensesShapes.words(ThermalState.self), "The device is this hot."),
      YAMLKey("low-power", .flag, "Its user asks it to save power."),
      YAMLKey(
        "category", SensesShapes.words(SessionCategory.self),
        "The audio session's: what becomes of the user's music; playback at first."),
      YAMLKey("interruption", .oneOf(["begins", "ends"]), "The audio session is interrupted, by a call perhaps."),
      YAMLKey("busy", .time, "The main thread does nothing else for so long."),
    ])

  private static let event = YAMLShape(
    "event",
    [
      at, YAMLKey("explosion", .mapping(SensesShapes.explosion), "Something bursts: seen, heard and felt."),
      YAMLKey("ring", .number, "The ring is as whole as this, 0 to 1: seen."),
    ])

  /// Reads a script.
  ///
  /// - Parameter file: its name in errors.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public static func read(_ text: String, file: String) throws(YAMLFileError) -> SensesScript {
    let root = try YAMLValue.read(text, file: file, as: shape)
    var script = SensesScript(title: root["title"]?.text ?? "")
    try root.hold("trials", toWhole: 1...Int64(SyncStudy.possibleTrials.upperBound))
    try root.hold("players", toWhole: 1...Int64(PlayerPool.possible.upperBound))
    try root.hold("seed", toWhole: 0...Int64.max)
    script.seed = root["seed"]?.integer.map { UInt64($0) } ?? script.seed
    script.trials = root["trials"]?.integer.map { Int($0) } ?? script.trials
    script.lead = try time("lead", of: root, upTo: SyncStudy.longestDelta) ?? script.lead
    script.duration = try time("lasts", of: root, upTo: SensesScript.longest)
    script.space = try root["space"].map(SensesShapes.space) ?? script.space
    script.players = root["players"]?.integer.map { Int($0) } ?? script.players
    if let device = root["device"] { try read(device, &script) }
    try readListener(root, &script)
    for (time, value) in try moments(root["world"]) {
      for change in try changes(value) { script.changes.append((time, change)) }
    }
    script.events = try moments(root["events"]).map { (time, value) throws(YAMLFileError) in (time, try event(value)) }
    guard script.events.count <= most else {
      throw root.error("\(script.events.count) events; \(most) are the most that are played")
    }
    return script
  }

  /// The maximum number of events: more than a person would look at.
  private static let most = 1_000

  private static func read(_ device: YAMLValue, _ script: inout SensesScript) throws(YAMLFileError) {
    try device.hold("refresh", toWhole: OutputClock.possibleRefreshes)
    func clock(_ name: String, _ standard: Nanoseconds) throws(YAMLFileError) -> Nanoseconds {
      try time(name, of: device, upTo: 1_000_000_000) ?? standard
    }
    script.supportsHaptics = device["haptics"]?.flag ?? true
    script.device = SyncDevice(
      display: .display(hertz: device["refresh"]?.integer ?? 60),
      audio: .audio(latency: try clock("audio", 30_000_000), jitter: try clock("audio-jitter", 10_000_000)),
      haptic: .haptic(latency: try clock("haptic", 10_000_000), jitter: try clock("haptic-jitter", 5_000_000)))
  }

  private static func readListener(_ root: YAMLValue, _ script: inout SensesScript) throws(YAMLFileError) {
    if let head = root["head"], script.space.output == .speakers {
      throw head.error("nothing reports the head without a headset: say space: {output: headset}")
    }
    let camera = try moments(root["camera"])
    script.listener.position =
      Track(
        try camera.map { (time, value) throws(YAMLFileError) in
          (time, try SensesShapes.vector(value["position"]) ?? .zero)
        })
      ?? Track(.zero)
    script.listener.camera = try turns(camera)
    script.listener.head = try turns(moments(root["head"]))
  }

  private static func turns(_ moments: [(time: Timestamp, value: YAMLValue)]) throws(YAMLFileError) -> Track<Rotation> {
    Track(
      try moments.map { (time, value) throws(YAMLFileError) in (time, try SensesShapes.rotation(value)) })
      ?? Track(.none)
  }

  private static func changes(_ value: YAMLValue) throws(YAMLFileError) -> [WorldChange] {
    var changes: [WorldChange] = []
    if let state = value["thermal"]?.text.flatMap(ThermalState.init) { changes.append(.thermal(state)) }
    if let isOn = value["low-power"]?.flag { changes.append(.lowPower(isOn)) }
    if let category = value["category"]?.text.flatMap(SessionCategory.init) { changes.append(.category(category)) }
    if let word = value["interruption"]?.text { changes.append(.interruption(isOn: word == "begins")) }
    if let length = try time("busy", of: value, upTo: SensesScript.longest) { changes.append(.busy(length)) }
    if changes.isEmpty { throw value.error("nothing changes here: give thermal, low-power, category, …") }
    return changes
  }

  private static func event(_ value: YAMLValue) throws(YAMLFileError) -> WorldEvent {
    try value.hold("ring", to: 0...1)
    switch (value["explosion"], value["ring"]?.number) {
    case (let explosion?, nil): return .explosion(try SensesShapes.explosion(explosion))
    case (nil, let integrity?): return .ring(integrity: integrity)
    case (nil, nil): throw value.error("an event is an explosion or a ring")
    case (_?, _?): throw value.error("an event is an explosion or a ring, not both; write two")
    }
  }

  /// The entries of a list with their times, which must not decrease.
  private static func moments(_ list: YAMLValue?) throws(YAMLFileError) -> [(time: Timestamp, value: YAMLValue)] {
    var moments: [(time: Timestamp, value: YAMLValue)] = []
    for entry in list?.list ?? [] {
      let time = Timestamp(nanoseconds: try time("at", of: entry, upTo: SensesScript.longest) ?? 0)
      if let last = moments.last?.time, time < last {
        throw entry.error("times do not run back: the entry before is at \(Interval(nanoseconds: last.nanoseconds))")
      }
      moments.append((time, entry))
    }
    return moments
  }

  private static func time(_ key: String, of value: YAMLValue, upTo most: Nanoseconds) throws(YAMLFileError)
    -> Nanoseconds?
  {
    guard let entry = value[key], let time = entry.time else { return nil }
    guard time <= most else { throw entry.error("\(key) is at most \(Interval(nanoseconds: most))") }
    return time
  }
}
