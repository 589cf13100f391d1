import TelecapRecording

/// What breaks, as it is felt: by the sharpness of its crack and of its rumble (haptics.md, One event, three senses;
/// Multisensory Architectures, The Dimensions of Touch).
public struct Material: Hashable, Sendable {
  /// What it is called.
  public var name: String
  /// The sharpness that its rumble falls to, and that of its first transient; both 0…1.
  public var sharpness: ClosedRange<Double>

  /// A ring of glass: crisp.
  public static let glass = Material("glass", 0.8...1)
  /// A ring of stone: dull.
  public static let stone = Material("stone", 0.4...0.6)
  /// Those that have a name.
  public static let named = [glass, stone]

  /// A material as a person names it: `glass`, `stone`, or its two numbers, `0.2,0.7`; nil for anything else.
  public init?(_ text: String) {
    if let named = Material.named.first(where: { $0.name == text }) {
      self = named
      return
    }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard numbers.count == 2, numbers[0] >= 0, numbers[0] <= numbers[1], numbers[1] <= 1 else { return nil }
    self.init("\(numbers[0]) to \(numbers[1])", numbers[0]...numbers[1])
  }

  /// Why text is no material.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public var text: String

    /// What is wrong.
    public var description: String {
      "'\(text)' is neither glass nor stone nor two numbers of 0 to 1, such as 0.2,0.7"
    }
  }

  /// A material as a person names it.
  public static func parse(_ text: String) throws(SyntaxError) -> Material {
    guard let material = Material(text) else { throw SyntaxError(text: text) }
    return material
  }

  /// A material of this sharpness, held to 0…1.
  public init(_ name: String, _ sharpness: ClosedRange<Double>) {
    self.name = name
    func held(_ value: Double) -> Double { max(0, min(1, value)) }
    self.sharpness = held(sharpness.lowerBound)...held(sharpness.upperBound)
  }
}

/// What an explosion is felt like.
public struct ExplosionFeel: Hashable, Sendable {
  /// How strong, 0…1: its energy, less by the distance.
  public var intensity: Double
  /// How sharp it begins, 0…1.
  public var crack: Double
  /// What the sharpness of its rumble falls to, 0…1.
  public var rumble: Double

  /// What an explosion of full energy is felt like so many m away, where sound pressure falls with the distance from 1 m on.
  public init(of material: Material, metres: Double) {
    let sharpness = material.sharpness
    self.init(
      intensity: DistanceGain().gain(at: metres), crack: sharpness.upperBound, rumble: sharpness.lowerBound)
  }

  /// A feeling of these values, held to 0…1; NaN is 0.
  public init(intensity: Double, crack: Double, rumble: Double) {
    func held(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
    (self.intensity, self.crack, self.rumble) = (held(intensity), held(crack), held(rumble))
  }
}

extension AHAP {
  /// A crack, and a rumble that dies away: the explosion of seed 001 (2.2) at the strength and the sharpness of `feel`, to
  /// six decimals.
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

  /// One medium impact, which a device that saves power plays in place of a pattern. AHAP has no impacts: it is a transient
  /// of middle strength (derived).
  public static let mediumImpact = AHAP([.event(.transient(at: 0, intensity: 0.5, sharpness: 0.5))])
}
