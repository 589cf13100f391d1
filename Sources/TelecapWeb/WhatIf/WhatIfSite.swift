import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTransport
import TelecapWire

/// A recording that is sent again through worse networks, to our models, as often as somebody moves a slider.
final class WhatIfSite: Sendable {
  private let recording: Recording
  /// What the recording is called on a command line.
  private let path: String
  private let suites: Suites
  /// For each role the recording as it was surveyed for it.
  private let surveyed = Locked<[String: ReplayRun]>([:])
  private let networks = NetworkLibrary()

  /// So much of a recording is sent: a longer one would not be drawn at once.
  static let longest: Nanoseconds = 1_200_000_000_000

  init(_ recording: Recording, path: String, _ suites: Suites) {
    (self.recording, self.path, self.suites) = (recording, path, suites)
  }

  /// What it came to, and all of the time.
  func picture(_ query: [String: String]) throws -> (WhatIfPicture, WhatIfRequest, whole: TimeGrid) {
    let request = WhatIfRequest(query)
    let run = try run(as: request.role)
    let again = try run.again(
      PlanHeader(seed: request.seed, capture: run.survey.digest.description, impairments: try impairments(request)))
    let whole = TimeGrid(start: .zero, length: max(1_000_000, run.survey.length), columns: TimelineReading.drawn)
    var collector = WhatIfCollector(again.streams, CaptureSite.part(of: whole, query))
    let (report, _) = try withoutActuallyEscaping({ collector.read($0, $1, at: $2) }) {
      try again.againstModel(telling: $0)
    }
    collector.finish(at: whole.end)
    let isCut = run.survey.length > WhatIfSite.longest / 100 * 99
    let notes = isCut ? ["Only the first 20 minutes of the recording are sent."] : []
    let picture = WhatIfPicture(
      collector.grid, collector.tracks, report, command: command(request, report), notes: notes)
    return (picture, request, whole)
  }

  /// The names of the networks there are.
  var networkNames: [String] { networks.names }

  /// Whose packets can be sent: the sides of the protocols that the recording was looked through for.
  var roles: [String] {
    Role.all(of: recording.protocols).filter { suites.including($0.owner).model(of: Part($0.receiver)) != nil }
      .map(\.name)
  }

  /// The recording as it was surveyed, once for each role.
  private func run(as role: String?) throws -> ReplayRun {
    let key = role ?? ""
    if let run = surveyed.with({ $0[key] }) { return run }
    let source = try ReplaySource(recording, as: role, window: CaptureWindow(until: WhatIfSite.longest))
    let run = try ReplayRun(of: source, suites: suites) { survey in
      PlanHeader(seed: 1, capture: survey.digest.description)
    }
    surveyed.with { $0[key] = run }
    return run
  }

  private func impairments(_ request: WhatIfRequest) throws -> Impairments {
    var impairments =
      try request.network.map { name in
        // A name of the list, and no path: what a browser asks for opens no other file.
        guard networks.names.contains(name) else { throw NetworkProblem(name: name, names: networks.names) }
        return try networks.read(name).impairments
      } ?? .none
    for (name, value) in request.options {
      guard let option = ImpairmentList.all.options.first(where: { $0.name == name }) else { continue }
      try impairments.set(option, to: value)
    }
    return impairments
  }

  private func command(_ request: WhatIfRequest, _ report: ReplayReport) -> [String] {
    ["telecap", "replay", path, "--as", report.role.name]
      + (request.network.map { ["--network", $0] } ?? [])
      + request.options.flatMap { ["--\($0.name)", $0.value] }
      + ["--seed", "\(request.seed)", "--to", "simulate:\(report.role.receiver.name)"]
  }
}
