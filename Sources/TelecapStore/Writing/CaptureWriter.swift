import Dispatch
import TelecapRecording

/// Writes the packets of a recording, in the order in which they came. Derived tables follow later
/// (`DissectionWriter`).
///
/// A commit every 250 ms or oftener: call `commitIfDue(now:)` at least every 50 ms, also when nothing comes. The end of
/// the process at any moment loses nothing that was committed.
///
/// Used by one thread or task at a time.
public final class CaptureWriter {
  private let writer: BatchWriter
  private var interfaces: [Interface] = []
  private var lastCommit: Timestamp?
  private var dropped = DropCounts()
  private var relays: [RelayTally] = []

  /// A commit is due after so many nanoseconds: half of what is promised, the other half is for the disk.
  public static let commitInterval: Int64 = 125_000_000

  /// Makes the capture at `path`, open for its first packet.
  ///
  /// - Parameter isDurable: whether commits also survive a power cut or a crash of the system.
  /// - Throws: `StoreError.exists` when something is there and `force` is false; `busy` when somebody has it open;
  ///   `cannotCreate`.
  public convenience init(
    creating path: String, _ info: CaptureInfo, _ schema: CaptureSchema, force: Bool = false, isDurable: Bool = false
  ) throws {
    try self.init(
      creating: path, info, schema, force: force, limitedTo: isDurable ? Connection.durable : [])
    if isDurable { FileSystem.syncFolder(of: try FileSystem.target(of: path)) }
  }

  /// With more pragmas, such as a test's `max_page_count`.
  convenience init(
    creating path: String, _ info: CaptureInfo, _ schema: CaptureSchema, force: Bool, limitedTo pragmas: [String]
  ) throws {
    let created = try CaptureFile.create(path, info, schema, force: force)
    let file = try OpenFile(path, named: path, schema, Connection.recording + pragmas, waits: true)
    // Somebody else may have been faster than we were to open it.
    guard file.identity == created else {
      file.close()
      throw StoreError.busy(path: path)
    }
    self.init(BatchWriter(file, batches: 16, waits: false))
  }

  /// The bytes of packets that wait in memory while the file cannot be written, next to the batches that are on their way.
  static let room = 64 << 20

  init(_ writer: BatchWriter) { self.writer = writer }

  /// Adds an interface and returns its number, counted from 0.
  @discardableResult
  public func add(_ interface: Interface) throws -> Int {
    writer.batch.interfaces.append((interfaces.count, interface))
    interfaces.append(interface)
    return interfaces.count - 1
  }

  /// So many bytes of what happened to an interface are kept, and that there was more.
  private static let longestComment = 16_384
  private static let more = "and more, which is not stored"

  /// Adds what happened to an interface to its comment, a line of it; it is stored with the next commit.
  ///
  /// - Parameter number: as `add(_:)` returned it.
  public func add(_ line: String, toCommentOf number: Int) {
    let comment = interfaces[number].comment
    guard !comment.hasSuffix(CaptureWriter.more) else { return }
    let isFull = comment.utf8.count + line.utf8.count > CaptureWriter.longestComment
    interfaces[number].comment = comment + (comment.isEmpty ? "" : "\n") + (isFull ? CaptureWriter.more : line)
    writer.batch.interfaces.append((number, interfaces[number]))
  }

  /// Adds a packet; its number must be greater than all before.
  ///
  /// An import waits while the writer lags. A recording never does: ask `makeRoom` before, and without room leave packets where
  /// they are bounded and counted.
  /// - Throws: what went wrong with an earlier packet: `StoreError.full`, `.sqlite`.
  @inline(__always)
  public func add(_ header: PacketHeader, _ frame: RawSpan) throws {
    writer.batch.add(header, frame)
    try writer.submitIfFull()
  }

  /// Whether there is memory for more packets.
  ///
  /// - Throws: as `add` does.
  public func makeRoom() throws -> Bool {
    var hasRoom: Bool { writer.batch.packetBytes < CaptureWriter.room }
    if !hasRoom { try writer.submit(waiting: false) }
    return hasRoom
  }

  /// How long the file could not be written since another program holds its write lock, in ns; nil when none does.
  public var lockedFor: Nanoseconds? { writer.file.lockWait?.duration }

  /// How many packets are not in the file yet.
  public var waitingPackets: Int { writer.waitingPackets }

  /// Adds the note of a file about a packet.
  public func add(_ note: PacketNote, to packet: Int) { writer.batch.notes.append((packet, note)) }

  /// Hands what there is to the file when the last commit is `commitInterval` or more ago. Never waits for the disk.
  ///
  /// - Parameter now: any clock that goes forward.
  public func commitIfDue(now: Timestamp) throws {
    let last = lastCommit ?? now
    lastCommit = last
    guard now.nanoseconds(since: last) >= CaptureWriter.commitInterval else { return }
    lastCommit = now
    try writer.submit(waiting: false)
  }

  /// Reports all drops so far; they are stored with the next commit.
  public func report(dropped counts: DropCounts) {
    guard counts != dropped else { return }
    dropped = counts
    writer.batch.dropped = counts
  }

  /// Reports the tallies of the recording relays so far; they are stored with the next commit.
  public func report(relays tallies: [RelayTally]) {
    guard tallies != relays else { return }
    relays = tallies
    writer.batch.relays = tallies
  }

  /// The answer of SQLite to a PRAGMA, for tests.
  func pragma(_ name: String) throws -> String? {
    try writer.file.run { try $0.text(sql: "PRAGMA \(name)") }
  }

  /// Writes what there is and waits until it is in the file, however long another program holds its lock: for tests.
  package func flush() throws { try writer.flush() }

  /// Ends the recording and closes the file.
  ///
  /// - Parameters:
  ///   - damage: where the input broke, in words.
  ///   - waits: is asked some 50 times a second while the writer lags: whether to go on waiting for the lock of another program.
  ///   - last: is called when all packets are in the file and its end is not: the last moment for `add(_:toCommentOf:)`.
  /// - Throws: `StoreError.locked` where it was not waited for any more; what went wrong with an earlier packet.
  public func finish(
    ended: Timestamp, damage: String? = nil, waits: () -> Bool = { true }, last: () -> Void = {}
  ) throws {
    defer { writer.close() }
    do {
      try write(waits)
      last()
      writer.batch.end = (ended, damage)
      try write(waits)
      writer.leaveLog()
    } catch StoreError.busy(let path) {
      throw StoreError.locked(path: path, packets: writer.file.packets, lost: writer.waitingPackets)
    }
  }

  /// Writes what there is, for as long as that is waited for.
  private func write(_ waits: () -> Bool) throws {
    while try !writer.isWritten(within: .milliseconds(20)) {
      if !waits() { writer.file.lockWait?.giveUp() }
    }
  }
}
