import CSQLite
import TelecapWire

/// One of the tables of `BatchTables`: what the virtual table's callbacks need to know, in memory that does not move.
struct BatchTable {
  /// Which rows the table shows.
  enum Shape: UInt8 {
    case packets, messages, fields, entries
  }

  /// The rows of the batch that is being written; they stay where they are while the statement runs.
  struct Window {
    var packets: UnsafePointer<PacketRow>?
    var messages: UnsafePointer<MessageRow>?
    /// For a typed table: the places of its rows in `messages`.
    var members: UnsafePointer<UInt32>?
    /// For a table of entries: its rows.
    var entries: UnsafePointer<EntryRow>?
    var bytes: UnsafeRawPointer?
    /// How many rows the table has.
    var count = 0
  }

  let shape: Shape
  var window = Window()
  private let columns: UnsafeMutableBufferPointer<FieldColumn>
  /// For each kind, by its code: how many bytes of a message its fields may take.
  private let limits: UnsafeMutableBufferPointer<Int>

  init(_ shape: Shape, _ fields: [FieldRow], _ kinds: [MessageKind]) {
    self.shape = shape
    let fields = fields.map(FieldColumn.init)
    columns = .allocate(capacity: fields.count)
    _ = columns.initialize(from: fields)
    let sizes = kinds.map { kind in
      kind.layout.isFixedSize ? kind.layout.fixedSize : Int.max
    }
    limits = .allocate(capacity: sizes.count)
    _ = limits.initialize(from: sizes)
  }

  func free() {
    columns.deinitialize()
    columns.deallocate()
    limits.deallocate()
  }

  /// The statement that declares the table's columns to SQLite; their names are not used.
  var declaration: String {
    let count =
      switch shape {
      case .packets: 5
      case .messages: 10
      case .fields: 1 + columns.count
      case .entries: 2 + columns.count
      }
    return "CREATE TABLE batch (\((0..<count).map { "c\($0)" }.joined(separator: ", ")))"
  }

  // MARK: - Values

  /// Hands SQLite the value of a row's column.
  @inline(__always)
  func result(_ context: OpaquePointer?, row: Int, column: Int) {
    switch shape {
    case .packets: packet(context, row, column)
    case .messages: message(context, row, column)
    case .fields: field(context, row, column)
    case .entries: entry(context, row, column)
    }
  }

  private func packet(_ context: OpaquePointer?, _ index: Int, _ column: Int) {
    guard let row = window.packets?.advanced(by: index).pointee else { return }
    switch column {
    case 0: sqlite3_result_int64(context, row.number)
    case 1: sqlite3_result_int64(context, row.time)
    case 2: sqlite3_result_int64(context, row.interface)
    case 3: sqlite3_result_int64(context, row.originalLength)
    // A nil destructor is SQLITE_STATIC: the batch lives longer than the statement.
    default:
      if row.count > 0 {
        sqlite3_result_blob(context, window.bytes?.advanced(by: row.start), Int32(clamping: row.count), nil)
      } else {
        sqlite3_result_zeroblob(context, 0)
      }
    }
  }

  private func message(_ context: OpaquePointer?, _ index: Int, _ column: Int) {
    guard let row = window.messages?.advanced(by: index) else { return }
    switch column {
    case 0: sqlite3_result_int64(context, row.pointee.id)
    case 1: sqlite3_result_int64(context, row.pointee.packet)
    case 2: if row.pointee.offset >= 0 { sqlite3_result_int64(context, row.pointee.offset) }
    case 3: sqlite3_result_int64(context, Int64(row.pointee.count))
    case 4: sqlite3_result_int64(context, Int64(row.pointee.kind))
    case 5: sqlite3_result_int64(context, Int64(row.pointee.dialect))
    case 6: sqlite3_result_int64(context, Int64(row.pointee.direction))
    case 7: if row.pointee.severity >= 0 { sqlite3_result_int64(context, Int64(row.pointee.severity)) }
    case 8: if row.pointee.session > 0 { sqlite3_result_int64(context, row.pointee.session) }
    default: sqlite3_result_int64(context, row.pointee.flow)
    }
  }

