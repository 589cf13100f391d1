import ArgumentParser
import TelecapFiles
import TelecapHaptics
import TelecapModels

/// `telecap ahap make`: writes a built-in pattern.
struct AhapMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Write a built-in pattern as an AHAP file: one of HapticManager's, or an explosion.",
    discussion: """
      Examples:
        telecap ahap make explosion -o explosion.ahap
        telecap ahap make multi --frequency 1.5 --amplitude 0.8
        telecap ahap make gradual --intensity 0.9
        telecap ahap make explosion --distance 2m --material glass

      normal is a light tap. multi is a buzz (frequency up to 2) or a tap. gradual
      swells and fades over two seconds. heavy starts strong and weakens. explosion
      is a crack with a rumble that fades.
      """)

  @Argument(help: "normal, multi, gradual, heavy or explosion.")
  var name: AHAP.Name

  @Option(name: .long, help: ArgumentHelp("For multi: a buzz up to 2, a tap above (default: 1).", valueName: "n"))
  var frequency: Double?

  @Option(name: .long, help: ArgumentHelp("For multi: the intensity (default: 1).", valueName: "0…1"))
  var amplitude: Double?

  @Option(name: .long, help: ArgumentHelp("For gradual: the intensity in the middle (default: 0.6).", valueName: "0…1"))
  var intensity: Double?

  @Option(
    name: .long,
    help: ArgumentHelp("For explosion: its distance; less than 1m feels as 1m (default: 1m).", valueName: "length"),
    transform: Parsers.metres)
  var distance: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "For explosion: glass, stone, or the sharpness of rumble and crack: 0.2,0.7.", valueName: "name"),
    transform: Parsers.material)
  var material: Material?

  @OptionGroup var place: OutputOptions

  func validate() throws {
    try Given.refuse(
      ("frequency amplitude", name != .multi, "requires multi"), ("intensity", name != .gradual, "requires gradual"),
      ("distance material", name != .explosion, "requires explosion"))
    if let frequency, !(frequency.isFinite && frequency >= 0) { throw ValidationError("--frequency is 0 or more") }
    for value in [amplitude, intensity] {
      if let value, !(0...1).contains(value) { throw ValidationError("\(value) is not in 0…1") }
    }
  }

  func run() throws {
    let feel =
      distance == nil && material == nil ? nil : ExplosionFeel(of: material ?? .glass, metres: distance ?? 1)
    let pattern = AHAP(name, frequency: frequency ?? 1, amplitude: amplitude ?? 1, intensity: intensity, feel: feel)
    try Output.write(pattern.text, to: place.output, force: place.force)
  }
}

extension AHAP.Name: ExpressibleByArgument {}
