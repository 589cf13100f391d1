import TelecapConformance
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapText
import TelecapWire

extension FuzzTarget {
  /// JSON: what was read can be laid out and read again.
  static let json = FuzzTarget("json", seeds: { try Seeds.files(["Captures"], [".json", ".ahap"]) }) { bytes in
    var places = Places(limit: bytes.count)
    let problem: JSONProblem?
    do throws(JSONProblem) {
      try JSONScanner.scan(bytes.span.bytes, to: &places, allowing: .people)
      problem = nil
    } catch {
      problem = error
    }
    try hold(places.areRight, "a place behind the end of the text")
    let reading = JSONReading(bytes)
    try hold(reading.problem == problem, "scanned and read it has other problems")
    guard problem == nil, let node = reading.node else { return false }
    let again = JSONReading(Array(node.laidOut.utf8), allowing: [])
    try hold(again.problem == nil && again.node == node, "laid out it reads otherwise: \(node.laidOut)")
    return true
  }

  /// A plan: its lines can be written and read again; in pieces it is the same plan.
  static let plan = FuzzTarget("plan", seeds: { Seeds.plans }) { bytes in
    let (header, lines, problem) = try planned(bytes, pieces: bytes.count + 1)
    let pieces = try planned(bytes, pieces: 7)
    try hold(pieces.lines == lines && pieces.problem == problem, "in pieces of 7 bytes it is another plan")
    guard problem == nil, let header else { return false }
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    for line in lines { PlanWriter.append(line, to: &text) }
    let again = try planned(text, pieces: text.count + 1)
    try hold(again.problem == nil, "written it cannot be read: \(String(describing: again.problem))")
    try hold(again.header == header && again.lines == lines, "written it reads otherwise")
    return true
  }

  /// An AHAP pattern: its text is read as the same pattern; felt within what can be felt.
  static let ahap = FuzzTarget("ahap", seeds: { try Seeds.files(["Captures/haptics"], [".ahap"]) }) { bytes in
    let reading = AHAPReading(bytes)
    let again = AHAPReading(Array(reading.pattern.text.utf8))
    let isFinite = !reading.pattern.text.contains("null")
    if !reading.hasErrors, isFinite {
      try hold(again.pattern == reading.pattern, "its text is another pattern:\n\(again.pattern.text)")
    }
    let timeline = HapticTimeline(reading.pattern)
    try hold(timeline.duration >= 0, "it lasts \(timeline.duration) s")
    var samples = [HapticSample](repeating: .silence, count: 64)
    timeline.fill(&samples, rate: 20)
    let isFelt = samples.allSatisfy { (0...1).contains($0.intensity) && (0...1).contains($0.sharpness) }
    try hold(isFelt, "felt beyond 0 to 1: \(samples)")
    return !reading.hasErrors
  }

  /// A WAV file: heard within what can be heard.
  static let wav = FuzzTarget("wav", seeds: { Seeds.sounds }) { bytes in
    let clip: SoundClip
    do throws(WAVError) { clip = try SoundClip(wav: bytes) } catch { return false }
    let voice = SoundVoice(clip, at: .zero, position: Track(Vector3(1, 0, -1)))
    var renderer = SoundRenderer([voice], in: SoundSpace(output: .headset), for: ListenerPath())
    for _ in 0..<4 {
      try hold(renderer.next().allSatisfy { (-1...1).contains($0) }, "heard beyond −1 to 1")
    }
    return true
  }

