import TelecapRecording
import TelecapWire

/// A message as a timeline takes it.
public struct TimelineMessage: Sendable {
  /// The packet that brought it.
  public var packet: Int
  /// When.
  public var time: Timestamp
  /// Which message it is.
  public var kind: MessageKind
  /// Which way it travelled.
  public var direction: Direction
  /// No finding of severity error: a receiver takes it.
  public var isValid: Bool
  /// The session that it belongs to; 0 where it belongs to none.
  public var session: Int
  /// The number of the conversation; both of its directions have the same number.
  public var conversation: Int

  /// A message of these values.
  public init(
    packet: Int, time: Timestamp, kind: MessageKind, direction: Direction, isValid: Bool, session: Int,
    conversation: Int
  ) {
    (self.packet, self.time, self.kind, self.direction) = (packet, time, kind, direction)
    (self.isValid, self.session, self.conversation) = (isValid, session, conversation)
  }

  /// Whether it counts in the streams of its sender: it is valid, and goes the way of its kind.
  var isOfStream: Bool { isValid && (direction == .unknown || direction == kind.layoutDirection) }
}

/// A stream whose values are drawn: which message carries it, and which of its fields are read.
public final class DrawnStream: Sendable {
  /// The protocol that declares it.
  public let owner: WireProtocol
  /// The place of what declares it among those of all protocols: messages of several kinds may carry one stream.
  let place: Int
  /// Its declared rules.
  public let rules: StreamRules
  /// A message that carries it.
  public let kind: MessageKind
  /// The fields that are read: the values, then the number where there is one, then the key.
  public let fields: [FieldRow]
  /// The types of their values in a capture.
  let types: [FieldType]
  /// The values among them.
  let values: [FieldRow]
  /// The locations of the values in a message.
  private let places: NumberPlaces
  /// The field of the number; nil where the order of arrival counts.
  let order: FieldRow?
  /// The index of the number among the fields; nil without one.
  private let numberPlace: Int?
  /// Where the key begins among the fields.
  private let keyPlace: Int

  private init?(_ rules: StreamRules, _ place: Int, of owner: WireProtocol, in kind: MessageKind) {
    self.place = place
    let layout = kind.layout
    values = rules.values.compactMap { layout[$0] }.filter(\.type.isNumber)
    if case .sequence(let name) = rules.order { order = layout[name] } else { order = nil }
    let keys = rules.key.compactMap { layout[$0] }
    places = NumberPlaces(values)
    fields = values + [order].compactMap(\.self) + keys
    (self.owner, self.rules, self.kind) = (owner, rules, kind)
    types = fields.map(\.valueType)
    numberPlace = order == nil ? nil : values.count
    keyPlace = values.count + (order == nil ? 0 : 1)
    if fields.isEmpty { return nil }
  }

  /// Whether it goes by the number and the key by which its message is numbered first (`MessageKind.numbering`).
  public var isNumberedFirst: Bool {
    kind.numbering.map { $0.order.name == order?.name && $0.key.map(\.name) == rules.key } ?? false
  }

  /// Puts the numbers of its values in a message, which is of its kind and valid, in the place of others.
  public func read(_ bytes: RawSpan, into numbers: inout StreamValues) { places.read(bytes, into: &numbers) }

  /// The number and the key in the fields that were read.
  func number(in values: [Double]) -> UInt64? { numberPlace.flatMap { UInt64(exactly: values[$0]) } }

  func key(in values: [Double]) -> [Double] { keyPlace == values.count ? [] : Array(values[keyPlace...]) }

  /// The streams of these protocols, each with every form of every message that carries it.
  public static func all(of protocols: [WireProtocol]) -> [DrawnStream] {
    let declared = protocols.flatMap { owner in owner.streams.map { (owner: owner, rules: $0) } }
    return declared.enumerated().flatMap { place, stream in
      ([stream.rules.message] + stream.rules.also).flatMap { stream.owner.kinds(named: $0) }
        .compactMap { DrawnStream(stream.rules, place, of: stream.owner, in: $0) }
    }
  }
}
