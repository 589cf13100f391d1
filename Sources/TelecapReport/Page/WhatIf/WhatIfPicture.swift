import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText

/// A run through a worse network as a page shows it.
public struct WhatIfPicture: Sendable {
  /// The part of the time that is drawn.
  public var grid: TimeGrid
  /// The streams of the receiver.
  public var tracks: [WhatIfTrack]
  /// What was judged and measured.
  public var report: ReplayReport
  /// The words of the command that does the same.
  public var command: [String]
  /// What a reader must know.
  public var notes: [String]

  /// A run whose streams are these.
  public init(
    _ grid: TimeGrid, _ tracks: [WhatIfTrack], _ report: ReplayReport, command: [String], notes: [String] = []
  ) {
    (self.grid, self.tracks, self.report, self.command, self.notes) = (grid, tracks, report, command, notes)
  }
}

/// A slider of the page: an impairment, by the name of its option.
struct Slider {
  let name: String
  let label: String
  let unit: String
  let most: Int
  let step: String
  let value: String
  /// What the option is given for a number.
  let form: @Sendable (String) -> String
}

/// What a run is asked to do, as forms and addresses say it.
public struct WhatIfRequest: Sendable {
  /// Whose packets are sent; nil for whoever sent first.
  public var role: String?
  /// The network's name; nil for none.
  public var network: String?
  /// The seed of all that is random.
  public var seed: UInt64
  /// What the options of impairments are given, by their names.
  public private(set) var options: [(name: String, value: String)] = []
  /// What the sliders stand at, by their names.
  let numbers: [String: Double]

  /// The names, greatest values and forms of the sliders.
  static let sliders: [(name: String, label: String, unit: String, most: Int, form: @Sendable (String) -> String)] = [
    ("loss", "Loss", "%", 100, { "\($0)%" }), ("delay", "Delay", "ms", 1_000, { "\($0)ms" }),
    ("jitter", "Jitter", "ms", 500, { "\($0)ms" }), ("reorder", "Reorder", "%", 100, { "\($0)%" }),
    ("duplicate", "Duplicate", "%", 100, { "\($0)%" }),
    ("stall", "Stall, every 5 s", "ms", 4_000, { "\($0)ms@5s" }), ("hostile", "Hostile values", "%", 100, { "\($0)%" }),
  ]

  /// What a query asks for; numbers that are none, or beyond the end of a slider, are 0 or its end.
  public init(_ query: [String: String]) {
    role = query["as"].flatMap { $0.isEmpty ? nil : $0 }
    network = query["network"].flatMap { $0.isEmpty ? nil : $0 }
    seed = query["seed"].flatMap { UInt64($0) } ?? 1
    var numbers: [String: Double] = [:]
    for slider in Self.sliders {
      guard let number = query[slider.name].flatMap(Double.init), number.isFinite, number > 0 else { continue }
      let held = min(number, Double(slider.most))
      numbers[slider.name] = held
      options.append((slider.name, slider.form(PlotCurve.short(held))))
    }
    self.numbers = numbers
  }
}
