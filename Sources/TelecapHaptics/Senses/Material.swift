import TelecapRecording

/// A breaking material: the sharpness of its crack and of its rumble (haptics.md, One event, three senses; Multisensory
/// Architectures, The Dimensions of Touch).
public struct Material: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The final sharpness of its rumble, and the sharpness of its first transient; both 0…1.
  public var sharpness: ClosedRange<Double>

  /// A ring of glass: crisp.
  public static let glass = Material("glass", 0.8...1)
  /// A ring of stone: dull.
  public static let stone = Material("stone", 0.4...0.6)
  /// The materials with names.
  public static let named = [glass, stone]

  /// A material from text: `glass`, `stone`, or its two numbers, `0.2,0.7`; nil for other text.
  public init?(_ text: String) {
    if let named = Material.named.first(where: { $0.name == text }) {
      self = named
      return
    }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard numbers.count == 2, numbers[0] >= 0, numbers[0] <= numbers[1], numbers[1] <= 1 else { return nil }
    self.init("\(numbers[0]) to \(numbers[1])", numbers[0]...numbers[1])
  }

  /// The error for text that is not a material.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public var text: String

    /// The message.
    public var description: String {
      "'\(text)' is neither glass nor stone nor two numbers of 0 to 1, such as 0.2,0.7"
    }
  }

  /// Parses a material.
  public static func parse(_ text: String) throws(SyntaxError) -> Material {
    guard let material = Material(text) else { throw SyntaxError(text: text) }
    return material
  }

  /// A material with this sharpness, clamped to 0…1.
  public init(_ name: String, _ sharpness: ClosedRange<Double>) {
    self.name = name
    func held(_ value: Double) -> Double { max(0, min(1, value)) }
    self.sharpness = held(sharpness.lowerBound)...held(sharpness.upperBound)
  }
}

/// The haptics of an explosion.
public struct ExplosionFeel: Hashable, Sendable {
  /// The strength, 0…1: its energy, reduced by the distance.
  public var intensity: Double
  /// The sharpness of its start, 0…1.
  public var crack: Double
  /// The final sharpness of its rumble, 0…1.
  public var rumble: Double

  /// The haptics of an explosion of full energy at this distance in m; from 1 m on the strength falls as sound pressure
  /// does.
  public init(of material: Material, metres: Double) {
    let sharpness = material.sharpness
    self.init(
      intensity: DistanceGain().gain(at: metres), crack: sharpness.upperBound, rumble: sharpness.lowerBound)
  }

  /// The haptics with these values, clamped to 0…1; NaN is 0.
  public init(intensity: Double, crack: Double, rumble: Double) {
    func held(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
    (self.intensity, self.crack, self.rumble) = (held(intensity), held(crack), held(rumble))
  }
}

extension AHAP {
  /// A crack and a decaying rumble: the explosion of seed 001 (2.2) with the strength and sharpness of `feel`, to six
  /// decimals.
  public init(_ feel: ExplosionFeel) {
    func rounded(_ value: Double) -> Double { Double(Int64(clampingRounded: value * 1e6)) / 1e6 }
    let (intensity, crack) = (rounded(feel.intensity), rounded(feel.crack))
    let fall = rounded(feel.rumble - feel.crack)
    self.init([
      .event(.transient(at: 0, intensity: intensity, sharpness: crack)),
      .event(.continuous(at: 0.02, lasting: 0.6, intensity: intensity, sharpness: crack)),
      .curve(Curve(.hapticIntensity, at: 0.02, [Point(0, 1), Point(0.1, 0.4), Point(0.5, 0)])),
      .curve(Curve(.hapticSharpness, at: 0.02, [Point(0, 0), Point(0.1, rounded(0.6 * fall)), Point(0.5, fall)])),
    ])
  }

  /// One medium impact, which a device plays in place of a pattern to save power. AHAP has no impacts, so it is a
  /// transient of medium strength (derived).
  public static let mediumImpact = AHAP([.event(.transient(at: 0, intensity: 0.5, sharpness: 0.5))])
}
