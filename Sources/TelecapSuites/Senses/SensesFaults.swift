import TelecapHaptics

/// How what places sounds can be wrong.
enum AudioFault: String, CaseIterable, Sendable {
  /// Sounds fade by the square of the distance.
  case inverseSquare = "inverse-square"
  /// The linear law begins at the listener.
  case linearFromZero = "linear-from-zero"
  /// The exponential law knows no rolloff.
  case exponentialWithoutRolloff = "exponential-without-rolloff"
  /// What is nearer than the reference is louder than full.
  case louderThanFull = "louder-than-full"
  /// Sounds fade behind the maximum too.
  case fadesForever = "fades-forever"
  /// Positions are taken for metres.
  case noScale = "no-scale"
  /// Left is right.
  case swapsEars = "swaps-ears"
  /// Pans by the angle from straight ahead.
  case pansByAzimuth = "pans-by-azimuth"
  /// Both ears of a headset hear at once.
  case noDelay = "no-delay"
  /// The world turns with the listener.
  case turnsWithListener = "turns-with-listener"
  /// The head counts on speakers.
  case headOnSpeakers = "head-on-speakers"
  /// A source of two channels is placed.
  case placesStereo = "places-stereo"

  /// What it keeps to.
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

/// How a core with its shell can be wrong.
enum SensesFault: String, CaseIterable, Sendable {
  /// What is far away is felt as strongly.
  case ignoresDistance = "ignores-distance"
  /// What has little energy is felt as strongly.
  case ignoresEnergy = "ignores-energy"
  /// The crack is as dull as the rumble.
  case dullCrack = "dull-crack"
  /// The rumble stays as sharp as the crack.
  case sharpRumble = "sharp-rumble"
  /// A drain without news hands over the last events again.
  case deliversAgain = "delivers-again"
  /// Of several events the latest counts.
  case keepsLatestOnly = "keeps-latest-only"
  /// The latest event comes first.
  case reverses
  /// A drain hands over what no tick has reached.
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
  /// The user's music falls silent, whatever the category.
  case ignoresCategory = "ignores-category"

  /// What its shell keeps to.
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

  /// What its haptic engine keeps to.
  func change(_ rules: inout HapticEngine.Rules) {
    switch self {
    case .feelsWhenSerious: rules.obeysHeat = false
    case .lowPowerPlays: rules.obeysLowPower = false
    default: break
    }
  }
}
