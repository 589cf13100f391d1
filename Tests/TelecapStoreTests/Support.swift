import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// Changes four bytes of a file, big-endian.
func patch(_ path: String, at offset: Int, _ value: UInt32) throws {
  var bytes = try [UInt8](file: path)
  for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
  try bytes.write(to: path)
}

extension CaptureReader {
  /// All rows of any query.
  func rows(_ sql: String) throws -> [[CellValue]] { try table(sql).rows }

  func table(_ sql: String) throws -> (columns: [String], rows: [[CellValue]]) {
    try read { db in
      let query = try Query(db, path, sql)
      var rows: [[CellValue]] = []
      try query.forEach { row in rows.append(query.columns.indices.map { row.value(Int32($0)) }) }
      return (query.columns, rows)
    }
  }

  /// The output of `sqlite3 -header` for a query.
  func printed(_ sql: String) throws -> [String] {
    let (columns, rows) = try table(sql)
    return [columns.joined(separator: "|")] + rows.map { $0.map(\.printed).joined(separator: "|") }
  }

  /// Every row of every table, for comparing whole captures.
  func dump(of tables: [String] = CaptureSchema.standard.all.map(\.name)) throws -> [String: [[CellValue]]] {
    try Dictionary(uniqueKeysWithValues: tables.map { ($0, try rows("SELECT * FROM \($0) ORDER BY 1, 2")) })
  }
}

extension CellValue {
  var printed: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .float(let value): "\(value)"
    case .text(let value): value
    case .blob(let value): Hex.text(value)
    }
  }
}

extension CaptureInfo {
  static let test = CaptureInfo(
    version: "0.1.0", host: "desk", clock: "system clock, ns", source: "lo", filter: "udp port 50000",
    commandLine: "telecap record -i lo", started: Timestamp(nanoseconds: 1_700_000_000_000_000_000))
}

/// A frame of `count` bytes that encode its number.
func frame(_ number: Int, _ count: Int = 80) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
}

extension CaptureWriter {
  /// Adds packets of these numbers, 1 ms apart.
  func add(numbers: ClosedRange<Int>, size: Int = 80) throws {
    for number in numbers {
      let bytes = frame(number, size)
      let time = Timestamp(nanoseconds: Int64(number) * 1_000_000)
      try add(PacketHeader(number: number, time: time, originalLength: size, linkType: 1), bytes.span.bytes)
    }
  }
}
