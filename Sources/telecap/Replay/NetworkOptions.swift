import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapReplay

/// The impairments of a network for messages: all of telecap's.
typealias NetworkOptions = ImpairedNetworkOptions<MessageTraffic>
/// The impairments of a network for samples, which have no fields of messages.
typealias SampleNetworkOptions = ImpairedNetworkOptions<SampleTraffic>

/// The kind of traffic to which the options of a network apply.
protocol ImpairedTraffic {
  /// The impairments that it can have, in the order of help.
  static var impairments: [any Impairment.Type] { get }
}

/// Messages of protocols.
enum MessageTraffic: ImpairedTraffic {
  static let impairments = ImpairmentList.all.types
}

/// Samples of a trace.
enum SampleTraffic: ImpairedTraffic {
  static let impairments = ImpairmentList.all.types.filter { !$0.changesFields }
}

/// The impairments of a network: a network profile, options generated from the list of impairments, or both, and the
/// seed.
///
/// ArgumentParser finds options in the mirror of an instance and decodes them by name. Here the mirror has one for each
/// option of the list, and `init(from:)` reads them. They are not an option group of their own: debug builds of
/// ArgumentParser check each group four times for each enclosing group, so one more level makes parsing five times as
/// slow.
struct ImpairedNetworkOptions<Traffic: ImpairedTraffic>: ParsableArguments, CustomReflectable {
  /// The names of all options, separated by spaces.
  static var names: String { (["network"] + options.map(\.name)).joined(separator: " ") }

  /// The names of the options that have no effect on streams.
  static var namesOfDatagrams: String {
    Traffic.impairments.filter { !$0.strikesStreams }.flatMap { $0.options.map(\.name) }.joined(separator: " ")
  }

  private static var options: [ImpairmentOption] { Traffic.impairments.flatMap { $0.options } }

  /// The name of a network profile in Scenarios/networks, or the path of its file.
  private(set) var network: String?

  /// The given seed.
  private(set) var seed: UInt64?

  /// The given options of impairments, each with its values.
  private var given: [(option: ImpairmentOption, values: [String])] = []

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    network = try container.decode(Option<String?>.self, forKey: OptionKey(stringValue: "network")).wrappedValue
    seed = try container.decode(Option<UInt64?>.self, forKey: OptionKey(stringValue: "seed")).wrappedValue
    for option in Self.options {
      let key = OptionKey(stringValue: option.name)
      if option.isFlag {
        guard try container.decode(Flag<Bool>.self, forKey: key).wrappedValue else { continue }
        given.append((option, [""]))
      } else {
        let texts =
          option.repeats
          ? try container.decode(Option<[String]>.self, forKey: key).wrappedValue
          : try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? []
        if !texts.isEmpty { given.append((option, texts)) }
      }
    }
  }

  /// The impairments of the network profile, each replaced by the explicit option if there is one.
  var impairments: Impairments {
    get throws {
      var impairments = try network.map { try NetworkLibrary().read($0).impairments } ?? .none
      for (option, values) in given { for value in values { try impairments.set(option, to: value) } }
      return impairments
    }
  }

  /// Whether neither a network profile nor an impairment was given.
  var isUnimpaired: Bool { network == nil && given.isEmpty }

  /// The given seed, or a random one.
  func chosenSeed() -> UInt64 { seed ?? UInt64.random(in: 1...999_999_999) }

  func validate() throws {
    // Each value was parsed on its own; check them together here, such as a field too many.
    var none = Impairments.none
    for (option, values) in given {
      let text = values.joined(separator: ",")
      do { try none.set(option, to: text) } catch { throw ValidationError("--\(option.name): \(error)") }
    }
    for type in Traffic.impairments {
      let options = Set(given.map(\.option.name)).intersection(type.options.map(\.name))
      if let conflict = type.conflict(among: options) { throw ValidationError(conflict) }
    }
  }

  var customMirror: Mirror {
    let network = Option<String?>(
      name: .long,
      help: ArgumentHelp(
        "A network profile: a name of Scenarios/networks, or a file. Explicit impairments override it.",
        valueName: "name"),
      completion: .networks)
    let seed = Option<UInt64?>(
      name: .long,
      help: ArgumentHelp(
        "The seed of all random choices; the same seed repeats them (default: random, and printed).", valueName: "n"))
    let listed = Self.options.map { ($0.name, Self.argument($0)) }
    return Mirror(self, children: [("network", network as Any)] + listed + [("seed", seed)])
  }

  private static func argument(_ option: ImpairmentOption) -> Any {
    guard let valueName = option.valueName else {
      return Flag(wrappedValue: false, name: .customLong(option.name), help: ArgumentHelp(option.help))
    }
    let help = ArgumentHelp(option.help, valueName: valueName)
    let parse = Parsers.parse { (text: String) throws(ImpairmentSyntaxError) in
      // `ahap play` has --rate-hz too, so a bare number was probably meant for that option.
      if option.name == "rate", Double(text) != nil, Given.words.starts(with: ["ahap", "play"]) {
        let expected = "that of a link, such as 64kbit; HAPTIC messages a second are --rate-hz \(text)"
        throw ImpairmentSyntaxError(text, "is not a rate", expected: expected)
      }
      try option.check(text)
      return text
    }
    return option.repeats
      ? Option<[String]>(wrappedValue: [], name: .customLong(option.name), help: help, transform: parse) as Any
      : Option<String?>(name: .customLong(option.name), help: help, transform: parse)
  }
}

/// An option's name as a coding key.
private struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
