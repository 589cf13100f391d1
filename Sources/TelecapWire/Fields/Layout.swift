import TelecapRecording

/// A message's table: everything that decoding, validating, the dissector, the capture's columns and the reference need.
public struct Layout: Sendable {
  /// The name in the documents: `POSE`.
  public let name: String
  /// The table of a capture that holds such messages: `tele_pose`.
  public let table: String
  /// What the message is for, in a sentence.
  public let meaning: String
  /// Which way it travels.
  public let direction: Direction
  /// What may carry it.
  public let dialects: Set<Dialect>
  /// The fields in wire order, the header's first.
  public let fields: [FieldRow]
  /// The bytes of the fields whose size is fixed: the shortest whole message.
  public let fixedSize: Int
  /// The fields that together are a quaternion and must have norm 1 within 1e-3; empty when there is none.
  public let unitQuaternion: [String]
  /// The text that the table was taken from.
  public let source: String

  init(
    _ name: String, table: String, header: (any Sendable)? = nil, _ rows: any Sendable, _ meaning: String,
    from direction: Direction,
    over dialects: Set<Dialect>, unitQuaternion: [String] = [], source: String
  ) {
    self.name = name
    self.table = table
    self.meaning = meaning
    self.direction = direction
    self.dialects = dialects
    self.unitQuaternion = unitQuaternion
    self.source = source
    fields = (header.map(Layout.list) ?? []) + Layout.list(rows)
    fixedSize = fields.reduce(0) { max($0, $1.offset + ($1.type.size ?? 0)) }
  }

  /// The row called `name`.
  public subscript(name: String) -> FieldRow? { fields.first { $0.name == name } }

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
