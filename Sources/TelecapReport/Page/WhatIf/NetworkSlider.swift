import TelecapImpairment
import TelecapText

/// A slider of a page: an impairment, by the name of its option.
struct NetworkSlider {
  let name: String
  let label: String
  let unit: String
  let most: Int
  /// The text after the number in the value of the option: `%`, `ms@5s`.
  let suffix: String

  /// The value of the option for a number.
  func form(_ number: String) -> String { number + suffix }

  /// The option of the impairment.
  var option: ImpairmentOption? { ImpairmentList.all.options.first { $0.name == name } }

  /// The sliders in the order of the page. A network's own period of stalls is kept: of 2 s every 20 s only the 2 s move.
  ///
  /// - Parameter impairments: those of the network; nil without one.
  static func all(for impairments: Impairments?) -> [NetworkSlider] {
    let period = impairments.flatMap(period) ?? "5s"
    return [
      NetworkSlider(name: "loss", label: "Loss", unit: "%", most: 100, suffix: "%"),
      NetworkSlider(name: "delay", label: "Delay", unit: "ms", most: 1_000, suffix: "ms"),
      NetworkSlider(name: "jitter", label: "Jitter", unit: "ms", most: 500, suffix: "ms"),
      NetworkSlider(name: "reorder", label: "Reorder", unit: "%", most: 100, suffix: "%"),
      NetworkSlider(name: "duplicate", label: "Duplicate", unit: "%", most: 100, suffix: "%"),
      NetworkSlider(
        name: "stall", label: "Stall, every \(spaced(period))", unit: "ms", most: 4_000, suffix: "ms@\(period)"),
      NetworkSlider(name: "hostile", label: "Hostile values", unit: "%", most: 100, suffix: "%"),
    ]
  }

  /// `20s` of `--stall 2s@20s`; nil without a stall.
  private static func period(of impairments: Impairments) -> String? {
    let option = ImpairmentList.all.options.first { $0.name == "stall" }
    return option?.text(impairments)?.split(separator: "@").dropFirst().first.map(String.init)
  }

  /// `20 s` for `20s`.
  private static func spaced(_ time: String) -> String {
    let digits = time.prefix { $0.isNumber || $0 == "." }
    return "\(digits) \(time.dropFirst(digits.count))"
  }
}

/// A slider at its value, for a template.
struct PlacedSlider {
  let name: String
  let label: String
  let unit: String
  let most: Int
  let step: String
  let value: String

  /// A slider at a number of its unit.
  init(_ slider: NetworkSlider, at number: Double, step: String) {
    (name, label, unit, most) = (slider.name, slider.label, slider.unit, slider.most)
    (self.step, value) = (step, PlotCurve.short(number))
  }
}