  /// A touch trace, and what a screen makes of it.
  static let touch = FuzzTarget("touch", seeds: { try Seeds.files(["Captures/touch"], [".jsonl"], lines: 40) }) {
    bytes in
    let samples: [TouchSample]
    do throws(TouchFileError) { samples = try TouchSample.trace(bytes) } catch { return false }
    try hold(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs back")
    for sample in samples {
      try hold(
        (try? TouchSample(line: Array(sample.line.utf8))) == sample, "written it reads otherwise: \(sample.line)")
    }
    for hasPressure in [true, false] {
      var tracer = TouchTracer(screen, hasPressure: hasPressure)
      for sample in samples { tracer.receive(sample) { _ in } }
    }
    return !samples.isEmpty
  }

  /// A tree of views, touched here and there.
  static let views = FuzzTarget("views", seeds: { try Seeds.files(["Captures/touch"], [".json"]) }) { bytes in
    let tree: ViewTree
    do throws(TouchFileError) { tree = try ViewTree(json: bytes) } catch { return false }
    var tracer = TouchTracer(tree)
    for step in 0..<16 {
      let place = Double(step) * 40
      tracer.receive(
        TouchSample(
          time: Int64(step) * 16_000_000, step == 0 ? .began : .moved, x: place, y: 800 - place,
          force: Double(step) / 4)
      ) { _ in }
    }
    return true
  }

  /// A recording of a mouse.
  static let evemu = FuzzTarget("evemu", seeds: { Seeds.evemu }) { bytes in
    try isMouse(String(decoding: bytes, as: UTF8.self))
  }

  /// A recording of a mouse that `libinput record` wrote.
  static let libinput = FuzzTarget("libinput", seeds: { Seeds.libinput }) { bytes in
    // Its first line makes it one: a fuzzer would take long to find it.
    try isMouse("libinput:\n" + String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a text is a recording of a mouse: the times of its inputs begin at 0 and grow.
  private static func isMouse(_ text: String) throws -> Bool {
    guard let recording = try? Evemu.recording(text) else { return false }
    let times = recording.script.inputs.map(\.time)
    try hold(times.allSatisfy { $0 >= 0 }, "a time before its first event: \(times)")
    try hold(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "its times go back: \(times)")
    try hold(recording.began >= 0 && recording.left >= 0, "it began at \(recording.began), \(recording.left) left")
    return true
  }

  /// Forces over time.
  static let forces = FuzzTarget("forces", seeds: { Seeds.forces }) { bytes in
    guard let range = try? ForceRange(minimum: 0, maximum: 50),
      let series = try? ForceSeries(csv: String(decoding: bytes, as: UTF8.self), range: range)
    else { return false }
    for time in [Int64.min, -1, 0, 1_000_000_000, .max] {
      let strength = Waveform.forces(series).value(at: time)
      try hold((0...1).contains(strength), "a strength of \(strength) at \(time)")
    }
    return true
  }

  /// Lines that a program under test prints.
  static let printed = FuzzTarget("printed", seeds: { Seeds.printed }) { bytes in
    var observations = EventDecoder(rules: host.rules, peers: PeerAddresses(), host.part.role?.owner)
    var count = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      count += observations.events(printed: line).count
    }
    return count > 0
  }

  private static let screen: ViewTree = {
    do { return try ViewTree(json: Seeds.file("Captures/touch/screen.json")) } catch { fatalError("\(error)") }
  }()

  private static let host: SystemFile = {
    do {
      return try SystemFile(Seeds.text("Scenarios/systems/naive-host.yaml"), file: "naive-host.yaml", suites: .all)
    } catch {
      fatalError("\(error)")
    }
  }()

  private static func planned(
    _ bytes: [UInt8], pieces: Int
  ) throws -> (header: PlanHeader?, lines: [PlanLine], problem: PlanSyntaxError?) {
    var reader = PlanReader()
    var lines: [PlanLine] = []
    do {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        let piece = bytes[start..<min(start + pieces, bytes.count)]
        try reader.read(piece.span.bytes) { lines.append($0) }
      }
      try reader.finish { lines.append($0) }
      return (reader.header, lines, nil)
    } catch let error as PlanSyntaxError {
      try hold(error.line > 0 && error.column > 0 && !error.problem.isEmpty, "no place or words: \(error)")
      return (reader.header, lines, error)
    }
  }
}

/// Notes whether the offsets that a scan reports are within the text.
private struct Places: JSONVisitor {
  let limit: Int
  var areRight = true

  init(limit: Int) { self.limit = limit }

  private mutating func note(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > limit { areRight = false }
  }

  mutating func begin(_ container: JSONContainer, at offset: Int) { note(offset..<offset + 1) }
  mutating func end() {}
  mutating func key(_ range: Range<Int>) { note(range) }
  mutating func string(_ range: Range<Int>) { note(range) }
  mutating func number(_ range: Range<Int>) { note(range) }
  mutating func word(_ value: Bool?, at offset: Int) { note(offset..<offset + 4) }
  mutating func trailingComma(at offset: Int) { note(offset..<offset + 1) }
}
