import TelecapRecording

/// A script played: through the core, its tick and drain, the shell, and the three clocks, in virtual time.
public struct SensesRun: Sendable {
  /// The events of the script, in the order in which they were drained.
  public private(set) var sensed: [SensedEvent] = []
  /// The script.
  public let script: SensesScript
  /// The sound of an explosion.
  public let clip: SoundClip

  private struct Happening: Sendable {
    var number: Int
    var time: Timestamp
    var event: WorldEvent
  }

  private var core = EventQueue<Happening>()
  private var shell: SensesShell
  /// Until when the main thread does nothing else.
  private var busyUntil = Timestamp.zero
  /// The changes yet to come, from this one on.
  private var nextChange = 0

  /// Plays `script` with `clip` as the sound of an explosion.
  public init(_ script: SensesScript, clip: SoundClip = .burst) {
    (self.script, self.clip) = (script, clip)
    shell = SensesShell(
      space: script.space, clip: (clip.duration, clip.channels.count), players: script.players,
      supportsHaptics: script.supportsHaptics)
    for (index, happening) in script.events.enumerated() {
      core.schedule(Happening(number: index + 1, time: happening.time, event: happening.event), at: happening.time)
    }
    play()
  }

  /// When all is over: what is heard, what is felt, and what the script says.
  public var end: Timestamp {
    let ends = sensed.map { event in
      let felt = event.pattern == nil ? 0 : SensesShell.patternLength
      let heard = event.voice(of: clip) == nil ? 0 : clip.duration
      return event.drained.advanced(byNanoseconds: event.starts.audio + max(felt, heard))
    }
    let last = (ends + script.changes.map(\.time)).max() ?? .zero
    return max(Timestamp(nanoseconds: script.duration ?? 0), last)
  }

  /// What is heard of all explosions.
  public var renderer: SoundRenderer {
    SoundRenderer(sensed.compactMap { $0.voice(of: clip) }, in: script.space, for: script.listener)
  }

  /// What is felt at `time`.
  public func felt(at time: Timestamp) -> HapticSample {
    var strongest = HapticSample.silence
    for (event, timeline) in timelines where event.feltUntil.map({ time < $0 }) ?? true {
      let sample = timeline.sample(at: Double(time.nanoseconds(since: event.time(of: .felt))) / 1e9)
      if sample.intensity > strongest.intensity { strongest = sample }
    }
    return strongest
  }

  /// The patterns that are felt, made once.
  private var timelines: [(SensedEvent, HapticTimeline)] = []

  // MARK: - Playing

  /// The display asks for a frame at each refresh; unless the main thread is busy, the shell ticks the core then and drains
  /// it (Multisensory Architectures, The Swift Integration Loop).
  private mutating func play() {
    let period = max(1_000_000, script.device.display.period)
    let last = script.events.map(\.time).max() ?? .zero
    var frame = Timestamp.zero
    while core.pending > 0 || frame <= last {
      change(until: frame)
      if frame >= busyUntil {
        core.tick(byNanoseconds: frame.nanoseconds(since: core.now))
        for happening in core.drain() { perceive(happening, at: frame) }
      }
      frame = frame.advanced(byNanoseconds: period)
    }
    change(until: Timestamp(nanoseconds: .max))
    for index in sensed.indices { sensed[index].skew = skew(of: sensed[index]) }
    timelines = sensed.compactMap { event in event.pattern.map { (event, HapticTimeline($0)) } }
  }

  private mutating func change(until time: Timestamp) {
    while nextChange < script.changes.count, script.changes[nextChange].time <= time {
      let (time, change) = script.changes[nextChange]
      if case .busy(let length) = change { busyUntil = max(busyUntil, time.advanced(byNanoseconds: length)) }
      let ends = shell.change(change, at: time)
      for index in sensed.indices {
        if ends.endsHeard { breakOff(.heard, of: index, at: time) }
        if ends.endsFelt { breakOff(.felt, of: index, at: time) }
      }
      nextChange += 1
    }
  }

  /// What is heard or felt of an event ends at `time`, where it is not over by then; what has not begun by then never does.
  private mutating func breakOff(_ sense: Sense, of index: Int, at time: Timestamp, for heard: Heard? = nil) {
    let begin = sensed[index].time(of: sense)
    guard begin < time else { return cancel(sense, of: index, for: heard) }
    let length = sense == .heard ? clip.duration : SensesShell.patternLength
    guard time < begin.advanced(byNanoseconds: length) else { return }
    if sense == .heard {
      sensed[index].heardUntil = min(sensed[index].heardUntil ?? time, time)
    } else {
      sensed[index].feltUntil = min(sensed[index].feltUntil ?? time, time)
    }
  }

  /// What was to be heard or felt becomes nothing, for the reason that stands now.
  private mutating func cancel(_ sense: Sense, of index: Int, for heard: Heard?) {
    guard sensed[index].perception.senses.contains(sense) else { return }
    if sense == .heard {
      sensed[index].perception.heard =
        heard ?? (shell.isInterrupted ? .interrupted : .tooHot(shell.conditions.thermal))
      return
    }
    if shell.isInterrupted {
      sensed[index].perception.felt = .nothing(.stopped(.audioSessionInterrupted))
    } else if case .nothing(let state) = shell.conditions.haptics {
      sensed[index].perception.felt = .nothing(.thermal(state))
    } else if case .pattern = sensed[index].perception.felt {
      // An impact is what low power allows.
      sensed[index].perception.felt = .savedPower
    }
  }

  private mutating func perceive(_ happening: Happening, at time: Timestamp) {
    let target = time.advanced(byNanoseconds: script.lead)
    let listener = script.listener.listener(at: target)
    let perception = shell.perceive(happening.event, for: listener, at: target)
    // Clocks go on evenly: where they stand is drawn once for a run, and anew for each trial alone.
    let draws = KeyedDraws(seed: script.seed)
    let starts = script.device.starts(.future(delta: script.lead), trial: 0, draws: draws)
    if case .sound(_, _, let player, true, _) = perception.heard {
      interrupt(player, at: time.advanced(byNanoseconds: starts.audio))
    }
    sensed.append(
      SensedEvent(
        number: happening.number, event: happening.event, happened: happening.time, drained: time, starts: starts,
        perception: perception, music: shell.music))
  }

  /// How far apart the senses that got an event were, over the trials; nil where fewer than two did.
  private func skew(of event: SensedEvent) -> (ahead: SyncStudy.Result, now: SyncStudy.Result)? {
    let senses = event.perception.senses
    guard senses.count > 1 else { return nil }
    let study = SyncStudy(script.device, trials: script.trials, seed: script.seed &+ UInt64(event.number) &- 1)
    return (study.run(.future(delta: script.lead), of: senses), study.run(.naive, of: senses))
  }

  /// The sound that plays on `player` is broken off.
  private mutating func interrupt(_ player: Int, at time: Timestamp) {
    let last = sensed.lastIndex { event in
      if case .sound(_, _, player, _, _) = event.perception.heard { true } else { false }
    }
    if let last { breakOff(.heard, of: last, at: time, for: .replaced) }
  }
}
