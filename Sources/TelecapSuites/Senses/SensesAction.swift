import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// An action on a sound placer, or on a shell with its core.
package enum SensesAction: UserAction, Hashable {
  /// Moves and turns the listener.
  case listener(Listener)
  /// Places this source.
  case source(SoundSource)
  /// Adds an event to the core's next tick.
  case happens(WorldEvent)
  /// Advances the core's time to now.
  case tick
  /// Has the shell drain the core.
  case drain
  /// Sets the category of the audio session.
  case category(SessionCategory)

  package var words: String {
    switch self {
    case .listener: "the listener moves"
    case .source(let source): source.channels == 1 ? "a source" : "a source of \(source.channels) channels"
    case .happens(.explosion): "an explosion"
    case .happens(.ring(let integrity)): "the ring at \(integrity)"
    case .tick: "tick"
    case .drain: "drain"
    case .category(let category): "category \(category.rawValue)"
    }
  }
}

/// The actions of a scenario on them: entries of `ask`.
enum SensesActionKeys {
  static let all: [ScenarioKey<any UserAction>] = [
    ScenarioKey("listener", .mapping(listener), "The listener is there, turned like this, from now on.") {
      (value) throws(YAMLFileError) in
      SensesAction.listener(
        Listener(
          position: try SensesShapes.vector(value["position"]) ?? .zero, camera: try SensesShapes.rotation(value),
          head: try value["head"].map(SensesShapes.rotation) ?? .none))
    },
    ScenarioKey("source", .mapping(source), "The device prints where a source is heard.") {
      (value) throws(YAMLFileError) in
      try value.hold("channels", toWhole: 1...2)
      return SensesAction.source(
        SoundSource(
          at: try SensesShapes.vector(value["position"]) ?? .zero, channels: Int(value["channels"]?.integer ?? 1)))
    },
    ScenarioKey("explosion", .mapping(SensesShapes.explosion), "Something bursts in the core.") {
      (value) throws(YAMLFileError) in SensesAction.happens(.explosion(try SensesShapes.explosion(value)))
    },
    ScenarioKey("ring", .number, "The ring of the core is as whole as this, 0 to 1.") { value in
      SensesAction.happens(.ring(integrity: value.number ?? 0))
    },
    ScenarioKey("tick", .flag, "The core's time goes on to now.") { _ in SensesAction.tick },
    ScenarioKey("drain", .flag, "The shell drains the core.") { _ in SensesAction.drain },
    ScenarioKey("category", SensesShapes.words(SessionCategory.self), "The audio session's category from now on.") {
      SensesAction.category($0.text.flatMap(SessionCategory.init) ?? .playback)
    },
  ]

  private static let listener = YAMLShape(
    "listener",
    [YAMLKey("position", SensesShapes.vector, "Where: [x, y, z]; the origin unless given.")] + SensesShapes.attitude
      + [YAMLKey("head", .mapping(YAMLShape("head", SensesShapes.attitude)), "How the head is turned against it.")])

  private static let source = YAMLShape(
    "source",
    [
      YAMLKey("position", SensesShapes.vector, required: true, "Where: [x, y, z]."),
      YAMLKey("channels", .integer, "1 unless given."),
    ])
}

/// The options of a scenario for their setup.
package enum SensesSetup {
  /// The space in which sounds are placed.
  package enum Space: SetupOption {
    package static let standard = SoundSpace()
  }

  static let keys: [ScenarioKey<SetupChange>] = [
    ScenarioKey("space", .mapping(SensesShapes.space), "Where sounds are placed.") { (value) throws(YAMLFileError) in
      let space = try SensesShapes.space(value)
      return { $0[Space.self] = space }
    }
  ]
}

extension Setup {
  package var space: SoundSpace {
    get { self[SensesSetup.Space.self] }
    set { self[SensesSetup.Space.self] = newValue }
  }
}
