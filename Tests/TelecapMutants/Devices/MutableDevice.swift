import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapSuites

/// A kind of what is done to a device.
struct AskedKind: Sendable {
  /// Its name in those of mutants.
  let name: String
  /// It sets a state: the same action twice makes no difference.
  var isState = false
  let matches: @Sendable (any UserAction) -> Bool
}

/// A device that mutants are made of, and the places at which it may be wrong.
struct MutableDevice: Sendable {
  typealias Action = any UserAction

  let model: PartModel
  /// The actions on it.
  var asked: [AskedKind] = []
  /// Numbers and words in what is done to it.
  var numbers: [NumberPlace<Action>] = []
  var words: [WordPlace<Action>] = []
  /// Those of which an action holds several.
  var manyNumbers: [NumberPlaces<Action>] = []
  var manyWords: [WordPlaces<Action>] = []
  /// Numbers and words in what it is set up with.
  var setUpNumbers: [NumberPlace<Setup>] = []
  var setUpWords: [WordPlace<Setup>] = []
  /// Those of which a set-up holds several.
  var setUpManyNumbers: [NumberPlaces<Setup>] = []
  var setUpManyWords: [WordPlaces<Setup>] = []
  /// The values of its event fields that contain any text, by `event.field`.
  var texts: [String: [String]] = [:]
  /// Events, and fields as `event.field`, that our model prints in another form than a program, or that no requirement
  /// covers.
  var isFree: Set<String> = []
  /// The occasions on which it may be wrong, in addition to those of every device.
  var occasions: [Occasion] = []
  /// Some of its ways of being wrong on an occasion that hardly ever comes.
  var rare: [(fault: String, occasion: Occasion)] = []
  /// Mutants that fit this device only.
  var others: [DeviceSketch] = []

  init(_ model: PartModel) { self.model = model }

  /// Whether it must print events, or a field, of this name.
  func tells(_ event: String) -> Bool { !isFree.contains(event) }

  static let all: [MutableDevice] = [.audio, .senses, .touch, .haptics, .ahap]
}

/// The shared places of the two devices that place sounds.
enum SpacePlaces {
  static let space = Lens<Setup, SoundSpace> {
    $0.space
  } set: { setup, space in
    var setup = setup
    setup.space = space
    return setup
  }

  static let numbers: [NumberPlace<Setup>] = [
    NumberPlace(name: "space.scale", fit: .size, lens: space.then({ $0.scale }) { $0.scale = $1 }),
    NumberPlace(
      name: "space.reference", fit: .size, lens: space.then({ $0.distance.reference }) { $0.distance.reference = $1 }),
    NumberPlace(
      name: "space.maximum", fit: .size, lens: space.then({ $0.distance.maximum }) { $0.distance.maximum = $1 }),
    NumberPlace(
      name: "space.rolloff", fit: .size, lens: space.then({ $0.distance.rolloff }) { $0.distance.rolloff = $1 }),
  ]

  static let words: [WordPlace<Setup>] = [
    WordPlace("space.distance", space.then({ $0.distance.model }) { $0.distance.model = $1 }),
    WordPlace("space.output", space.then({ $0.output }) { $0.output = $1 }),
  ]

  static let supported = WordPlace<Setup>(
    "supported",
    flag: Lens {
      $0.isSupported
    } set: { setup, value in
      var setup = setup
      setup.isSupported = value
      return setup
    })

  static let listener = Lens<any UserAction, Listener> {
    if case .listener(let listener)? = $0 as? SensesAction { listener } else { nil }
  } set: {
    SensesAction.listener($1)
  }
}

extension MutableDevice {
  private static func kind(
    _ name: String, isState: Bool = false, _ matches: @escaping @Sendable (SensesAction) -> Bool
  ) -> AskedKind {
    AskedKind(name: name, isState: isState) { ($0 as? SensesAction).map(matches) ?? false }
  }

  private static let listens = kind("listener", isState: true) { if case .listener = $0 { true } else { false } }

  // MARK: - What places sounds

  static let audio: MutableDevice = {
    var device = MutableDevice(.audio)
    let source = Lens<Action, SoundSource> {
      if case .source(let source)? = $0 as? SensesAction { source } else { nil }
    } set: {
      SensesAction.source($1)
    }
    let listener = SpacePlaces.listener
    device.asked = [listens, kind("source") { if case .source = $0 { true } else { false } }]
    device.numbers =
      source.then({ $0.position }) { $0.position = $1 }.numbers("source.position")
      + [
        NumberPlace(
          name: "source.channels", step: 1, fit: .count,
          lens: source.then({ Double($0.channels) }) { $0.channels = Int($1) })
      ] + listener.then({ $0.position }) { $0.position = $1 }.numbers("listener.position")
      + listener.then({ $0.camera }) { $0.camera = $1 }.numbers("listener.camera")
      + listener.then({ $0.head }) { $0.head = $1 }.numbers("listener.head")
    (device.setUpNumbers, device.setUpWords) = (SpacePlaces.numbers, SpacePlaces.words)
    func at(_ name: String, _ isThere: @escaping @Sendable (Vector3) -> Bool) -> Occasion {
      Occasion(name) { source.get($0.asked.last ?? SensesAction.tick).map { isThere($0.position) } ?? false }
    }
    func heard(_ name: String, _ isSo: @escaping @Sendable (Listener) -> Bool) -> Occasion {
      Occasion(name) { $0.asked.compactMap(listener.get).last.map(isSo) ?? false }
    }
    device.occasions = [
      at("left") { $0.x < 0 }, at("right") { $0.x > 0 }, at("above") { $0.y > 0 }, at("behind") { $0.z > 0 },
      at("aside") { $0.x != 0 }, heard("moved") { $0.position != .zero }, heard("turned") { $0.camera != .none },
      heard("head-turned") { $0.head != .none }, Occasion("on-headset") { $0.setup.space.output == .headset },
      Occasion("on-speakers") { $0.setup.space.output == .speakers },
    ]
    func placed(_ name: String, _ isThere: @escaping @Sendable (Vector3, SoundSpace) -> Bool) -> Occasion {
      Occasion("\(name)-of-nobody-who-moved") { moment in
        guard let source = moment.asked.last.flatMap(source.get), isThere(source.position, moment.setup.space) else {
          return false
        }
        return !moment.asked.contains { listener.get($0) != nil }
      }
    }
    device.rare = [
      ("inverse-square", placed("ahead") { $0.x == 0 && $0.z < 0 && $1.scale == 1 }),
      ("swaps-ears", placed("beside") { position, _ in position.z == 0 }),
      ("swaps-ears", placed("behind") { position, _ in position.z > 0 }),
    ]
    return device
  }()

