import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele

// A haptic engine with its manager: mutants of what its application asks, of what befalls it, and of what it plays.
extension MutableDevice {
  private static func kind(
    _ name: String, isState: Bool = false, _ matches: @escaping @Sendable (HapticsAction) -> Bool
  ) -> AskedKind {
    AskedKind(name: name, isState: isState) { ($0 as? HapticsAction).map(matches) ?? false }
  }

  static let haptics: MutableDevice = {
    var device = MutableDevice(.haptics)
    device.asked =
      [
        kind("prepare", isState: true) { $0 == .prepare },
        kind("play") { if case .play = $0 { true } else { false } },
        kind("strength", isState: true) { if case .strength = $0 { true } else { false } },
        kind("open", isState: true) { $0 == .session(isOpen: true) },
        kind("lose", isState: true) { $0 == .session(isOpen: false) },
        kind("stop", isState: true) { if case .suffer(.stop) = $0 { true } else { false } },
        kind("over", isState: true) { if case .suffer(.over) = $0 { true } else { false } },
        kind("reset") { $0 == .suffer(.reset) }, kind("play-fails", isState: true) { $0 == .suffer(.playFails) },
        kind("synchronise") { if case .synchronise = $0 { true } else { false } },
      ] + [ConditionPlaces.kind]
    device.numbers = [
      NumberPlace(name: "multi.frequency", step: 0.1, fit: .size, lens: EnginePlaces.frequency),
      NumberPlace(name: "multi.amplitude", fit: .share, lens: EnginePlaces.amplitude),
      NumberPlace(name: "gradual.intensity", fit: .share, lens: EnginePlaces.intensity),
      NumberPlace(name: "strength", lens: EnginePlaces.strength),
    ]
    device.words =
      ConditionPlaces.words + [
        WordPlace("play", of: EnginePlaces.patterns, EnginePlaces.pattern),
        WordPlace(
          "stop", of: EnginePlaces.lasting,
          EnginePlaces.reason {
            .stop($0)
          } of: {
            $0.stops
          }),
        WordPlace(
          "over", of: EnginePlaces.lasting,
          EnginePlaces.reason {
            .over($0)
          } of: {
            $0.ends
          }),
      ]
    device.setUpWords = [SpacePlaces.supported]
    device.texts = ["playing.pattern": EnginePlaces.patterns]
    // Our model prints the events that an armed action leads to, not the arming.
    device.isFree = ["stopped", "loaded", "armed.display", "armed.audio", "armed.haptic"]
    device.others = ArmedMutants.all
    func after(_ name: String, _ action: HapticsAction) -> Occasion {
      Occasion(name) { $0.asked.contains { $0 as? HapticsAction == action } }
    }
    func under(_ name: String, _ isSo: @escaping @Sendable (DeviceConditions) -> Bool) -> Occasion {
      Occasion(name) { $0.asked.compactMap(ConditionPlaces.lens.get).last.map(isSo) ?? false }
    }
    device.occasions = [
      after("after-session", .session(isOpen: true)), after("after-reset", .suffer(.reset)),
      under("cool") { $0.thermal == .nominal },
      under("fair") { $0.thermal == .fair }, under("critical") { $0.thermal == .critical },
      under("saving") { $0.isLowPower },
    ]
    device.rare = [
      ("heavy-grows", Occasion("from-tenth") { $0.count >= 10 }),
      ("ignores-latency", Occasion("from-twentieth") { $0.count >= 20 }),
    ]
    return device
  }()
}

/// Parts of what is asked of a haptic engine.
private enum EnginePlaces {
  static let patterns = ["normal", "multi", "gradual", "heavy"]
  static let lasting = EngineStop.allCases.filter(\.lasts).map(\.rawValue)

  private static let play = Lens<any UserAction, ManagerPattern> {
    if case .play(let pattern, _)? = $0 as? HapticsAction { pattern } else { nil }
  } set: { action, pattern in
    guard case .play(_, let tellsEvents)? = action as? HapticsAction else { return action }
    return HapticsAction.play(pattern, tellsEvents: tellsEvents)
  }

  static let pattern = play.then({ $0.name }) { pattern, name in
    pattern =
      switch name {
      case "normal": .normal
      case "multi": .multi(frequency: 1, amplitude: 1)
      case "gradual": .gradual(intensity: ManagerPattern.gradualIntensity)
      default: .heavy
      }
  }

