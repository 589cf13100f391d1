import ArgumentParser
import TelecapCapture
import TelecapImpairment
import TelecapRecording
import TelecapReplay

/// The recording to replay, and its timing: the same options for `plan` and `replay`.
struct SourceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(Help.recording, valueName: "capture"), completion: .recordings)
  var input: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The side whose packets are sent: phone, host, mouse, or NAME-client and NAME-host of a protocol file (default: the"
        + " first client that sent packets, else the first host that did).", valueName: "role"), completion: .roles
  )
  var role: String?

  @Option(name: .long, help: "The speed: 2x, 0.5x, or max for as fast as possible.", transform: Parsers.speed)
  var speed: Speed?

  @Option(
    name: .long, help: ArgumentHelp("Shorten longer pauses of the recording to this time: 2s.", valueName: "time"),
    transform: Parsers.interval)
  var maxGap: Interval?

  func validate() throws {
    try Given.refuse(("max-gap", speed == .max, "cannot be combined with --speed max, where everything is due at once"))
  }

  /// The source that these options describe.
  func source(_ range: RangeOptions, _ ports: PortOptions, _ attributes: AttributeOptions) throws -> ReplaySource {
    try ReplaySource(ports.recording(input, attributes), as: role, window: range.window)
  }

  /// The mapping from recorded time to run time.
  var timeline: Timeline { Timeline(speed: speed ?? .recorded, maxGap: maxGap) }
}
