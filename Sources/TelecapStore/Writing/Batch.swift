import TelecapRecording
import TelecapWire

/// Rows on their way into the file: frames and messages as they were on the wire, one copy of each byte, and the
/// numbers of their rows. SQLite reads them from here (`BatchTables`).
///
/// @unchecked Sendable: a batch is in one hand at a time. The producer fills it, hands it to the writing queue, and
/// touches it again only after the writer has signalled that it is empty (`BatchWriter`).
final class Batch: @unchecked Sendable {
  /// Where the bytes of frames and messages lie, one after the other.
  private(set) var bytes: [UInt8] = []
  private(set) var packets: [PacketRow] = []
  private(set) var messages: [MessageRow] = []
  /// For each typed table: the places in `messages` of its rows.
  private(set) var members: [[UInt32]]
  /// For each table of entries: its rows.
  private(set) var entries: [[EntryRow]]
  private var entryCount = 0
  var findings: [FindingRow] = []
  var flows: [(id: Int, flow: Flow)] = []
  var interfaces: [(id: Int, interface: Interface)] = []
  /// The notes of a file about packets, by their numbers.
  var notes: [(packet: Int, note: PacketNote)] = []
  /// The drop counts when the batch was closed; nil if nothing changed.
  var dropped: DropCounts?
  /// The tallies of the relays; nil if nothing changed.
  var relays: [RelayTally]?
  /// When the recording ended, and where its input broke, in words; nil while it goes on.
  var end: (time: Timestamp, damage: String?)?

  /// A batch is closed when it holds so much: small enough to stay in the processor's cache, large enough that a
  /// statement's cost does not show.
  private static let fullPackets = 4_096
  private static let fullMessages = 8_192
  private static let fullBytes = 1 << 20
  private static let fullEntries = 65_536

  private let tableOfKind: [Int]
  private let entriesOfKind: [[(table: Int, field: FieldRow)]]

  init(_ schema: CaptureSchema) {
    members = schema.tables.map { _ in [] }
    entries = schema.entryTables.map { _ in [] }
    tableOfKind = schema.tableOfKind
    entriesOfKind = schema.entriesOfKind
  }

  var isFull: Bool {
    packets.count >= Batch.fullPackets || messages.count >= Batch.fullMessages || bytes.count >= Batch.fullBytes
      || entryCount >= Batch.fullEntries || findings.count >= Batch.fullMessages || notes.count >= Batch.fullMessages
  }

  var isEmpty: Bool {
    packets.isEmpty && messages.isEmpty && findings.isEmpty && interfaces.isEmpty && notes.isEmpty
      && dropped == nil && relays == nil && end == nil
  }

  /// The memory that its packets take, in bytes.
  var packetBytes: Int { bytes.count + packets.count * MemoryLayout<PacketRow>.stride }

  func add(_ header: PacketHeader, _ frame: RawSpan) {
    packets.append(
      PacketRow(
        number: Int64(header.number), time: header.time.nanoseconds, interface: Int64(header.interface),
        originalLength: Int64(header.originalLength), start: bytes.count, count: frame.byteCount))
    append(frame)
  }

  func add(_ row: MessageRow, _ message: RawSpan) {
    var row = row
    row.start = bytes.count
    row.count = message.byteCount
    members[tableOfKind[Int(row.kind)]].append(UInt32(messages.count))
    for (table, field) in entriesOfKind[Int(row.kind)] { addEntries(of: field, to: table, message) }
    messages.append(row)
    append(message)
  }

  /// Adds the entries of a field of the next message.
  private func addEntries(of field: FieldRow, to table: Int, _ message: RawSpan) {
    guard let repeated = field.repeated else { return }
    let range = field.range(in: message)
    let content = message.extracting(range)
    var (end, number) = (0, UInt32(0))
    while let entry = repeated.next(at: end, in: content) {
      entries[table].append(
        EntryRow(
          message: UInt32(messages.count), number: number, start: range.lowerBound + entry.lowerBound,
          count: entry.count))
      (end, number) = (entry.upperBound, number + 1)
    }
    entryCount += Int(number)
  }

  private func append(_ more: RawSpan) { more.withUnsafeBytes { bytes.append(contentsOf: $0) } }

  /// Forgets all rows and keeps the memory, unless the batch had grown while the writer lagged.
  func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * Batch.fullBytes)
    packets.removeAll(keepingCapacity: packets.capacity <= 4 * Batch.fullPackets)
    messages.removeAll(keepingCapacity: true)
    for index in members.indices { members[index].removeAll(keepingCapacity: true) }
    for index in entries.indices {
      entries[index].removeAll(keepingCapacity: entries[index].capacity <= 4 * Batch.fullEntries)
    }
    entryCount = 0
    findings.removeAll(keepingCapacity: true)
    flows.removeAll(keepingCapacity: true)
    interfaces.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    dropped = nil
    relays = nil
    end = nil
  }
}

/// A row of `packet`; its frame is `count` of the batch's bytes from `start`.
struct PacketRow {
  var number: Int64
  var time: Int64
  var interface: Int64
  var originalLength: Int64
  var start: Int
  var count: Int
}

/// A row of `message`; its bytes are `count` of the batch's bytes from `start`.
struct MessageRow {
  var id: Int64
  var packet: Int64
  /// −1: the message began in an earlier packet.
  var offset: Int64
  /// 0: none.
  var session: Int64
  var flow: Int64
  var kind: UInt16
  var dialect: UInt16
  var direction: UInt8
  /// −1: nothing was found.
  var severity: Int8
  var start = 0
  var count = 0
}

/// A row of a table of entries; its bytes are `count` from `start` of the message's.
struct EntryRow {
  /// The place of its message in the batch.
  var message: UInt32
  var number: UInt32
  var start: Int
  var count: Int
}

/// A row of `finding`.
struct FindingRow {
  var packet: Int64
  /// 0: it is about the packet.
  var message: Int64
  var finding: Finding
}
