import CStore
import CSQLite

/// The settings and errors of all connections to a capture.
enum Connection {
  /// No value of a capture is longer, in bytes: the declaration of a protocol is a file of 64 MiB at most. A value of a
  /// damaged one does not fill the memory.
  static let longestValue = 65 << 20

  /// The error for a longer value in a capture.
  static func tooLong(_ path: String) -> StoreError {
    .damaged(path: path, reason: "it contains a value of more than \(longestValue) bytes, the maximum in a capture")
  }

  /// Takes from a connection what a file could make it do. `PRAGMA journal_mode = OFF` is refused from then on.
  static func defend(_ db: Database) throws {
    try SQLiteError.check(telecap_defend(db.connection), of: db.connection)
    sqlite3_limit(db.connection, SQLITE_LIMIT_LENGTH, Int32(longestValue))
  }

  /// 4 MiB of pages: appending needs few of them, and memory stays flat.
  static let cache = "cache_size = -4096"

  /// While it is recorded: a commit survives the end of the process at any moment, and readers are never in the way.
  static let recording = ["journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 4096", cache]

  /// Each commit is on the disk before the next begins, so it survives a power cut; NORMAL leaves the log to the system, which may
  /// keep it for half a minute. macOS hands it to the disk itself when it is asked twice.
  static let durable = ["synchronous = FULL", "fullfsync = 1"]

  /// A fresh file that is thrown away when anything fails needs no journal.
  static let importing = ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", cache]

  /// Leaves WAL mode, so that the capture is a single file, which any SQLite opens read-only.
  ///
  /// - Returns: false where another connection has the file open; the busy timeout does not apply.
  static func leaveLog(_ db: Database) -> Bool {
    (try? db.text(sql: "PRAGMA journal_mode = DELETE")).map { $0 != "wal" } ?? false
  }

  /// Derived rows can be made again; dropping them need not overwrite them.
  static let deriving = recording + ["secure_delete = OFF"]
}

/// Runs `body` and turns SQLite's errors into `StoreError`; `full` is that of a full disk.
func mapped<Result>(_ path: String, full: StoreError? = nil, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw storeError(error, path, full: full)
  }
}

/// The error of a capture at `path` for an error of SQLite. A full disk is `full`; where nothing is written to the capture, it is the disk
/// of SQLite's temporary files.
func storeError(_ error: any Error, _ path: String, full: StoreError? = nil) -> StoreError {
  if let error = error as? StoreError { return error }
  guard let error = error as? SQLiteError else { return .sqlite(path: path, code: SQLITE_ERROR, reason: "\(error)") }
  let reason = error.message
  switch error.primaryCode {
  case SQLITE_FULL: return full ?? .noRoom(path: path)
  case SQLITE_BUSY, SQLITE_LOCKED: return .busy(path: path)
  case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path: path, reason: reason)
  case SQLITE_TOOBIG:
    return Connection.tooLong(path)
  case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: return .cannotCreate(path: path, reason: reason)
  // The index of a log that somebody else writes: it can be read and not locked.
  case SQLITE_IOERR where error.code == SQLITE_IOERR_LOCK:
    return .cannotCreate(path: path, reason: reason)
  case SQLITE_IOERR:
    if case .full(let path, let packets)? = full { return .notWritten(path: path, packets: packets, reason: reason) }
    fallthrough
  default: return .sqlite(path: path, code: error.code, reason: reason)
  }
}