  private func field(_ context: OpaquePointer?, _ index: Int, _ column: Int) {
    guard let members = window.members, let messages = window.messages, let bytes = window.bytes else { return }
    let row = messages.advanced(by: Int(members[index]))
    guard column > 0 else { return sqlite3_result_int64(context, row.pointee.id) }
    let count = min(row.pointee.count, limits[Int(row.pointee.kind)])
    columns[column - 1].result(context, UnsafeRawBufferPointer(start: bytes + row.pointee.start, count: count).bytes)
  }
}

extension BatchTable {
  private func entry(_ context: OpaquePointer?, _ index: Int, _ column: Int) {
    guard let entries = window.entries, let messages = window.messages, let bytes = window.bytes else { return }
    let row = entries.advanced(by: index)
    let message = messages.advanced(by: Int(row.pointee.message))
    if column == 0 { return sqlite3_result_int64(context, message.pointee.id) }
    if column == 1 { return sqlite3_result_int64(context, Int64(row.pointee.number)) }
    let start = bytes + message.pointee.start + row.pointee.start
    columns[column - 2].result(context, UnsafeRawBufferPointer(start: start, count: row.pointee.count).bytes)
  }
}

/// A column of a typed table: reads its field from the message's bytes. A field past the end is NULL.
struct FieldColumn {
  private let type: FieldType
  private let offset: Int
  private let row: FieldRow
  /// Its bytes are not those of a number of this machine: they have the other byte order, are three, are shared, or are scaled;
  /// or the message shows where they are.
  private let isComputed: Bool

  init(_ row: FieldRow) {
    let isOfMachine =
      !row.type.isDecimal && row.byteOrder == .little && row.scale == nil && row.type.size != 3 && !row.type.isSlice
    isComputed = row.isVariable || row.type.isNumber && !isOfMachine
    type = row.type
    offset = row.offset
    self.row = row
  }

  @inline(__always)
  func result(_ context: OpaquePointer?, _ bytes: RawSpan) {
    if isComputed { return computed(context, bytes) }
    switch type {
    case .u8: integer(context, UInt8.read(bytes, at: offset))
    case .u16: integer(context, UInt16.read(bytes, at: offset))
    case .u32: integer(context, UInt32.read(bytes, at: offset))
    case .u64: integer(context, UInt64.read(bytes, at: offset))
    case .i8: integer(context, Int8.read(bytes, at: offset))
    case .i16: integer(context, Int16.read(bytes, at: offset))
    case .i32: integer(context, Int32.read(bytes, at: offset))
    case .i64: integer(context, Int64.read(bytes, at: offset))
    // SQLite holds no NaN: it stores NULL.
    case .f32: if let value = Float.read(bytes, at: offset) { sqlite3_result_double(context, Double(value)) }
    case .f64: if let value = Double.read(bytes, at: offset) { sqlite3_result_double(context, value) }
    case .u24, .i24, .bits, .decimal: computed(context, bytes)
    case .text, .variableText, .octets, .variableOctets, .rest: text(context, bytes)
    }
  }

  /// The value of a number whose bytes are not those of a number of this machine.
  @inline(never)
  private func computed(_ context: OpaquePointer?, _ bytes: RawSpan) {
    switch row.value(in: bytes) {
    case .unsigned(let value): sqlite3_result_int64(context, Int64(truncatingIfNeeded: value))
    case .signed(let value): sqlite3_result_int64(context, value)
    case .float(let value): sqlite3_result_double(context, Double(value))
    case .double(let value): sqlite3_result_double(context, value)
    case .text, .bytes: text(context, bytes)
    case nil: sqlite3_result_null(context)
    }
  }

  /// SQLite's integers are signed: a uint64 of 2⁶³ or more is stored as the negative number of the same bits.
  @inline(__always)
  private func integer(_ context: OpaquePointer?, _ value: (some FixedWidthInteger)?) {
    if let value { sqlite3_result_int64(context, Int64(truncatingIfNeeded: value)) }
  }

  @inline(never)
  private func text(_ context: OpaquePointer?, _ bytes: RawSpan) {
    switch row.value(in: bytes) {
    case .text(var text):
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text(context, $0.baseAddress, Int32(clamping: $0.count), SQLITE_TRANSIENT)
        }
      }
    case .bytes(let rest):
      rest.withUnsafeBytes { sqlite3_result_blob(context, $0.baseAddress, Int32(clamping: $0.count), SQLITE_TRANSIENT) }
    default: sqlite3_result_null(context)
    }
  }
}
