import TelecapRecording
import TelecapStore
import TelecapText
import TelecapWire

/// Writes a capture's messages as rows.
public struct RowExport {
  private let reader: CaptureReader
  private let condition: String?
  private let columns: [String]

  /// The messages that match `condition` (SQL), with these columns.
  public init(_ reader: CaptureReader, where condition: String?, columns: [String]) {
    self.reader = reader
    self.condition = condition
    self.columns = columns
  }

  /// Writes CSV by RFC 4180 with bare line feeds: a header, then a line a message; a missing value is an empty field.
  /// For a terminal, invisible characters are escaped; a file has the text unchanged.
  ///
  /// - Throws: `FileError` or `StoreError`.
  public func writeCSV(to path: String, force: Bool) throws {
    var output = try Output(path: path, force: force)
    try output.line(columns.joined(separator: ","))
    try reader.forEachRow(of: columns, where: condition) { _, values in
      for (index, value) in values.enumerated() {
        if index > 0 { output.buffer.append(UInt8(ascii: ",")) }
        output.buffer.append(contentsOf: (output.isTerminal ? value.csv.printable : value.csv).utf8)
      }
      output.buffer.append(UInt8(ascii: "\n"))
      try output.flushIfLarge()
    }
    try output.finish()
  }

  /// Writes a JSON object a message, without members for missing values.
  ///
  /// - Throws: `FileError` or `StoreError`.
  public func writeJSON(to path: String, force: Bool) throws {
    var output = try Output(path: path, force: force)
    var json = JSONWriter()
    try reader.forEachRow(of: columns, where: condition) { columns, values in
      json.beginObject()
      for (name, value) in zip(columns, values) where value != .null {
        json.key(name)
        value.write(to: &json)
      }
      json.endObject()
      json.endLine()
      try output.take(&json)
    }
    try output.finish()
  }
}

extension CellValue {
  /// The value as a CSV field.
  fileprivate var csv: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .float(let value): "\(value)"
    case .blob(let bytes): Hex.text(bytes)
    case .text(let text): Escaping.csv(text)
    }
  }

  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.putNull()
    case .integer(let value): json.put(nil, value)
    case .real(let value): json.put(nil, value)
    case .float(let value): json.put(nil, value)
    case .blob(let bytes): json.put(nil, Hex.text(bytes))
    case .text(let text): json.put(nil, text)
    }
  }
}
