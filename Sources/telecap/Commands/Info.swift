import ArgumentParser
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapText
import TelecapWire

/// `telecap info`: what is in a recording, in numbers.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is in a recording: sessions, rates, gaps, what was lost and dropped.",
    usage: "telecap info [<options>] <input>",
    discussion: """
      Examples:
        telecap info session.telecap
        telecap info session.pcapng --format json

      Messages of a recording that was killed are derived first. While a recording
      goes on, only its packets are shown.
      """)

  @Argument(help: "A .telecap capture, a pcap or a pcapng file.")
  var input: String

  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortOptions

  func run() throws {
    var damage: Failure?
    let summary = try Summarizing.summary(of: input, ports: ports.ports, damage: &damage)
    var output = Output()
    switch format.format {
    case .text:
      for line in SummaryText(summary, style: Console.style(for: 1)).lines(of: input) { try output.line(line) }
    case .json:
      var json = JSONWriter()
      SummaryJSON.write(summary, to: &json)
      try output.take(&json)
    }
    try output.flush()
    if let damage { throw damage }
  }
}

/// A summary of any recording.
enum Summarizing {
  /// - Parameter damage: what broke a damaged file; what came before it is summed up.
  static func summary(of path: String, ports: Ports, damage: inout Failure?) throws -> CaptureSummary {
    if path != "-", try CaptureFile.isSQLite(path) {
      do {
        try Derivation.deriveIfNeeded(path)
      } catch StoreError.busy, StoreError.cannotCreate {
        Console.say("\(path): its packets only: it is being recorded, or may not be written")
      }
      return try Loaded.reader(path).summary()
    }
    return try TemporaryFile.with(suffix: ".telecap") { temporary in
      damage = try Importing.run(path, into: temporary, force: true, ports: ports).damage
      return try CaptureReader(path: temporary, Loaded.schema).summary()
    }
  }
}
