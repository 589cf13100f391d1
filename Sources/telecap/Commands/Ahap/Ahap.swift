import ArgumentParser
import TelecapHaptics

/// `telecap ahap`: Apple's haptic patterns.
struct Ahap: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check, draw, play and generate haptic patterns (Apple's AHAP files), or convert a recording to one.",
    discussion: """
      Examples:
        telecap ahap make explosion -o explosion.ahap
        telecap ahap lint explosion.ahap
        telecap ahap render explosion.ahap
        telecap ahap play explosion.ahap --to simulate:phone --loss 10%
        telecap ahap from session.telecap -o felt.ahap --tolerance 0.02
      """,
    subcommands: [AhapLint.self, AhapRender.self, AhapPlay.self, AhapFrom.self, AhapMake.self])
}
