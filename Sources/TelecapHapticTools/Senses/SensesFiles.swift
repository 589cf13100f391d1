import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapText

/// The output files of a played script.
public struct SensesFiles: Sendable {
  /// The folder of the patterns.
  public var patterns: String?
  /// The file of the sound.
  public var sound: String?
  /// The file of the picture.
  public var picture: String?
  /// Whether to replace existing files.
  public var force = false

  /// By default no files.
  public init(patterns: String? = nil, sound: String? = nil, picture: String? = nil, force: Bool = false) {
    (self.patterns, self.sound, self.picture, self.force) = (patterns, sound, picture, force)
  }

  /// The existing patterns in the folder of `--ahap`, which may be replaced.
  public static func present(in folder: String?) -> [SameFile.Named] {
    guard let folder, let names = try? Folders.names(in: folder) else { return [] }
    return names.filter { $0.hasEnding(".ahap") }.sorted().map { ("--ahap", "\(folder)/\($0)") }
  }

  /// The script in the file at `path`.
  ///
  /// - Throws: `FileError` if the file does not exist, `YAMLFileError` with line and column.
  public static func script(_ path: String) throws -> SensesScript {
    try SensesScriptFile.read(try TextFile.read(path), file: path)
  }

  /// Writes the requested files.
  ///
  /// - Returns: the written and the omitted files, as sentences.
  /// - Throws: `FileError`
  public func write(_ run: SensesRun) throws -> [String] {
    var said: [String] = []
    if let patterns { said += try write(patternsOf: run, into: patterns) }
    if let sound { said.append(try write(soundOf: run.renderer, to: sound)) }
    if let picture {
      try Output.write(SensesPicture(run).svg, to: picture, force: force)
      said.append("\(picture): seen, heard and felt")
    }
    return said
  }

  private func write(patternsOf run: SensesRun, into folder: String) throws -> [String] {
    if !Folders.isFolder(folder) { try Folders.create(folder) }
    var (written, unfelt) = (0, [Int]())
    for event in run.sensed where event.perception.felt != nil {
      guard var pattern = event.pattern else {
        unfelt.append(event.number)
        continue
      }
      pattern.metadata = AHAP.metadata(project: "telecap", description: "\(run.script.title), event \(event.number)")
      try Output.write(pattern.text, to: "\(folder)/explosion-\(event.number).ahap", force: force)
      written += 1
    }
    let sum = "\(folder): \(written) pattern\(written == 1 ? "" : "s")"
    if unfelt.isEmpty { return [sum] }
    let numbers = unfelt.map { "\($0)" }.list(or: false)
    return [sum + "; none for event\(unfelt.count == 1 ? "" : "s") \(numbers), of which nothing is felt"]
  }

  func write(soundOf renderer: SoundRenderer, to path: String) throws -> String {
    let clipped = try SoundFile.write(renderer, to: path, force: force)
    let sum = "\(path): \(Numbers.fixed(Double(renderer.length) / Double(SoundRenderer.rate), 3)) s of sound"
    return clipped == 0 ? sum : sum + "; \(Numbers.grouped(clipped)) samples were louder than full and are cut"
  }
}

extension SensesFiles {
  /// A finding about a sound; nil if it is mono.
  public static func finding(of clip: SoundClip) -> String? {
    guard clip.channels.count != 1 else { return nil }
    return
      "the sound has \(clip.channels.count == 2 ? "two" : "\(clip.channels.count)") channels: it is a bed, played as it is; "
      + "a sound of one channel is placed"
  }
}

extension SensesRun {
  /// A finding about its sound; nil if it is mono.
  public var finding: String? { SensesFiles.finding(of: clip) }

  /// The reasons why its senses are too far apart, a line each; empty if no trial exceeds the limit.
  public var failures: [String] {
    let late = sensed.compactMap { event in
      (event.skew?.ahead.count(over: SyncStudy.limit)).flatMap { $0 > 0 ? (event.number, $0) : nil }
    }
    guard let worst = late.max(by: { $0.1 < $1.1 }) else { return [] }
    let trials = "\(Numbers.grouped(worst.1)) of \(Numbers.grouped(script.trials)) trials"
    let events = late.count == 1 ? "event \(worst.0)" : "\(late.count) events, most in event \(worst.0)"
    var lines = ["FAIL  more than 3 frames (50 ms) between the senses in \(trials) of \(events)"]
    let clocks = [
      ("display", script.device.display), ("audio", script.device.audio), ("haptic", script.device.haptic),
    ]
    for (name, clock) in clocks where clock.latency > script.lead {
      lines.append(
        "the lead of \(Interval(nanoseconds: script.lead)) is shorter than the latency of \(name), "
          + "\(Interval(nanoseconds: clock.latency)): nothing can be armed in time")
    }
    return lines
  }
}
