import ArgumentParser
import TelecapHapticTools
import TelecapHaptics
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapText

/// `telecap sync`: the time differences between seeing, hearing and feeling an event.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulate how far apart display, audio and haptics start, at once and planned ahead.",
    discussion: """
      Examples:
        telecap sync
        telecap sync --delta 35ms --audio 60ms --audio-jitter 5ms
        telecap sync --refresh 120 --haptic-drift 200 --set-every 600s

      An event should be seen, heard and felt at the same time. Started at once, each
      output adds its own latency. Planned ahead by --delta, each output is armed for
      the same time, earlier by the latency that the system reports. Each trial draws
      other clock phases and other true latencies.

      Exit status 1 if, planned ahead, the outputs of a trial are more than 3 frames
      of 60 Hz (50 ms) apart.
      """)

  @Option(
    name: .long, help: ArgumentHelp("How far ahead the event is planned. (default: 50ms)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var delta: Interval = .milliseconds(50)

  @Option(name: .long, help: ArgumentHelp("The refresh rate of the screen: 60, 120.", valueName: "hz"))
  var refresh = 60

  @Option(
    name: .long, help: ArgumentHelp("The audio latency that the system reports. (default: 30ms)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var audio: Interval = .milliseconds(30)

  @Option(
    name: .long,
    help: ArgumentHelp("The maximum error of the audio latency, either way. (default: 10ms)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var audioJitter: Interval = .milliseconds(10)

  @Option(name: .long, help: ArgumentHelp("Frames in an audio buffer, at 48 kHz.", valueName: "count"))
  var buffer = 512

  @Option(
    name: .long, help: ArgumentHelp("The haptic latency that the system reports. (default: 10ms)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var haptic: Interval = .milliseconds(10)

  @Option(
    name: .long,
    help: ArgumentHelp("The maximum error of that latency, either way. (default: 5ms)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var hapticJitter: Interval = .milliseconds(5)

  @Option(
    name: .long, help: ArgumentHelp("The drift of the audio clock against the host's clock, in ppm.", valueName: "ppm"))
  var audioDrift = 0

  @Option(
    name: .long, help: ArgumentHelp("The drift of the haptic clock against the host's clock, in ppm.", valueName: "ppm")
  )
  var hapticDrift = 0

  @Option(
    name: .long,
    help: ArgumentHelp("The maximum time since the clocks were set; drift adds up. (default: 0s)", valueName: "time"),
    transform: Parsers.interval(upTo: SyncDevice.longestSetting))
  var setEvery: Interval = .milliseconds(0)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The time from the decision until all three outputs are armed. (default: 0s)", valueName: "time"),
    transform: Parsers.interval(upTo: OutputClock.longest))
  var arming: Interval = .milliseconds(0)

  @Option(name: .long, help: ArgumentHelp("The number of trials.", valueName: "count"))
  var trials = 10_000

  @Option(name: .long, help: ArgumentHelp("The seed of the trials; the same seed repeats them.", valueName: "n"))
  var seed: UInt64 = 1

  @OptionGroup var format: StyledFormatOption

  func validate() throws {
    let (trialsMost, refreshMost) = (SyncStudy.possibleTrials.upperBound, OutputClock.possibleRefreshes.upperBound)
    if !SyncStudy.possibleTrials.contains(trials) { throw ValidationError("--trials is 1 to \(trialsMost)") }
    if !OutputClock.possibleRefreshes.contains(Int64(refresh)) {
      throw ValidationError("--refresh is 1 to \(refreshMost)")
    }
    if !(0...1_000_000).contains(buffer) { throw ValidationError("--buffer is 0 to 1000000") }
    for (name, drift) in [("audio-drift", audioDrift), ("haptic-drift", hapticDrift)]
    where drift.magnitude > OutputClock.largestDrift.magnitude {
      throw ValidationError("--\(name) is -\(OutputClock.largestDrift) to \(OutputClock.largestDrift) ppm")
    }
    try Given.refuse(
      ("audio-drift haptic-drift", setEvery.nanoseconds == 0, "requires --set-every: drift adds up between settings"),
      ("set-every", audioDrift == 0 && hapticDrift == 0, "requires --audio-drift or --haptic-drift"))
  }

  func run() throws {
    let device = SyncDevice(
      display: .display(hertz: Int64(refresh)),
      audio: .audio(
        frames: Int64(buffer), latency: audio.nanoseconds, jitter: audioJitter.nanoseconds,
        driftPPM: Int64(audioDrift)),
      haptic: .haptic(
        latency: haptic.nanoseconds, jitter: hapticJitter.nanoseconds, driftPPM: Int64(hapticDrift)),
      arming: arming.nanoseconds, setEvery: setEvery.nanoseconds)
    let report = SyncReport(SyncStudy(device, trials: trials, seed: seed), delta: delta.nanoseconds)
    let words =
      "display \(refresh) Hz, audio \(audio) ± \(audioJitter), haptic \(haptic) ± \(hapticJitter); "
      + "\(Numbers.grouped(trials)) trials, seed \(seed)"
    try format.format.print(report.text(of: words, style: format.style(for: 1))) { report.write(to: &$0) }
    if !report.holds { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
