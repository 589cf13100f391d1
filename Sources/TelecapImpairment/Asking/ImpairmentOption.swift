/// One option of an impairment: `--loss 5%`. The command line, its help, the text of plans, scenario files and their
/// schema are generated from it.
public struct ImpairmentOption: Sendable {
  /// Its name without the dashes: `loss-model`.
  public let name: String
  /// The placeholder of its value in help: `p`; nil for a flag.
  public let valueName: String?
  /// The description in help, one line.
  public let help: String
  /// Whether it may be repeated; each value counts.
  public let repeats: Bool

  /// Its value as canonical text; nil if the option is not needed to describe the impairments.
  public let text: @Sendable (Impairments) -> String?
  /// Sets its value.
  let set: @Sendable (inout Impairments, String) throws(ImpairmentSyntaxError) -> Void
  /// Throws for values that can be parsed but are not meant for this option on a command line.
  let refuse: @Sendable (String) throws(ImpairmentSyntaxError) -> Void

  /// Whether it has no value.
  public var isFlag: Bool { valueName == nil }

  /// Throws unless `text` is a value of this option on a command line.
  public func check(_ text: String) throws(ImpairmentSyntaxError) {
    try refuse(text)
    var none = Impairments.none
    try set(&none, text)
  }
}

extension Impairment {
  /// An option that may describe only a part of the impairment.
  /// - Parameters:
  ///   - text: its value in canonical form; nil if it is not needed.
  ///   - refuse: throws for values that can be parsed but are not meant for this option.
  ///   - set: sets its value; the impairment is nil before its first option.
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

  /// The only option of an impairment, whose value is the `description`.
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
  ///   - isSet: whether the flag is needed to describe the impairment.
  ///   - set: sets the flag; the impairment is nil before its first option.
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
