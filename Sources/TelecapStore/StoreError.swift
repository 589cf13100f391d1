import TelecapRecording
import TelecapText

/// Why a capture file cannot be opened, written or asked.
public enum StoreError: Error, Hashable, Sendable {
  /// There is no such file.
  case missing(path: String)
  /// The file is there and may not be read; `reason` is the system's word for it.
  case unreadable(path: String, reason: String)
  /// The file has no bytes.
  case empty(path: String)
  /// The file is no SQLite database; `beginsWith` are its first bytes.
  case notSQLite(path: String, beginsWith: [UInt8])
  /// A SQLite database of another program; `applicationID` is its PRAGMA application_id.
  case notACapture(path: String, applicationID: UInt32)
  /// A capture of a format that this telecap does not know yet.
  case newerFormat(path: String, format: Int, newest: Int)
  /// SQLite finds the file damaged.
  case damaged(path: String, reason: String)
  /// A value in a capture is none that telecap writes: `row` is that of `table` where it is known.
  case wrongValue(path: String, table: String, row: Int64?, _ reason: String)
  /// A trigger that somebody added to a table that telecap writes: nothing out of a file is run.
  case trigger(path: String, name: String, table: String)
  /// A table or a view that somebody added bears the name of one that telecap makes.
  case nameTaken(path: String, kind: String, name: String)
  /// A table of telecap's is another one than telecap makes, or has an index of somebody else's: nothing out of a file is run.
  case changedSchema(path: String, reason: String)
  /// The output is there already, and it was not said to replace it.
  case exists(path: String)
  /// At the output's place is the log of a capture that was moved away or deleted, and it was not said to replace it.
  case leftLog(path: String, log: String)
  /// The output cannot be made.
  case cannotCreate(path: String, reason: String)
  /// Another program holds the file.
  case busy(path: String)
  /// Another program held the write lock of a recording until nobody waited for it any more: the first `packets` packets are in the file,
  /// and the last `lost` are not.
  case locked(path: String, packets: Int, lost: Int)
  /// Somebody deleted the file, moved it, or put another in its place while it was written; `packets` packets are in it and
  /// its log, which stays at the old place of a moved file.
  case gone(path: String, packets: Int)
  /// SQLITE_FULL: the disk, or the file's page limit; the first `packets` packets are in the file and can be read. Nil: the file
  /// was not whole yet, and is gone.
  case full(path: String, packets: Int?)
  /// SQLITE_IOERR: the file could not be written; what of it is left, as for `full`.
  case notWritten(path: String, packets: Int?, reason: String)
  /// SQLITE_FULL while nothing is written to the capture: there is no room for SQLite's temporary files.
  case noRoom(path: String)
  /// The user's condition is no SQL that the capture understands; `reason` is SQLite's word for it.
  case badCondition(text: String, reason: String)
  /// A message of a protocol that the capture's tables are not made for.
  case foreign(path: String, protocolName: String)
  /// Any other error of SQLite; `code` is its result code.
  case sqlite(path: String, code: Int32, reason: String)
}

extension StoreError: CustomStringConvertible {
  /// The problem, its location, and the advice.
  public var description: String {
    switch self {
    case .missing(let path): "\(path): there is no such file"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .empty(let path): "\(path): the file is empty, so it is not a capture; record or import into it with --force"
    case .notSQLite(let path, let bytes):
      "\(path): not a telecap capture: it begins with \(StoreError.shown(bytes)), a capture with \"SQLite format 3\"; "
        + "convert a file of another program with telecap import"
    case .notACapture(let path, let id):
      "\(path): a SQLite database, but not a telecap capture: its application_id is 0x\(String(id, radix: 16)), "
        + "a capture's is 0x\(String(Schema.applicationID, radix: 16))"
    case .newerFormat(let path, let format, let newest):
      "\(path): a capture of format \(format); this telecap reads formats up to \(newest): use a newer telecap"
    case .damaged(let path, let reason):
      "\(path): the capture is damaged: \(reason); sqlite3 \(Escaping.shellPath(path)) .recover saves what is left"
    case .wrongValue(let path, let table, let row, let reason):
      "\(path): the capture is damaged: table \(table)\(row.map { ", row \($0)" } ?? ""): \(reason); "
        + StoreError.mending(table, path)
    case .trigger(let path, let name, let table):
      "\(path): its trigger \"\(StoreError.shortened(name))\" on table \(table) is not telecap's, and telecap runs no code of a file; "
        + "remove the trigger with sqlite3 (DROP TRIGGER)"
    case .nameTaken(let path, let kind, let name):
      "\(path): its \(kind) \"\(StoreError.shortened(name))\" is not telecap's, but has a name that telecap needs; "
        + "rename or drop it with sqlite3"
    case .changedSchema(let path, let reason): "\(path): \(reason)"
    case .exists(let path): "\(path): exists already; --force replaces it"
    case .leftLog(_, let log):
      "\(log): exists already, and contains the last packets of a capture that was deleted or moved: move that capture back "
        + "next to it, or give another name; --force replaces it"
    case .cannotCreate(let path, let reason): "\(path): cannot be created: \(reason)"
    case .busy(let path): "\(path): another program is recording into it or reading it; wait until it is done"
    case .locked(let path, let packets, let lost):
      "\(path): another program held the write lock: the last \(lost) packets are lost; \(StoreError.left(packets)); end that program "
        + "before the next recording"
    case .gone(let path, let packets):
      "\(path): the file was deleted, moved or replaced after \(packets) packets; no more packets are written. If it was moved, "
        + "\(path)-wal contains the last packets: move it next to the file, under the file's name and -wal"
    case .full(let path, let packets?): "\(path): the disk is full; \(StoreError.left(packets))"
    case .notWritten(let path, let packets, let reason):
      "\(path): cannot be written: SQLite reports \(reason); \(packets.map(StoreError.left) ?? "the incomplete file was removed")"
    case .noRoom(let path):
      "\(path): the disk of temporary files is full, and the capture is unchanged: make room below /tmp, or set SQLITE_TMPDIR "
        + "to another folder"
    case .full(let path, nil):
      "\(path): the disk is full, and the incomplete file was removed: make room and run it again"
    case .badCondition(let text, let reason): "--where \"\(text)\": \(reason)\(StoreError.advice(reason))"
    case .foreign(let path, let name): "\(path): the capture has no tables for messages of \(name)"
    case .sqlite(let path, let code, let reason): "\(path): SQLite reports \(reason) (code \(code))"
    }
  }

  private static func left(_ packets: Int) -> String {
    "the first \(packets) packets are in the file and can be read"
  }

  /// A name from a file, shortened for a sentence.
  static func shortened(_ name: String) -> String { String(name.prefix(60).filter { !$0.isNewline }) }

  /// The advice for a wrong value: tables that follow from the frames are rebuilt if they are marked as incomplete.
  private static func mending(_ table: String, _ path: String) -> String {
    Schema.isRaw(table)
      ? "correct it with sqlite3 \(Escaping.shellPath(path)), or record or import again"
      : "telecap rebuilds it after sqlite3 \(Escaping.shellPath(path)) \"UPDATE capture SET dissection_complete = 0\""
  }

  /// Bytes as a person reads them: text where it is text, else hexadecimal.
  private static func shown(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ (32..<127).contains($0) }) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
    return Hex.text(bytes, separator: " ")
  }

  private static func advice(_ reason: String) -> String {
    guard reason.hasPrefix("no such column") else { return "" }
    return "; the columns are those of the view dissection (telecap export --format csv prints them), "
      + "and text is in single quotes: type = 'POSE'"
  }
}