  // MARK: - A core with its shell

  static let senses: MutableDevice = {
    var device = MutableDevice(.senses)
    let explosion = Lens<Action, Explosion> {
      if case .happens(.explosion(let explosion))? = $0 as? SensesAction { explosion } else { nil }
    } set: {
      SensesAction.happens(.explosion($1))
    }
    let ring = Lens<Action, Double> {
      if case .happens(.ring(let integrity))? = $0 as? SensesAction { integrity } else { nil }
    } set: {
      SensesAction.happens(.ring(integrity: $1))
    }
    let category = Lens<Action, SessionCategory> {
      if case .category(let category)? = $0 as? SensesAction { category } else { nil }
    } set: {
      SensesAction.category($1)
    }
    let conditions = ConditionPlaces.lens
    let sharpness = explosion.then({ $0.material.sharpness }) { $0.material = Material("changed", $1) }
    device.asked = [
      kind("explosion") { if case .happens(.explosion) = $0 { true } else { false } },
      kind("ring") { if case .happens(.ring) = $0 { true } else { false } },
      kind("tick", isState: true) { $0 == .tick }, kind("drain", isState: true) { $0 == .drain },
      kind("category", isState: true) { if case .category = $0 { true } else { false } }, listens,
      ConditionPlaces.kind,
    ]
    device.numbers =
      explosion.then({ $0.position }) { $0.position = $1 }.numbers("explosion.position")
      + [
        NumberPlace(name: "explosion.energy", fit: .share, lens: explosion.then({ $0.energy }) { $0.energy = $1 }),
        NumberPlace(
          name: "material.rumble", fit: .share,
          lens: sharpness.then({ $0.lowerBound }) { $0 = min($1, $0.upperBound)...$0.upperBound }),
        NumberPlace(
          name: "material.crack", fit: .share,
          lens: sharpness.then({ $0.upperBound }) { $0 = $0.lowerBound...max($1, $0.lowerBound) }),
        NumberPlace(name: "ring.integrity", fit: .share, lens: ring),
      ] + SpacePlaces.listener.then({ $0.position }) { $0.position = $1 }.numbers("listener.position")
      + SpacePlaces.listener.then({ $0.camera }) { $0.camera = $1 }.numbers("listener.camera")
      + SpacePlaces.listener.then({ $0.head }) { $0.head = $1 }.numbers("listener.head")
    device.words = ConditionPlaces.words + [WordPlace("category", category)]
    (device.setUpNumbers, device.setUpWords) = (SpacePlaces.numbers, SpacePlaces.words + [SpacePlaces.supported])
    func under(_ name: String, _ isSo: @escaping @Sendable (DeviceConditions) -> Bool) -> Occasion {
      Occasion(name) { $0.asked.compactMap(conditions.get).last.map(isSo) ?? false }
    }
    func of(_ name: String, _ isSo: @escaping @Sendable (Explosion) -> Bool) -> Occasion {
      Occasion(name) { $0.asked.compactMap(explosion.get).last.map(isSo) ?? false }
    }
    device.occasions = [
      under("cool") { $0.thermal == .nominal }, under("fair") { $0.thermal == .fair },
      under("serious") { $0.thermal == .serious }, under("critical") { $0.thermal == .critical },
      under("saving") { $0.isLowPower }, of("weak") { $0.energy < 1 }, of("left") { $0.position.x < 0 },
      of("right") { $0.position.x > 0 }, of("stone") { $0.material == .stone },
      Occasion("ambient") { $0.asked.compactMap(category.get).last == .ambient },
      Occasion("moved") { $0.asked.contains { SpacePlaces.listener.get($0) != nil } },
      Occasion("of-many") { $0.asked.count { explosion.get($0) != nil || ring.get($0) != nil } > 1 },
    ]
    return device
  }()
}

/// The temperature of a device, and whether it saves power, as set from outside.
enum ConditionPlaces {
  static let lens = Lens<any UserAction, DeviceConditions> {
    if case .conditions(let conditions)? = $0 as? HapticsAction { conditions } else { nil }
  } set: {
    HapticsAction.conditions($1)
  }

  static let kind = AskedKind(name: "conditions", isState: true) { lens.get($0) != nil }

  static let words: [WordPlace<any UserAction>] = [
    WordPlace("conditions.thermal", lens.then({ $0.thermal }) { $0.thermal = $1 }),
    WordPlace("conditions.low-power", flag: lens.then({ $0.isLowPower }) { $0.isLowPower = $1 }),
  ]
}
