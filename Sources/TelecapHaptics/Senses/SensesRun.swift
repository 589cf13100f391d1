import TelecapRecording

/// Plays a script in virtual time: through the core, its tick and drain, the shell, and the three clocks.
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
  /// The time until which the main thread is busy.
  private var busyUntil = Timestamp.zero
  /// The index of the next change.
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

  /// The end of the last sound, the last pattern, and the script.
  public var end: Timestamp {
    let ends = sensed.map { event in
      let felt = event.pattern == nil ? 0 : SensesShell.patternLength
      let heard = event.voice(of: clip) == nil ? 0 : clip.duration
      return event.drained.advanced(byNanoseconds: event.starts.audio + max(felt, heard))
    }
    let last = (ends + script.changes.map(\.time)).max() ?? .zero
    return max(Timestamp(nanoseconds: script.duration ?? 0), last)
  }

  /// The sound of all explosions.
  public var renderer: SoundRenderer {
    SoundRenderer(sensed.compactMap { $0.voice(of: clip) }, in: script.space, for: script.listener)
  }

  /// The haptics at `time`.
  public func felt(at time: Timestamp) -> HapticSample {
    var strongest = HapticSample.silence
    for (event, timeline) in timelines where event.feltUntil.map({ time < $0 }) ?? true {
      let sample = timeline.sample(at: Double(time.nanoseconds(since: event.time(of: .felt))) / 1e9)
      if sample.intensity > strongest.intensity { strongest = sample }
    }
    return strongest
  }

  /// The patterns that are felt, computed once.
  private var timelines: [(SensedEvent, HapticTimeline)] = []

  // MARK: - Playing

  /// The display requests a frame at each refresh. The shell then ticks the core and drains it, unless the main thread
  /// is busy (Multisensory Architectures, The Swift Integration Loop).
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

  /// Interrupts an event's sound or haptics at `time` unless they are over; cancels them if they have not begun.
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

  /// Cancels an event's sound or haptics, for the current reason.
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
      // Low power allows an impact.
      sensed[index].perception.felt = .savedPower
    }
  }

  private mutating func perceive(_ happening: Happening, at time: Timestamp) {
    let target = time.advanced(byNanoseconds: script.lead)
    let listener = script.listener.listener(at: target)
    let perception = shell.perceive(happening.event, for: listener, at: target)
    // Clocks run evenly, so draw their states once for a run; only trials draw their own.
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

  /// The skew of the senses of an event over the trials; nil for fewer than two senses.
  private func skew(of event: SensedEvent) -> (ahead: SyncStudy.Result, now: SyncStudy.Result)? {
    let senses = event.perception.senses
    guard senses.count > 1 else { return nil }
    let study = SyncStudy(script.device, trials: script.trials, seed: script.seed &+ UInt64(event.number) &- 1)
    return (study.run(.future(delta: script.lead), of: senses), study.run(.naive, of: senses))
  }

  /// Interrupts the sound on `player`.
  private mutating func interrupt(_ player: Int, at time: Timestamp) {
    let last = sensed.lastIndex { event in
      if case .sound(_, _, player, _, _) = event.perception.heard { true } else { false }
    }
    if let last { breakOff(.heard, of: last, at: time, for: .replaced) }
  }
}
