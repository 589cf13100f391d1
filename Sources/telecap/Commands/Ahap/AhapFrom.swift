import ArgumentParser
import TelecapCapture
import TelecapFiles
import TelecapHapticTools
import TelecapHaptics
import TelecapReplay
import TelecapText

/// `telecap ahap from`: the haptics of a recorded phone, as a pattern.
struct AhapFrom: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "from",
    abstract: "Convert the HAPTIC messages of a recording to an AHAP file with the fewest curve points.",
    discussion: """
      Examples:
        telecap ahap from session.telecap -o felt.ahap
        telecap ahap from session.pcapng --tolerance 0.05 -o felt.ahap

      The pattern is one continuous event whose intensity follows a curve of
      straight lines. The curve has the fewest points that stay within the
      tolerance of every message. A curve of more than 16 points is split, and so
      is an event of more than 30 s.
      """)

  @Argument(
    help: ArgumentHelp(Help.recordingOrStandardInput, valueName: "capture"))
  var input: String

  @Option(name: .long, help: ArgumentHelp("The maximum difference from a message's intensity.", valueName: "0…1"))
  var tolerance = 0.02

  @Option(name: .long, help: ArgumentHelp("The sharpness of the pattern: HAPTIC messages have none.", valueName: "0…1"))
  var sharpness = 0.5

  @Option(name: .long, help: ArgumentHelp("Only messages that this SQL condition selects.", valueName: "sql"))
  var `where`: String?

  @OptionGroup var place: OutputOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    try Given.refuseSame([("the recording", input)], to: [("--output", place.output)])
    guard (0...1).contains(tolerance) else { throw ValidationError("--tolerance is 0 to 1") }
    guard (0...1).contains(sharpness) else { throw ValidationError("--sharpness is 0 to 1") }
  }

  func run() throws {
    let (samples, damage) = try HapticSamples.read(ports.recording(input, attributes), where: `where`)
    guard let fitted = HapticStream.fit(samples.samples, tolerance: tolerance, sharpness: sharpness) else {
      if let damage { throw damage }
      throw Failure(
        .data, "\(input): no HAPTIC message",
        advice: samples.notes.first ?? Advice.dissect(input))
    }
    try Output.write(fitted.pattern.text, to: place.output, force: place.force)
    for line in samples.summary(of: fitted, tolerance: tolerance) { Console.say(line) }
    if let damage { throw damage }
  }
}
