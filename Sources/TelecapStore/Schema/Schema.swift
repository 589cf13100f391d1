/// The tables that hold the truth: what was recorded, where and how, and every frame as it came.
///
/// Everything else in the file is in `DerivedSchema` and can be made again from these.
enum Schema {
  /// `TCAP`: PRAGMA application_id of every capture.
  static let applicationID: UInt32 = 0x5443_4150
  /// PRAGMA user_version of the captures that this telecap writes, and the newest that it reads.
  static let format = Migration.all.count

  /// The tables of format 1. They are strict, so that a value read from them has its column's type.
  static let first = """
    CREATE TABLE capture (
      tool TEXT NOT NULL,
      version TEXT NOT NULL,
      host TEXT NOT NULL,
      clock TEXT NOT NULL,
      source TEXT NOT NULL,
      filter TEXT NOT NULL,
      command_line TEXT NOT NULL,
      tele_udp_port INTEGER NOT NULL,
      tele_tcp_port INTEGER NOT NULL,
      tele_beacon_port INTEGER NOT NULL,
      mouse_udp_port INTEGER NOT NULL,
      mouse_tcp_port INTEGER NOT NULL,
      started_ns INTEGER NOT NULL,
      ended_ns INTEGER,
      dropped_kernel INTEGER NOT NULL DEFAULT 0,
      dropped_interface INTEGER NOT NULL DEFAULT 0,
      dropped_queue INTEGER NOT NULL DEFAULT 0,
      damage TEXT,
      dissection_complete INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE interface (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      link_type INTEGER NOT NULL,
      snap_length INTEGER NOT NULL,
      ticks_per_second INTEGER NOT NULL,
      comment TEXT NOT NULL
    ) STRICT;
    CREATE TABLE packet (
      id INTEGER PRIMARY KEY,
      time_ns INTEGER NOT NULL,
      interface INTEGER NOT NULL REFERENCES interface,
      original_length INTEGER NOT NULL,
      frame BLOB NOT NULL
    ) STRICT;
    """

  /// The names of the tables above: what a rebuild leaves alone.
  static let rawTables = ["capture", "interface", "packet"]
}
