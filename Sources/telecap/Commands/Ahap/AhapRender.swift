import ArgumentParser
import TelecapFiles
import TelecapHapticTools
import TelecapHaptics
import TelecapReplay
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

      The output's extension chooses the format: .svg is a picture, .csv is samples;
      any other is the drawing of the terminal.
      """)

  @Argument(help: ArgumentHelp("An AHAP file.", valueName: "file"))
  var file: String

  @Flag(name: .long, help: "Write samples as CSV: time_s, intensity, sharpness.")
  var csv = false

  @Option(name: .long, help: ArgumentHelp("With --csv: samples per second.", valueName: "hz"))
  var rateHz = 1_000.0

  @OptionGroup var place: OutputOptions

  func validate() throws {
    guard rateHz.isFinite, rateHz > 0, rateHz <= 48_000 else {
      throw ValidationError("--rate-hz is above 0 and at most 48000")
    }
    try Given.refuse(
      ("csv", isPicture, "requires standard output or a name that ends in .csv: \(place.output) is a picture"),
      ("rate-hz", !isSamples, "requires --csv"))
    try Given.refuseSame([("the pattern", file)], to: [("--output", place.output)])
  }

  private var isPicture: Bool { place.output.hasEnding(".svg") }
  private var isSamples: Bool { csv || place.output.hasEnding(".csv") }

  func run() throws {
    let timeline = HapticTimeline(try PatternFile.playable(file))
    let plot = HapticPlot(file.split(separator: "/").last.map(String.init) ?? file, of: timeline)
    var out = try Output(path: place.output, force: place.force)
    if isSamples {
      try HapticCSV.lines(of: timeline, rate: rateHz) { try out.line($0) }
    } else if isPicture {
      try out.write(Array(plot.svg.utf8))
    } else {
      for line in plot.blocks() { try out.line(line) }
    }
    try out.finish()
  }
}
