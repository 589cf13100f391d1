import TelecapConformance
import TelecapHaptics
import TelecapRecording

/// The shapes and decoders for the parts of scripts and scenarios that are about senses.
enum SensesShapes {
  // MARK: - Shapes

  static let space = YAMLShape(
    "space",
    [
      YAMLKey("scale", .number, "Metres in a unit of the positions: 0.01 for centimetres; 1 unless given."),
      YAMLKey("output", words(SoundOutput.self), "The output of the sound; speakers unless given."),
      YAMLKey("distance", words(DistanceGain.Model.self), "How sounds fade; inverse unless given."),
      YAMLKey("reference", .number, "Up to here a sound is at its full strength, in m; 1 unless given."),
      YAMLKey("maximum", .number, "From here on it fades no further, in m; 100000 unless given."),
      YAMLKey("rolloff", .number, "How fast it fades; 1 unless given."),
    ])

  static let explosion = YAMLShape(
    "explosion",
    [
      YAMLKey("position", vector, required: true, "Where: [x, y, z], x to the right, y up, −z ahead."),
      YAMLKey("goes-to", vector, "Where its sound goes while it lasts."),
      YAMLKey("energy", .number, "How strong, 0 to 1; 1 unless given."),
      YAMLKey(
        "material", .either([.text, .list(.number)]),
        "glass or stone, or its sharpness as two numbers: [rumble, crack]; glass unless given."),
    ])

  static let attitude = [
    YAMLKey("yaw", .number, "Turned to the right, in degrees."),
    YAMLKey("pitch", .number, "Turned up, in degrees."),
    YAMLKey("roll", .number, "Turned to the right ear, in degrees."),
  ]

  static let vector = YAMLType.list(.number)

  static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> YAMLType
  where Word.RawValue == String { .oneOf(Word.allCases.map(\.rawValue)) }

  // MARK: - Values

  static func space(_ value: YAMLValue) throws(YAMLFileError) -> SoundSpace {
    for name in ["scale", "reference", "maximum"] { try value.hold(name, to: 1e-9...1e9) }
    try value.hold("rolloff", to: 0...1_000)
    let model = value["distance"]?.text.flatMap(DistanceGain.Model.init) ?? .inverse
    let law = DistanceGain(
      model, reference: value["reference"]?.number ?? 1, maximum: value["maximum"]?.number ?? 100_000,
      rolloff: value["rolloff"]?.number ?? 1)
    if let maximum = value["maximum"], (maximum.number ?? 0) < law.reference {
      throw maximum.error("the maximum is not below the reference, which is \(law.reference) m")
    }
    return SoundSpace(
      scale: value["scale"]?.number ?? 1, distance: law,
      output: value["output"]?.text.flatMap(SoundOutput.init) ?? .speakers)
  }

  static func explosion(_ value: YAMLValue) throws(YAMLFileError) -> Explosion {
    try value.hold("energy", to: 0...1)
    return Explosion(
      at: try vector(value["position"]) ?? .zero, goesTo: try vector(value["goes-to"]),
      energy: value["energy"]?.number ?? 1, material: try value["material"].map(material) ?? .glass)
  }

  private static func material(_ value: YAMLValue) throws(YAMLFileError) -> Material {
    if value.isList {
      let numbers = value.list.compactMap(\.number)
      guard numbers.count == 2, numbers.allSatisfy((0...1).contains), numbers[0] <= numbers[1] else {
        throw value.error("a material is [rumble, crack], both 0 to 1, the first not above the second")
      }
      return Material("\(numbers[0]) to \(numbers[1])", numbers[0]...numbers[1])
    }
    guard let named = Material.named.first(where: { $0.name == value.text }) else {
      throw value.error("material is glass, stone, or two numbers: [rumble, crack]")
    }
    return named
  }

  static func vector(_ value: YAMLValue?) throws(YAMLFileError) -> Vector3? {
    guard let value else { return nil }
    let numbers = value.list.compactMap(\.number)
    guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= 1e9 }) else {
      throw value.error("a place is [x, y, z], each within a thousand million")
    }
    return Vector3(numbers[0], numbers[1], numbers[2])
  }

  static func rotation(_ value: YAMLValue) throws(YAMLFileError) -> Rotation {
    for name in ["yaw", "pitch", "roll"] { try value.hold(name, to: -36_000...36_000) }
    return Rotation(
      Attitude(
        yaw: value["yaw"]?.number ?? 0, pitch: value["pitch"]?.number ?? 0, roll: value["roll"]?.number ?? 0))
  }
}

extension YAMLValue {
  /// Checks that the number of `key`, if any, is in `range`.
  func hold(_ key: String, to range: ClosedRange<Double>) throws(YAMLFileError) {
    guard let value = self[key], let number = value.number, !range.contains(number) else { return }
    throw value.error("\(key) is \(SensesShapes.plain(range.lowerBound)) to \(SensesShapes.plain(range.upperBound))")
  }

  /// Checks that the whole number of `key`, if any, is in `range`.
  func hold(_ key: String, toWhole range: ClosedRange<Int64>) throws(YAMLFileError) {
    guard let value = self[key], let number = value.integer, !range.contains(number) else { return }
    throw value.error("\(key) is \(range.lowerBound) to \(range.upperBound)")
  }
}

extension SensesShapes {
  /// `0`, not `0.0`.
  fileprivate static func plain(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
