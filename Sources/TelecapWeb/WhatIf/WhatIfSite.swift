import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWire

/// A recording that is replayed through other networks to our models, at each move of a slider.
final class WhatIfSite: Sendable {
  private let recording: Recording
  /// The recording on a command line.
  private let path: String
  /// The options with which a command reads it in the same way.
  private let options: [String]
  private let suites: Suites
  /// The scanned recording for each role.
  private let surveyed = Locked<[String: Surveyed]>([:])
  /// Reads a network profile by its name.
  private let network: @Sendable (String) throws -> Impairments

  /// A scanned recording that is replayed again and again.
  private struct Surveyed {
    let run: ReplayRun
    /// The end of the replayed part since its first packet; nil for the whole recording.
    let end: Nanoseconds?
  }

  /// The maximum duration and number of messages that are replayed: more could not be drawn while a slider moves.
  private let longest: Nanoseconds
  private let most: Int

  init(
    _ recording: Recording, path: String, _ suites: Suites, options: [String] = [],
    longest: Nanoseconds = 1_200_000_000_000, most: Int = 80_000,
    network: @escaping @Sendable (String) throws -> Impairments = { try NetworkLibrary().read($0).impairments }
  ) {
    (self.recording, self.path, self.suites, self.options) = (recording, path, suites, options)
    (self.longest, self.most, self.network) = (longest, most, network)
  }

  /// The result of the replay, and the whole time.
  func picture(_ query: [String: String]) throws -> (WhatIfPicture, WhatIfRequest, whole: TimeGrid) {
    let named = networks(in: query)
    let request = WhatIfRequest(query) { try? named[$0]?.get() }
    let surveyed = try surveyed(as: request.role)
    let run = surveyed.run
    let network = try request.network.map { name in
      guard let network = named[name] else { throw NetworkProblem(name: name, names: networkNames) }
      return try network.get()
    }
    let impairments = try impairments(request, over: network ?? .none)
    let again = try run.again(
      PlanHeader(seed: request.seed, capture: run.survey.digest.description, impairments: impairments))
    let whole = TimeGrid(start: .zero, length: max(1_000_000, run.survey.length), columns: TimelineReading.drawn)
    let (drawn, report) = try again.drawn(CaptureSite.part(of: whole, query), until: whole.end)
    let notes = surveyed.end.map { end in
      "Only the first \(Numbers.fixed(Double(end) / 1e9, 3)) s of the recording are sent, which hold "
        + "\(Numbers.counted(run.survey.units, "message")): more could not be drawn in the time of a moved slider."
    }
    let picture = WhatIfPicture(
      drawn, report, of: request, command: command(request, report, until: surveyed.end),
      notes: [notes, words(of: network, named: request.network)].compactMap(\.self))
    return (picture, request, whole)
  }

  /// The network profiles in a query, by name. Each file is read once, because a moving slider sends many requests.
  private func networks(in query: [String: String]) -> [String: Result<Impairments, any Error>] {
    // Only names of the list and no paths, so that a browser cannot open other files.
    let names = Set([query["network"], query["of"]].compactMap(\.self)).intersection(networkNames)
    return Dictionary(uniqueKeysWithValues: names.map { name in (name, Result { try network(name) }) })
  }

  /// The impairments of a network profile in addition to the sliders; nil without a profile.
  private func words(of network: Impairments?, named name: String?) -> String? {
    guard let network, let name else { return nil }
    let words = network.asked.isEmpty ? "nothing" : "\(network)"
    return
      "The network \(name) has: \(words). The sliders show what they can of it; one that is moved rules in its place."
  }

  /// The names of all network profiles.
  var networkNames: [String] { NetworkLibrary().names }

  /// The roles that can be replayed: the sides of the recording's protocols.
  var roles: [String] {
    Role.all(of: recording.protocols).filter { suites.including($0.owner).model(of: Part($0.receiver)) != nil }
      .map(\.name)
  }

  /// The scanned recording, cached for each role.
  private func surveyed(as role: String?) throws -> Surveyed {
    let key = role ?? ""
    if let known = surveyed.with({ $0[key] }) { return known }
    let whole = try ReplaySource(recording, as: role)
    let end = try whole.part(holding: most, noLongerThan: longest)
    let from = recording.window?.from ?? 0
    let source =
      try end.map { try ReplaySource(recording, as: role, window: CaptureWindow(from: from, until: $0)) } ?? whole
    let run = try ReplayRun(of: source, suites: suites) { survey in
      PlanHeader(seed: 1, capture: survey.digest.description)
    }
    let surveyed = Surveyed(run: run, end: end)
    self.surveyed.with { $0[key] = surveyed }
    return surveyed
  }

  private func impairments(_ request: WhatIfRequest, over network: Impairments) throws -> Impairments {
    var impairments = network
    for (name, value) in request.options {
      guard let option = ImpairmentList.all.options.first(where: { $0.name == name }) else { continue }
      try impairments.set(option, to: value)
    }
    return impairments
  }

  /// The options of the time window: that of the recording, which ends earlier if only a part is replayed.
  private func bounds(until end: Nanoseconds?) -> [String] {
    let window = recording.window ?? CaptureWindow()
    let until =
      end.map { "\($0 / 1_000_000)ms" } ?? (window.until == .max ? nil : "\(Interval(nanoseconds: window.until))")
    return (window.from == 0 ? [] : ["--from", "\(Interval(nanoseconds: window.from))"])
      + (until.map { ["--until", $0] } ?? [])
  }

  private func command(_ request: WhatIfRequest, _ report: ReplayReport, until end: Nanoseconds?) -> [String] {
    ["telecap", "replay", path] + options + ["--role", report.role.name]
      + bounds(until: end)
      + (request.network.map { ["--network", $0] } ?? [])
      + request.options.flatMap { ["--\($0.name)", $0.value] }
      + ["--seed", "\(request.seed)", "--to", "simulate:\(report.role.receiver.name)"]
  }
}
