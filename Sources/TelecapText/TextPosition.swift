/// A place in text, as people and editors say it.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  /// The character in its line (Unicode scalars), from 1.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `3:14`.
  public var description: String { "\(line):\(column)" }
}

/// The lines of a text in UTF-8, to tell bytes' places. A line ends with LF, CR LF or CR.
public struct TextLines: Sendable {
  private let text: [UInt8]
  private var starts = [0]

  /// The lines of `text`.
  public init(_ text: [UInt8]) {
    self.text = text
    for (index, byte) in text.enumerated() {
      let isReturn = byte == 13 && (index + 1 == text.count || text[index + 1] != 10)
      if byte == 10 || isReturn { starts.append(index + 1) }
    }
  }

  /// Where the byte at `offset` stands; past the end, where the text ends.
  public func position(at offset: Int) -> TextPosition {
    let offset = min(max(0, offset), text.count)
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let scalars = text[starts[low]..<offset].count { $0 & 0xc0 != 0x80 }
    return TextPosition(line: low + 1, column: scalars + 1)
  }
}
