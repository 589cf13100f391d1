import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText

/// A run through a worse network as a page shows it.
public struct WhatIfPicture: Sendable {
  /// The effects of the network, in the drawn part of the time.
  public var run: NetworkRun
  /// The verdicts and measures.
  public var report: ReplayReport
  /// The request.
  public var request: WhatIfRequest
  /// The words of the command that does the same.
  public var command: [String]
  /// Notes for the reader.
  public var notes: [String]

  /// A run that came to this.
  public init(
    _ run: NetworkRun, _ report: ReplayReport, of request: WhatIfRequest, command: [String], notes: [String] = []
  ) {
    (self.run, self.report, self.request) = (run, report, request)
    (self.command, self.notes) = (command, notes)
  }
}

/// The request for a run, as forms and addresses have it.
public struct WhatIfRequest: Sendable {
  /// The side whose packets are sent; nil for the first sender.
  public var role: String?
  /// The network's name; nil for none.
  public var network: String?
  /// The seed of all that is random.
  public var seed: UInt64
  /// The values of the options of impairments, by their names, of moved sliders.
  public private(set) var options: [(name: String, value: String)] = []
  /// The values of the sliders, by their names: moved ones, or those of the network profile.
  let numbers: [String: Double]

  /// The sliders for its network.
  let sliders: [NetworkSlider]

  /// The request of a query; invalid numbers are 0, and numbers beyond the end of a slider are its end. A slider that is where the
  /// network's own number is (that of the network `of`, which was shown when somebody looked) was not moved: the network rules.
  ///
  /// - Parameter impairments: those of a network profile; nil without one of this name.
  public init(_ query: [String: String], _ impairments: (String) -> Impairments? = { _ in nil }) {
    role = query["as"].flatMap { $0.isEmpty ? nil : $0 }
    network = query["network"].flatMap { $0.isEmpty ? nil : $0 }
    seed = query["seed"].flatMap { UInt64($0) } ?? 1
    let shown = query["of"].flatMap(impairments).map(Self.numbers) ?? [:]
    let own = network.flatMap(impairments)
    var numbers = own.map(Self.numbers) ?? [:]
    sliders = NetworkSlider.all(for: own)
    for slider in sliders {
      guard let number = query[slider.name].flatMap(Double.init), number.isFinite else { continue }
      // A number too small for four decimals is none that an option takes.
      let held = number < 1e-4 ? 0 : min(number, Double(slider.most))
      // The page shows and sends it with few digits.
      if PlotCurve.short(held) == PlotCurve.short(shown[slider.name] ?? 0) { continue }
      numbers[slider.name] = held
      options.append((slider.name, slider.form(PlotCurve.short(held))))
    }
    self.numbers = numbers
  }

  /// The values of sliders for a network: only the impairments that have sliders.
  private static func numbers(of impairments: Impairments) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for slider in NetworkSlider.all(for: impairments) {
      guard let text = slider.option?.text(impairments), let number = number(in: text, slider.unit, slider.form(""))
      else {
        continue
      }
      numbers[slider.name] = min(number, Double(slider.most))
    }
    return numbers
  }

  /// The number in `0.5%`, `5%,3`, `22.5ms` or `2s@5s`; nil where it is in another form than the slider's.
  private static func number(in text: String, _ unit: String, _ form: String) -> Double? {
    let (size, rest) = text.split(separator: "@", maxSplits: 1).map(String.init).halved
    let wanted = form.split(separator: "@", maxSplits: 1).map(String.init).halved.rest
    guard rest == wanted else { return nil }
    let first = size.split(separator: ",").first.map(String.init) ?? ""
    let scales = unit == "%" ? [("%", 1.0)] : [("ms", 1), ("us", 1e-3), ("µs", 1e-3), ("ns", 1e-6), ("s", 1e3)]
    for (suffix, scale) in scales where first.hasSuffix(suffix) {
      return Double(first.dropLast(suffix.count)).flatMap { $0.isFinite && $0 >= 0 ? $0 * scale : nil }
    }
    return nil
  }
}

extension [String] {
  /// The first, and the second where there is one.
  fileprivate var halved: (first: String, rest: String) { (first ?? "", count > 1 ? self[1] : "") }
}
