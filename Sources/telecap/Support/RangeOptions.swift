import ArgumentParser
import TelecapImpairment
import TelecapRecording

/// `--from` and `--until`: the part of a recording that a command reads or shows.
struct RangeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Start at this time after the capture's first packet: 12.5 (s) or 500ms.", valueName: "time"),
    transform: Parsers.moment)
  var from: Interval?

  @Option(
    name: .long, help: ArgumentHelp("Stop at this time after the capture's first packet.", valueName: "time"),
    transform: Parsers.moment)
  var until: Interval?

  func validate() throws {
    if let from, let until, from >= until { throw ValidationError("--from \(from) is not before --until \(until)") }
  }

  /// The time window; nil without these options.
  var window: CaptureWindow? {
    if from == nil, until == nil { return nil }
    return CaptureWindow(from: from?.nanoseconds ?? 0, until: until?.nanoseconds ?? .max)
  }
}