  static let frequency = play.then({ if case .multi(let frequency, _) = $0 { frequency } else { nil } }) {
    if case .multi(_, let amplitude) = $0 { $0 = .multi(frequency: $1, amplitude: amplitude) }
  }
  static let amplitude = play.then({ if case .multi(_, let amplitude) = $0 { amplitude } else { nil } }) {
    if case .multi(let frequency, _) = $0 { $0 = .multi(frequency: frequency, amplitude: $1) }
  }
  static let intensity = play.then({ if case .gradual(let intensity) = $0 { Double(intensity) } else { nil } }) {
    $0 = .gradual(intensity: Float($1))
  }

  static let strength = Lens<any UserAction, Double> {
    if case .strength(let strength)? = $0 as? HapticsAction { Double(strength) } else { nil }
  } set: {
    HapticsAction.strength(Float($1))
  }

  /// Why an engine stops, or what is over.
  static func reason(
    _ make: @escaping @Sendable (EngineStop) -> EngineFault, of get: @escaping @Sendable (EngineFault) -> EngineStop?
  ) -> Lens<any UserAction, String> {
    Lens {
      guard case .suffer(let fault)? = $0 as? HapticsAction else { return nil }
      return get(fault)?.rawValue
    } set: { action, name in
      EngineStop(rawValue: name).map { HapticsAction.suffer(make($0)) } ?? action
    }
  }
}

extension EngineFault {
  fileprivate var stops: EngineStop? { if case .stop(let reason) = self { reason } else { nil } }
  fileprivate var ends: EngineStop? { if case .over(let reason) = self { reason } else { nil } }
}

/// Actions next to an engine, armed for other times than those at which all begin at once.
private enum ArmedMutants {
  typealias Latencies = (audio: Nanoseconds, haptic: Nanoseconds)

  static let all: [DeviceSketch] =
    latencies + targets("display", \.display) + targets("audio", \.audio) + targets("haptic", \.haptic)

  private static let latencies: [DeviceSketch] = [
    sketch("audio-latency/ignored", .ignored) { armed, _ in armed.audio += armed.late.audio },
    sketch("audio-latency/halved", .scaled) { armed, _ in armed.audio += armed.late.audio / 2 },
    sketch("audio-latency/doubled", .scaled) { armed, _ in armed.audio -= armed.late.audio },
    sketch("audio-latency/negated", .scaled) { armed, _ in armed.audio += 2 * armed.late.audio },
    sketch("haptic-latency/ignored", .ignored) { armed, _ in armed.haptic += armed.late.haptic },
    sketch("haptic-latency/halved", .scaled) { armed, _ in armed.haptic += armed.late.haptic / 2 },
    sketch("haptic-latency/doubled", .scaled) { armed, _ in armed.haptic -= armed.late.haptic },
    sketch("haptic-latency/negated", .scaled) { armed, _ in armed.haptic += 2 * armed.late.haptic },
    sketch("latencies/swapped", .swapped) { armed, _ in
      let both = armed.late.audio - armed.late.haptic
      (armed.audio, armed.haptic) = (armed.audio + both, armed.haptic - both)
    },
  ]

  private static func targets(
    _ name: String, _ path: any WritableKeyPath<Armed, Nanoseconds> & Sendable
  ) -> [DeviceSketch] {
    [
      sketch("\(name)/at-once", .ignored) { armed, _ in armed[keyPath: path] = 0 },
      sketch("\(name)/twice-as-far", .scaled) { armed, delta in armed[keyPath: path] += delta },
      sketch("\(name)/half-as-far", .scaled) { armed, delta in armed[keyPath: path] -= delta / 2 },
      sketch("\(name)/late", .late) { armed, _ in armed[keyPath: path] += 80_000_000 },
    ]
  }

  /// When each begins, in ns after the decision, with what it takes from there on.
  private struct Armed {
    var display: Nanoseconds
    var audio: Nanoseconds
    var haptic: Nanoseconds
    let late: Latencies
  }

  private static func sketch(
    _ name: String, _ kind: Operator, _ change: @escaping @Sendable (inout Armed, Nanoseconds) -> Void
  ) -> DeviceSketch {
    DeviceSketch(
      "armed/\(name)", kind,
      DeviceMutation(shows: { event, memory in
        guard case .told = event, case .synchronise(let device, let delta, let trials)? = memory.last as? HapticsAction
        else { return [DelayedEvent(event)] }
        let late = (audio: device.audio.latency, haptic: device.haptic.latency)
        var armed = Armed(
          display: delta - device.display.latency, audio: delta - late.audio, haptic: delta - late.haptic, late: late)
        change(&armed, delta)
        let starts = SyncStarts(
          display: max(0, armed.display), audio: max(0, armed.audio), haptic: max(0, armed.haptic))
        let result = SyncStudy(device, trials: trials, seed: 1).run(.armed(starts))
        return [DelayedEvent(.told(result.withinLimit))]
      }))
  }
}
