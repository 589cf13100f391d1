/// One option by which an impairment is asked for: `--loss 5%`. The command line, its help, the text of plans, scenario
/// files and their schema are made from these.
public struct ImpairmentOption: Sendable {
  /// Its name without the dashes: `loss-model`.
  public let name: String
  /// What help calls its value: `p`; nil for a flag, which has none.
  public let valueName: String?
  /// What it does, in one line of help.
  public let help: String
  /// It may be given more than once, and each time counts.
  public let repeats: Bool

  /// Its value as canonical text; nil when it is not needed to say what is asked for.
  public let text: @Sendable (Impairments) -> String?
  /// Takes its value over.
  let set: @Sendable (inout Impairments, String) throws(ImpairmentSyntaxError) -> Void
  /// Refuses what can be read, but is not what this option is for when a person types it.
  let refuse: @Sendable (String) throws(ImpairmentSyntaxError) -> Void

  /// It stands by itself, without a value.
  public var isFlag: Bool { valueName == nil }

  /// Throws unless `text` is a value of this option as a person should type it.
  public func check(_ text: String) throws(ImpairmentSyntaxError) {
    try refuse(text)
    var none = Impairments.none
    try set(&none, text)
  }
}

extension Impairment {
  /// An option that may say only a part of what is asked for.
  /// - Parameters:
  ///   - text: its value in canonical form; nil when it is not needed.
  ///   - refuse: throws for values that are readable and yet not meant for this option.
  ///   - set: takes its value over; nil is what is there before the impairment's first option.
  public static func option(
    _ name: String, value: String, help: String, repeats: Bool = false,
    refuse: @escaping @Sendable (String) throws(ImpairmentSyntaxError) -> Void = { _ in },
    text: @escaping @Sendable (Self) -> String?,
    set: @escaping @Sendable (inout Self?, String) throws(ImpairmentSyntaxError) -> Void
  ) -> ImpairmentOption {
    ImpairmentOption(
      name: name, valueName: value, help: help, repeats: repeats, text: { $0[Self.self].flatMap(text) },
      set: { (all: inout Impairments, value: String) throws(ImpairmentSyntaxError) in
        try set(&all[Self.self], value)
      }, refuse: refuse)
  }

  /// The option of an impairment that has no other: its value is the `description`.
  public static func option(
    _ name: String, value: String, help: String,
    parse: @escaping @Sendable (String) throws(ImpairmentSyntaxError) -> Self
  ) -> ImpairmentOption {
    option(
      name, value: value, help: help, text: { $0.description },
      set: { (asked: inout Self?, value: String) throws(ImpairmentSyntaxError) in asked = try parse(value) })
  }

  /// An option without a value.
  /// - Parameters:
  ///   - isSet: whether it is needed to say what is asked for.
  ///   - set: does what it says; nil is what is there before the impairment's first option.
  public static func flag(
    _ name: String, help: String, isSet: @escaping @Sendable (Self) -> Bool,
    set: @escaping @Sendable (inout Self?) -> Void
  ) -> ImpairmentOption {
    ImpairmentOption(
      name: name, valueName: nil, help: help, repeats: false,
      text: { all in all[Self.self].map(isSet) == true ? "" : nil },
      set: { all, _ in set(&all[Self.self]) }, refuse: { _ in })
  }
}
