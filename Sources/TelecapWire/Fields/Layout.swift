import TelecapRecording

/// A message's table: everything that decoding, validating, the dissector, the capture's columns and the reference need.
public struct Layout: Sendable {
  /// The name in the documents: `POSE`.
  public let name: String
  /// The table of a capture that holds such messages: `tele_pose`.
  public let table: String
  /// The purpose of the message, in a sentence.
  public let meaning: String
  /// Which way it travels.
  public let direction: Direction
  /// The names of the protocol versions that may carry it.
  public let dialects: Set<String>
  /// The number in the header that identifies it; nil without one.
  public let code: UInt64?
  /// The text that identifies it, where the types are texts; nil elsewhere.
  public let typeText: TypeText?
  /// The transport over which the other side may send it too; nil without one.
  public let returnsOver: Carrier?
  /// The transport that its sender uses if the protocol uses several at once; nil if it uses any.
  public let usually: Carrier?
  /// The fields in wire order, the header's first.
  public let fields: [FieldRow]
  /// How many of them are the header that every message of the protocol has.
  public let headerCount: Int
  /// The parts whose size a message shows; nil where there are none.
  let parts: VariableParts?
  /// The bytes of the fields whose size is fixed: the shortest whole message.
  public let fixedSize: Int
  /// The fields that together are a quaternion and must have norm 1 within 1e-3; empty when there is none.
  public let unitQuaternion: [String]
  /// The fields that hold checksums, one that covers another after it: in this order they are written.
  public let checkFields: [FieldRow]
  /// Whether the fields of a message are written in turns: a text before its length, and first of all the numbers that say which
  /// fields there are.
  let writesInTurns: Bool
  /// The text that the table was taken from.
  public let source: String

  /// A table whose rows are the fields of a value, in the order in which they are declared.
  public init(
    _ name: String, table: String, code: UInt64? = nil, header: (any Sendable)? = nil, _ rows: any Sendable,
    _ meaning: String, from direction: Direction, over dialects: Set<String>, returnsOver: Carrier? = nil,
    usually: Carrier? = nil, unitQuaternion: [String] = [], source: String
  ) {
    let header = header.map(Layout.list) ?? []
    self.init(
      name, table: table, code: code, header: header, rows: Layout.list(rows), meaning, from: direction,
      over: dialects, returnsOver: returnsOver, usually: usually, unitQuaternion: unitQuaternion, source: source)
  }

  /// A table of these rows.
  ///
  /// - Parameter typeText: the field whose text identifies the message; nil where none does.
  public init(
    _ name: String, table: String, code: UInt64? = nil, typeText: String? = nil, header: [FieldRow], rows: [FieldRow],
    _ meaning: String, from direction: Direction, over dialects: Set<String>, returnsOver: Carrier? = nil,
    usually: Carrier? = nil, unitQuaternion: [String] = [], source: String
  ) {
    self.name = name
    self.table = table
    self.code = code
    self.meaning = meaning
    self.direction = direction
    self.dialects = dialects
    self.returnsOver = returnsOver
    self.usually = usually
    self.unitQuaternion = unitQuaternion
    self.source = source
    let deciding = Set((header + rows).compactMap(\.condition?.field))
    fields = (header + rows).map { row in
      var row = row
      row.decidesPresence = deciding.contains(row.name)
      return row
    }
    self.typeText = typeText.flatMap { [fields] in TypeText($0, fields) }
    writesInTurns = fields.contains { $0.length != nil || $0.isCut || $0.decidesPresence }
    parts = fields.last?.parts
    headerCount = header.count
    let sums = fields.filter { $0.check != nil }
    checkFields = sums.sorted { one, other in
      sums.count { one.covers($0) && $0 != one } < sums.count { other.covers($0) && $0 != other }
    }
    fixedSize = fields.reduce(0) { max($0, $1.leastOffset + $1.leastSize) }
  }

  /// Whether it is the same table: one message has one.
  func isSame(as other: Layout) -> Bool {
    name == other.name && table == other.table && code == other.code && fields == other.fields
  }

  /// Whether its last field takes all that is left.
  public var takesRest: Bool { fields.last?.takesRest == true }

  /// Whether all its messages have the same size.
  public var isFixedSize: Bool { parts == nil && !takesRest }

  /// The size of the message in `bytes`, as its own bytes show it; nil where it takes all that there is.
  public func size(in bytes: RawSpan) -> Int? {
    takesRest ? nil : fixedSize + (parts?.size(in: bytes) ?? 0)
  }

  /// The row called `name`.
  public subscript(name: String) -> FieldRow? { fields.first { $0.name == name } }

  /// Which of the given fields are written first, second and third.
  func turns(for given: some Sequence<String>) -> [(String) -> Bool] {
    let given = Set(given)
    // A number that counts a text is written with that text.
    let counting = fields.filter { given.contains($0.name) }.compactMap(\.length?.field)
    let deciding = fields.filter { $0.decidesPresence && !counting.contains($0.name) }.map(\.name)
    // A text sets its length, so a given length is written after the text.
    let texts = fields.filter { $0.length != nil || $0.isCut }.map(\.name)
    return [
      { deciding.contains($0) }, { texts.contains($0) }, { !texts.contains($0) && !deciding.contains($0) },
    ]
  }

  /// The rows of a table of fields, in the order in which they are declared.
  private static func list(_ table: Any) -> [FieldRow] {
    Mirror(reflecting: table).children.compactMap { child in (child.value as? any FieldOfTable)?.row }
  }
}

/// Anything that is a row of a table.
protocol FieldOfTable {
  var row: FieldRow { get }
}
extension Field: FieldOfTable {}
extension TextField: FieldOfTable {}
