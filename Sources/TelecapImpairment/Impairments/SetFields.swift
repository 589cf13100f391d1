import TelecapRecording
import TelecapText

/// `set FIELD=VALUE P`: sets a field of every message that has it to a value, for up to three fields.
public struct SetFields: Impairment {
  /// One field.
  public struct Item: Hashable, Sendable, CustomStringConvertible {
    /// The field's name in the documentation: `intensity`.
    public var field: String
    /// The value as text: `1.5`, `nan`, `-inf`, `bits:7fc00000`; for a text field its text.
    public var value: String
    /// The probability of a change.
    public var probability: Probability

    /// `intensity=1.5@20%`; without the probability if it is 100 %.
    public var description: String { "\(field)=\(value)" + (probability == .always ? "" : "@\(probability)") }

    /// The warning that it had no effect.
    public var isInNone: String {
      "set \(self) changed nothing: it was drawn for no message that has a field \"\(field)\""
    }
  }

  /// The fields in the order of the options; each once, at most three.
  public private(set) var items: [Item] = []

  /// The maximum number of fields; a fourth change is reserved for `Hostile`.
  public static let most = FieldChanges.capacity - 1

  private static let expected = "a field, its value and how often, such as intensity=1.5@20%"

  /// No fields.
  init() {}

  /// Parses `intensity=1.5@20%`, or several of these separated by commas.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    try add(text)
  }

  private mutating func add(_ text: String) throws(ImpairmentSyntaxError) {
    var named: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let item = try SetFields.item(String(part))
      guard named.insert(item.field).inserted else {
        throw ImpairmentSyntaxError(String(part), "sets \(item.field) twice", expected: "each field once")
      }
      guard items.count < SetFields.most || items.contains(where: { $0.field == item.field }) else {
        throw ImpairmentSyntaxError(String(part), "is a field too many", expected: "at most \(SetFields.most) fields")
      }
      items.removeAll { $0.field == item.field }
      items.append(item)
    }
  }

  private static func item(_ text: String) throws(ImpairmentSyntaxError) -> Item {
    let text = text.trimmed
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw ImpairmentSyntaxError(text, "names no field and value", expected: expected)
    }
    let rest = text[text.index(after: equals)...]
    let at = rest.lastIndex(of: "@")
    let value = String(rest[..<(at ?? rest.endIndex)])
    guard !value.isEmpty, !text.contains(where: \.isWhitespace) else {
      throw ImpairmentSyntaxError(text, "names no field and value", expected: expected)
    }
    let probability = try at.map { (at) throws(ImpairmentSyntaxError) in
      try Probability(parsing: String(rest[rest.index(after: at)...]))
    }
    guard probability != .never else {
      throw ImpairmentSyntaxError(text, "sets nothing: that is never", expected: "more than @0, or no such field")
    }
    return Item(field: String(text[..<equals]), value: value, probability: probability ?? .always)
  }

  /// `intensity=1.5@20%,channel=1`.
  public var description: String { items.map(\.description).joined(separator: ",") }
}

extension ImpairmentID {
  /// Set: a field of the message has a value that the user chose.
  public static let setFields = ImpairmentID(9)
}

extension SetFields {
  /// Its number.
  public static let id = ImpairmentID.setFields
  /// Its name.
  public static let name = "set"
  /// After loss.
  public static let place = 12
  /// `--set FIELD=VALUE@P`, once for each field.
  public static let options = [
    option(
      "set", value: "field=value@p", help: "Set a field of messages to this value: intensity=1.5@20%.", repeats: true,
      text: { $0.description },
      set: { (asked: inout SetFields?, text: String) throws(ImpairmentSyntaxError) in
        var fields = asked ?? SetFields()
        try fields.add(text)
        asked = fields
      })
  ]

  /// Its purpose.
  public static let changesFields = true

  /// Random, unless every probability is 100 %.
  public static let isRandom = true

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(items: items.map(\.probability), random: KeyedDraws(seed: seed, impairment: .setFields)))
  }

  /// The share of delivered packets with a set field.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.set, of: rates.delivered, expected: nil)
  }

  private struct Stage: PacketStage {
    let items: [Probability]
    let random: KeyedDraws

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      for (place, probability) in items.enumerated()
      where probability.happens(random.bits(item: packet.number, draw: UInt64(place))) {
        draft.wish.sets |= 1 << UInt8(place)
      }
    }
  }
}
