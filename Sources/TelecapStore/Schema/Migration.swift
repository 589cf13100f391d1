/// One step from a format of the raw tables to the next. Steps are added, and what they make is never changed: files of every format exist.
/// Derived tables need no migration: they are dropped and made anew.
struct Migration: Sendable {
  /// The statements of the step.
  let sql: String

  /// Every step: the first makes format 1 out of nothing.
  static let all = [Migration(sql: Schema.first), Migration(sql: Schema.second)]

  /// Brings an open file to the newest format, in one transaction.
  static func run(on db: Database) throws {
    let format = try db.integer(sql: "PRAGMA user_version") ?? 0
    guard format < all.count else { return }
    try db.inTransaction(.immediate) {
      for migration in all[max(0, format)...] { try db.execute(sql: migration.sql) }
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(all.count)")
    }
  }
}
