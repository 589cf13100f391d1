import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapReplay

/// What a network is asked to do, and by which numbers.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A network of Scenarios/networks, or of a file; what is given beside it counts more.", valueName: "name"),
    completion: .networks)
  var network: String?

  @OptionGroup(title: "Impairments") var asked: ListedImpairmentOptions

  @Option(
    name: .long, help: ArgumentHelp("Makes the same choices again; chosen and told when not given.", valueName: "n"))
  var seed: UInt64?

  /// What is asked for: the network's, and in its place what is given beside it.
  var impairments: Impairments {
    get throws {
      var impairments = try network.map { try NetworkLibrary().read($0).impairments } ?? .none
      try asked.apply(to: &impairments)
      return impairments
    }
  }

  /// Whether nothing is asked for.
  var isUnimpaired: Bool { network == nil && asked.isEmpty }

  /// The seed that was given, or a new one.
  func chosenSeed() -> UInt64 { seed ?? UInt64.random(in: 1...999_999_999) }
}

/// The options of all impairments, made from their list. ArgumentParser finds options by looking at the properties of an
/// instance and decodes them by their names; here the mirror shows one for each option of the list, and
/// `init(from:)` reads them.
struct ListedImpairmentOptions: ParsableArguments, CustomReflectable {
  /// The names of them all, apart by spaces.
  static let names = (["network"] + ImpairmentList.all.options.map(\.name)).joined(separator: " ")

  /// The names of those that do nothing to streams.
  static let namesOfDatagrams = ImpairmentList.all.types.filter { !$0.strikesStreams }
    .flatMap { $0.options.map(\.name) }.joined(separator: " ")

  /// The options that were given, each with its values.
  private var given: [(option: ImpairmentOption, values: [String])] = []

  /// Whether none was given.
  var isEmpty: Bool { given.isEmpty }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    for option in ImpairmentList.all.options {
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

  /// Puts what was given in the place of what is there.
  func apply(to impairments: inout Impairments) throws {
    for (option, values) in given { for value in values { try impairments.set(option, to: value) } }
  }

  func validate() throws {
    // Each value was read by itself; this is what is wrong with them together, such as a field too many.
    var none = Impairments.none
    for (option, values) in given {
      let text = values.joined(separator: ",")
      do { try none.set(option, to: text) } catch { throw ValidationError("--\(option.name): \(error)") }
    }
    for type in ImpairmentList.all.types {
      let options = Set(given.map(\.option.name)).intersection(type.options.map(\.name))
      if let conflict = type.conflict(among: options) { throw ValidationError(conflict) }
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: ImpairmentList.all.options.map { ($0.name, ListedImpairmentOptions.argument($0)) })
  }

  private static func argument(_ option: ImpairmentOption) -> Any {
    guard let valueName = option.valueName else {
      return Flag(wrappedValue: false, name: .customLong(option.name), help: ArgumentHelp(option.help))
    }
    let help = ArgumentHelp(option.help, valueName: valueName)
    let parse = Parsers.parse { (text: String) throws(ImpairmentSyntaxError) in
      // Where patterns are played a bare number is meant as another rate.
      if option.name == "rate", Double(text) != nil, CommandLine.arguments.dropFirst().starts(with: ["ahap", "play"]) {
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

/// The name of an option as a key.
private struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
