/// The tables that hold the truth: what was recorded, where and how, and every frame as it came.
///
/// Everything else in the file is in `CaptureSchema` and can be made again from these.
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
      interface INTEGER NOT NULL REFERENCES interface (id),
      original_length INTEGER NOT NULL,
      frame BLOB NOT NULL
    ) STRICT;
    """

  /// Format 2: ports and protocols are rows, so that a capture can contain any protocol. The table `capture` is made anew without its
  /// ports: to drop columns SQLite compiles all views and triggers, and a user's that is broken, or that takes 2ⁿ steps to compile,
  /// would keep the capture from its format.
  static let second = """
    CREATE TABLE port (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE protocol (
      name TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      declaration TEXT NOT NULL
    ) STRICT;
    INSERT INTO port
      SELECT 'tele-udp', tele_udp_port FROM capture UNION ALL SELECT 'tele-tcp', tele_tcp_port FROM capture
      UNION ALL SELECT 'tele-beacon', tele_beacon_port FROM capture
      UNION ALL SELECT 'mouse-udp', mouse_udp_port FROM capture UNION ALL SELECT 'mouse-tcp', mouse_tcp_port FROM capture;
    CREATE TEMP TABLE kept_capture AS
      SELECT tool, version, host, clock, source, filter, command_line, started_ns, ended_ns, dropped_kernel,
        dropped_interface, dropped_queue, damage, dissection_complete
      FROM main.capture ORDER BY rowid;
    DROP TABLE main.capture;
    CREATE TABLE capture (
      tool TEXT NOT NULL,
      version TEXT NOT NULL,
      host TEXT NOT NULL,
      clock TEXT NOT NULL,
      source TEXT NOT NULL,
      filter TEXT NOT NULL,
      command_line TEXT NOT NULL,
      started_ns INTEGER NOT NULL,
      ended_ns INTEGER,
      dropped_kernel INTEGER NOT NULL DEFAULT 0,
      dropped_interface INTEGER NOT NULL DEFAULT 0,
      dropped_queue INTEGER NOT NULL DEFAULT 0,
      damage TEXT,
      dissection_complete INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO main.capture SELECT * FROM temp.kept_capture;
    DROP TABLE temp.kept_capture;
    """

  /// The counts of a relay's clients: only in captures that relays recorded, whatever their format is.
  static let relay = """
    CREATE TABLE IF NOT EXISTS relay (
      route TEXT NOT NULL,
      clients INTEGER NOT NULL,
      refused INTEGER NOT NULL,
      forgotten INTEGER NOT NULL,
      not_passed_on INTEGER NOT NULL,
      dropped_kernel INTEGER
    ) STRICT
    """
  /// The names of the tables that hold the truth, whatever the protocols are.
  static let rawTables = ["capture", "interface", "packet", "port", "protocol"]

  /// Whether a table of this name holds the truth, and cannot be made again.
  static func isRaw(_ table: String) -> Bool { ["relay", "annotation"].contains(table) || rawTables.contains(table) }

  /// The columns of format 1 that became rows of `port`, with their ids.
  static let firstPorts = [
    "tele_udp_port": "tele-udp", "tele_tcp_port": "tele-tcp", "tele_beacon_port": "tele-beacon",
    "mouse_udp_port": "mouse-udp", "mouse_tcp_port": "mouse-tcp",
  ]
}
