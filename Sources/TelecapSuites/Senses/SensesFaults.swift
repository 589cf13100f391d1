import TelecapHaptics

/// The faults of a sound placer.
enum AudioFault: String, CaseIterable, Sendable {
  /// Sounds fade with the square of the distance.
  case inverseSquare = "inverse-square"
  /// The linear law starts at the listener.
  case linearFromZero = "linear-from-zero"
  /// The exponential law ignores the rolloff.
  case exponentialWithoutRolloff = "exponential-without-rolloff"
  /// A sound nearer than the reference is louder than full.
  case louderThanFull = "louder-than-full"
  /// Sounds keep fading past the maximum distance.
  case fadesForever = "fades-forever"
  /// Positions are taken as metres.
  case noScale = "no-scale"
  /// Left and right are swapped.
  case swapsEars = "swaps-ears"
  /// Pans by the angle from straight ahead.
  case pansByAzimuth = "pans-by-azimuth"
  /// Both ears of a headset hear without a delay.
  case noDelay = "no-delay"
  /// The world turns with the listener.
  case turnsWithListener = "turns-with-listener"
  /// The head affects speakers.
  case headOnSpeakers = "head-on-speakers"
  /// A stereo source is placed.
  case placesStereo = "places-stereo"

  /// The rules of its sounds.
  func change(_ rules: inout SoundRules) {
    switch self {
    case .inverseSquare: rules.inverseIsOfPressure = false
    case .linearFromZero: rules.linearBeginsAtReference = false
    case .exponentialWithoutRolloff: rules.exponentialHasRolloff = false
    case .louderThanFull: rules.isFullAtReference = false
    case .fadesForever: rules.holdsMaximum = false
    case .noScale: rules.scales = false
    case .swapsEars: rules.swapsEars = true
    case .pansByAzimuth: rules.pansByAzimuth = true
    case .noDelay: rules.delaysFarEar = false
    case .turnsWithListener: rules.turnsWithListener = true
    case .headOnSpeakers: rules.headCountsOnSpeakers = true
    case .placesStereo: rules.placesBeds = true
    }
  }
}

/// The faults of a core with its shell.
enum SensesFault: String, CaseIterable, Sendable {
  /// A distant event is felt as strongly as a near one.
  case ignoresDistance = "ignores-distance"
  /// An event with little energy is felt as strongly as one with much.
  case ignoresEnergy = "ignores-energy"
  /// The crack is as dull as the rumble.
  case dullCrack = "dull-crack"
  /// The rumble stays as sharp as the crack.
  case sharpRumble = "sharp-rumble"
  /// A drain without new events repeats the last ones.
  case deliversAgain = "delivers-again"
  /// Of several events only the latest counts.
  case keepsLatestOnly = "keeps-latest-only"
  /// The latest event comes first.
  case reverses
  /// A drain returns events that no tick has reached.
  case drainsTheFuture = "drains-the-future"
  /// A hot device plays haptics.
  case feelsWhenSerious = "feels-when-serious"
  /// A hot device places its sounds.
  case placesWhenSerious = "places-when-serious"
  /// A critical device plays sounds.
  case soundsWhenCritical = "sounds-when-critical"
  /// A hot device shows all particles.
  case allParticles = "all-particles"
  /// A saving device plays the pattern.
  case lowPowerPlays = "low-power-plays"
  /// The user's music stops in every category.
  case ignoresCategory = "ignores-category"

  /// The rules of its shell.
  func change(_ rules: inout SensesRules) {
    switch self {
    case .ignoresDistance: rules.fadesWithDistance = false
    case .ignoresEnergy: rules.fadesWithEnergy = false
    case .dullCrack: rules.cracksSharply = false
    case .sharpRumble: rules.rumbleFalls = false
    case .placesWhenSerious: rules.isFlatWhenSerious = false
    case .soundsWhenCritical: rules.isSilentWhenCritical = false
    case .allParticles: rules.savesParticles = false
    case .ignoresCategory: rules.obeysCategory = false
    default: break
    }
  }

  /// The rules of its haptic engine.
  func change(_ rules: inout HapticEngine.Rules) {
    switch self {
    case .feelsWhenSerious: rules.obeysHeat = false
    case .lowPowerPlays: rules.obeysLowPower = false
    default: break
    }
  }
}
