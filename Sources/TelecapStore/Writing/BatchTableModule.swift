import CSQLite

/// SQLite's side of a `BatchTable`: the callbacks of a virtual table (https://www.sqlite.org/vtab.html). The structures
/// begin with the one that SQLite knows, as its documentation asks for; their pointers come back as pointers to it.
extension BatchTable {
  private struct Handle {
    var base = sqlite3_vtab()
    let table: UnsafePointer<BatchTable>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let table: UnsafePointer<BatchTable>
    var row = 0
    var end = 0
  }

  /// An eponymous table: no xCreate; and no xUpdate: it cannot be written.
  static var module: sqlite3_module {
    var module = sqlite3_module()
    module.xConnect = { connection, table, _, _, result, _ in
      guard let table = table?.assumingMemoryBound(to: BatchTable.self), let result else { return SQLITE_MISUSE }
      let handle = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
      handle.initialize(to: Handle(table: table))
      result.pointee = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: sqlite3_vtab.self)
      return sqlite3_declare_vtab(connection, table.pointee.declaration)
    }
    module.xDisconnect = { handle in
      UnsafeMutableRawPointer(handle)?.assumingMemoryBound(to: Handle.self).deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, plan in
      plan?.pointee.estimatedCost = 1_000
      return SQLITE_OK
    }
    module.xOpen = { handle, result in
      guard let handle, let result else { return SQLITE_MISUSE }
      let table = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: Handle.self).pointee.table
      let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      cursor.initialize(to: Cursor(table: table))
      result.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
      guard let cursor = BatchTable.cursor(cursor) else { return SQLITE_MISUSE }
      cursor.pointee.row = 0
      cursor.pointee.end = cursor.pointee.table.pointee.window.count
      return SQLITE_OK
    }
    module.xNext = { cursor in
      BatchTable.cursor(cursor)?.pointee.row += 1
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let cursor = BatchTable.cursor(cursor) else { return 1 }
      return cursor.pointee.row >= cursor.pointee.end ? 1 : 0
    }
    module.xColumn = { cursor, context, column in
      guard let cursor = BatchTable.cursor(cursor) else { return SQLITE_MISUSE }
      cursor.pointee.table.pointee.result(context, row: cursor.pointee.row, column: Int(column))
      return SQLITE_OK
    }
    module.xRowid = { cursor, rowid in
      guard let cursor = BatchTable.cursor(cursor) else { return SQLITE_MISUSE }
      rowid?.pointee = Int64(cursor.pointee.row)
      return SQLITE_OK
    }
    return module
  }

  @inline(__always)
  private static func cursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self)
  }
}
