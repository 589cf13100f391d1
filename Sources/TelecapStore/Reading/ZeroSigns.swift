import TelecapWire

/// The signs of zeros. SQLite stores the numbers of a REAL column that are whole as integers, and −0.0 becomes 0
/// (https://www.sqlite.org/datatype3.html, 2): the sign is read in the frame again. A message that began in an earlier packet
/// than it ended in does not lie in one frame, and its zeros have no sign.
struct ZeroSigns {
  /// The columns that hold floats, by their places among those that are asked for.
  let places: [Int]
  /// The column of the query in which the message's number is.
  let message: Int32
  private let names: [String]
  private let schema: CaptureSchema

  /// Signs of these columns; nil where none holds floats. The message's number is added to what is selected.
  init?(of columns: [String], _ schema: CaptureSchema, _ selected: inout [String]) {
    places = columns.indices.filter { place in
      schema.fieldColumns.contains { $0.name == columns[place] && ($0.isWideToo || !$0.floats.isEmpty) }
    }
    if places.isEmpty { return nil }
    selected.append("message")
    message = Int32(selected.count - 1)
    (names, self.schema) = (columns, schema)
  }

  /// Gives those values of a row their sign that are 0 and stood on the wire as −0.0.
  func restore(_ values: inout [CellValue], of row: QueryRow, _ db: Database) throws {
    let zeros = places.filter { values[$0].isZero }
    if zeros.isEmpty { return }
    let statement = try db.cachedStatement(
      sql: """
        SELECT message.kind_code, message.offset, message.length, packet.frame
        FROM message JOIN packet ON packet.id = message.packet WHERE message.id = ? AND message.offset IS NOT NULL
        """)
    defer { statement.reset() }
    try statement.bind([row.integer(message)])
    guard try statement.step() else { return }
    let found = QueryRow(statement: statement.handle)
    let (code, offset, length) = (found.integer(0), found.integer(1), found.integer(2))
    guard schema.kinds.indices.contains(code) else { return }
    found.withBlob(3) { frame in
      guard offset >= 0, length >= 0, offset <= frame.byteCount, length <= frame.byteCount - offset else { return }
      let (kind, bytes) = (schema.kinds[code], frame.extracting(offset..<offset + length))
      for place in zeros where schema.isNegativeZero(names[place], of: kind, in: bytes) { values[place].negate() }
    }
  }
}

extension CaptureSchema {
  /// Whether the field that a column shows is −0.0 in a message.
  fileprivate func isNegativeZero(_ column: String, of kind: MessageKind, in bytes: RawSpan) -> Bool {
    guard let field = kind.layout.fields.first(where: { self.column($0, of: kind) == column }) else { return false }
    switch field.value(in: bytes) {
    case .float(let value): return value == 0 && value.sign == .minus
    case .double(let value): return value == 0 && value.sign == .minus
    default: return false
    }
  }
}

extension CellValue {
  fileprivate var isZero: Bool {
    switch self {
    case .real(let value): value == 0
    case .float(let value): value == 0
    case .null, .integer, .text, .blob: false
    }
  }

  fileprivate mutating func negate() {
    switch self {
    case .real(let value): self = .real(-value)
    case .float(let value): self = .float(-value)
    case .null, .integer, .text, .blob: return
    }
  }
}
