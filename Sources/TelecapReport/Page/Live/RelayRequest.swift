import TelecapImpairment
import TelecapText

/// The network that a page asks a relay to play: a named one as it is; or what its sliders say, in place of what they can say, while
/// what else was asked for stays.
public struct RelayRequest: Sendable {
  /// The direction that it impairs.
  public enum Way: String, Sendable, CaseIterable {
    case both, up, down
  }

  /// Which way.
  public let way: Way
  /// The requested impairments.
  public let impairments: Impairments

  /// The request of a form.
  ///
  /// - Parameters:
  ///   - former: the former request.
  ///   - networks: those that can be named.
  /// - Throws: `RelayRequestProblem` where a name is none of the form's or of the networks', or a number is beyond its slider.
  public init(
    _ form: [String: String], after former: Impairments, networks: [NamedNetwork] = []
  ) throws(RelayRequestProblem) {
    let names = NetworkSlider.all(for: former).map(\.name) + ["way", "network"]
    if let stranger = form.keys.sorted().first(where: { !names.contains($0) }) {
      throw RelayRequestProblem("there is no \"\(stranger)\" to change; there are \(names.joined(separator: ", "))")
    }
    guard let way = Way(rawValue: form["way"] ?? Way.both.rawValue) else {
      throw RelayRequestProblem("way is \(Way.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.way = way
    if let name = form["network"] {
      impairments = try .named(name, among: networks)
    } else {
      impairments = try .slid(form, after: former)
    }
  }

  /// Where a slider stands for what is asked for; 0 where it cannot say that.
  static func position(of slider: NetworkSlider, in impairments: Impairments) -> Double {
    guard let text = slider.option?.text(impairments) else { return 0 }
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits) else { return 0 }
    for factor in [1, 1_000] {
      let value = number * Double(factor)
      // A second is a thousand milliseconds, whichever of them the canonical form names.
      let unit = factor == 1 ? text.dropFirst(digits.count) : "m" + text.dropFirst(digits.count)
      if value <= Double(slider.most), slider.form(PlotCurve.short(value)) == PlotCurve.short(value) + unit {
        return value
      }
    }
    return 0
  }
}

/// A network that can be asked for by its name.
public struct NamedNetwork: Sendable {
  /// The name.
  public let name: String
  /// Its impairments.
  public let impairments: Impairments

  /// The network of this name.
  public init(name: String, _ impairments: Impairments) { (self.name, self.impairments) = (name, impairments) }
}

extension Impairments {
  /// The impairments of the network of this name; none for the empty name.
  fileprivate static func named(_ name: String, among networks: [NamedNetwork]) throws(RelayRequestProblem) -> Self {
    if name.isEmpty { return .none }
    guard let network = networks.first(where: { $0.name == name }) else {
      throw RelayRequestProblem(
        "there is no network \"\(name)\"; there are \(networks.map(\.name).joined(separator: ", "))")
    }
    return network.impairments
  }

  /// The values of sliders replace their options; a slider that was not moved leaves its option unchanged.
  fileprivate static func slid(
    _ form: [String: String], after former: Impairments
  ) throws(RelayRequestProblem) -> Self {
    let sliders = NetworkSlider.all(for: former)
    do {
      var impairments = Impairments.none
      for option in former.asked.flatMap({ type(of: $0).options })
      where !sliders.contains(where: { $0.name == option.name }) {
        guard let text = option.text(former) else { continue }
        try impairments.set(option, to: option.isFlag ? "" : text)
      }
      for slider in sliders {
        guard let text = form[slider.name] else { continue }
        guard let number = Double(text), (0...Double(slider.most)).contains(number) else {
          throw RelayRequestProblem("\(slider.name) is \"\(text)\"; it is 0 to \(slider.most) \(slider.unit)")
        }
        guard let option = slider.option else { continue }
        if number == RelayRequest.position(of: slider, in: former) {
          if let text = option.text(former) { try impairments.set(option, to: text) }
        } else if number > 0 {
          try impairments.set(option, to: slider.form(PlotCurve.short(number)))
        }
      }
      return impairments
    } catch let error as ImpairmentSyntaxError {
      throw RelayRequestProblem("\(error)")
    } catch let error as RelayRequestProblem {
      throw error
    } catch {
      throw RelayRequestProblem("\(error)")
    }
  }
}

/// Why a network cannot be what a page asks for.
public struct RelayRequestProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem.
  public let description: String

  init(_ description: String) { self.description = description }
}
