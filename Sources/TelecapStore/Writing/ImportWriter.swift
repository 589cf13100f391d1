import TelecapRecording

/// Writes packets and what is derived from them in one pass, into a new file.
///
/// The file is created next to `path`, under a name that ends in `.new`, without a journal, and moved to `path` when it is whole:
/// a failed or interrupted import leaves `path` as it was.
///
/// Used by one thread or task at a time.
public final class ImportWriter {
  /// Takes the packets.
  public let packets: CaptureWriter
  /// Takes what the dissector makes of them.
  public let dissection: DissectionWriter
  private let writer: BatchWriter
  private let path: String
  private var isOpen = true

  private let force: Bool
  private let workingPath: String

  /// Begins an import into `path`.
  ///
  /// - Throws: `StoreError.exists` when something is there and `force` is false; `cannotCreate`.
  public convenience init(
    creating path: String, _ info: CaptureInfo, _ schema: CaptureSchema, force: Bool = false
  ) throws {
    try self.init(creating: path, info, schema, force: force, limitedTo: [])
  }

  /// With more pragmas, such as a test's `max_page_count`.
  init(
    creating path: String, _ info: CaptureInfo, _ schema: CaptureSchema, force: Bool, limitedTo pragmas: [String]
  ) throws {
    try CaptureFile.refuse(path, unless: force)
    let working = WorkingFiles.name(beside: try FileSystem.target(of: path))
    WorkingFiles.begin(database: working)
    do {
      try CaptureFile.prepare(working, named: path, info, schema, isPrivate: FileSystem.exists(path))
      let file = try OpenFile(working, named: path, schema, Connection.importing + pragmas, stays: false)
      writer = BatchWriter(file, batches: 3)
    } catch {
      FileSystem.removeDatabase(working)
      WorkingFiles.end(database: working)
      throw error
    }
    (self.path, self.force, workingPath) = (path, force, working)
    packets = CaptureWriter(writer)
    dissection = DissectionWriter(writer)
  }

  /// An import that was not finished leaves no file.
  deinit { cancel() }

  /// Ends the import: stores the sessions, and puts the file in its place.
  ///
  /// - Parameters:
  ///   - ended: when the import, or the recording that it brings in, ended; nil where that was killed.
  ///   - sessions: all that the packets showed.
  ///   - damage: where the input broke, in words.
  ///   - clock: which clock the timestamps are from, in words, if only the packets show that.
  ///   - origin: the time from which the column `seconds` counts; nil for the first packet in the file.
  /// - Throws: also `StoreError.exists` or `busy` where somebody else made a file at `path` meanwhile.
  public func finish(
    ended: Timestamp?, sessions: [Session], damage: String? = nil, clock: String? = nil, origin: Timestamp? = nil
  ) throws {
    defer { cancel() }
    let schema = writer.file.schema
    try writer.finish { db in
      try db.inTransaction(.immediate) {
        try DissectionWriter.complete(db, sessions)
      }
      if let origin { try schema.counting(from: origin).replaceView(db) }
      try db.execute(
        sql: "UPDATE capture SET ended_ns = ?, damage = ?, clock = COALESCE(?, clock)",
        arguments: [ended?.nanoseconds, damage, clock])
    }
    try CaptureFile.move(workingPath, to: path, force: force)
    WorkingFiles.end(database: workingPath)
    isOpen = false
  }

  /// Gives the import up and removes what was written.
  public func cancel() {
    guard isOpen else { return }
    isOpen = false
    writer.close()
    FileSystem.removeDatabase(workingPath)
    WorkingFiles.end(database: workingPath)
  }
}
