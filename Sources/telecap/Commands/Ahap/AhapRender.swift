import ArgumentParser
import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapReport
import TelecapText

/// `telecap ahap render`: what a pattern feels like, as a picture or as numbers.
struct AhapRender: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw a pattern's intensity and sharpness in the terminal or as SVG, or write its samples as CSV.",
    discussion: """
      Examples:
        telecap ahap render explosion.ahap
        telecap ahap render explosion.ahap -o explosion.svg
        telecap ahap render explosion.ahap --csv --rate-hz 100
      """)

  @Argument(help: ArgumentHelp("An AHAP file.", valueName: "file"))
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write: x.svg is a picture, x.csv samples, else as printed.", valueName: "file"))
  var output = "-"

  @Flag(name: .long, help: "Samples as CSV: time_s, intensity, sharpness.")
  var csv = false

  @Option(name: .long, help: ArgumentHelp("Samples a second, with --csv.", valueName: "hz"))
  var rateHz = 1_000.0

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  func validate() throws {
    guard rateHz.isFinite, rateHz > 0, rateHz <= 48_000 else {
      throw ValidationError("--rate-hz is above 0 and at most 48000")
    }
  }

  func run() throws {
    let timeline = HapticTimeline(try AhapFile.playable(file))
    var out = try Output(path: output, force: force)
    if csv || output.hasSuffix(".csv") {
      try writeSamples(timeline, to: &out)
    } else if output.hasSuffix(".svg") {
      try out.write(Array(plot(timeline).svg.utf8))
    } else {
      for line in plot(timeline).blocks() { try out.line(line) }
    }
    try out.flush()
  }

  private func plot(_ timeline: HapticTimeline) -> HapticPlot {
    let count = 1_024
    var samples = [HapticSample](repeating: .silence, count: count)
    timeline.fill(&samples, rate: Double(count) / timeline.duration)
    return HapticPlot(
      title: AhapFile.name(file), duration: timeline.duration, intensity: samples.map(\.intensity),
      sharpness: samples.map(\.sharpness),
      taps: timeline.transients.map { ($0, timeline.sample(at: $0).intensity) })
  }

  private func writeSamples(_ timeline: HapticTimeline, to out: inout Output) throws {
    try out.line("time_s,intensity,sharpness")
    // In pieces: an hour at 48 kHz need not be held at once.
    let total = Int((timeline.duration * rateHz).rounded(.up)) + 1
    var buffer = [HapticSample](repeating: .silence, count: min(total, 8_192))
    for start in stride(from: 0, to: total, by: buffer.count) {
      if total - start < buffer.count { buffer.removeLast(buffer.count - (total - start)) }
      timeline.fill(&buffer, from: Double(start) / rateHz, rate: rateHz)
      for (index, sample) in buffer.enumerated() {
        try out.line(
          Numbers.fixed(Double(start + index) / rateHz, 6) + "," + Numbers.fixed(sample.intensity, 6) + ","
            + Numbers.fixed(sample.sharpness, 6))
      }
    }
  }
}
