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
  /// How many scalars begin before each `stride`-th byte: a file may be one long line.
  private var scalars: [Int] = []
  private static let stride = 1_024

  /// The lines of `text`.
  public init(_ text: [UInt8]) {
    self.text = text
    var count = 0
    for (index, byte) in text.enumerated() {
      if index % TextLines.stride == 0 { scalars.append(count) }
      if byte & 0xc0 != 0x80 { count += 1 }
      let isReturn = byte == 13 && (index + 1 == text.count || text[index + 1] != 10)
      if byte == 10 || isReturn { starts.append(index + 1) }
    }
  }

  /// Where the byte at `offset` stands; past the end, where the text ends. Takes as long in a long line as in a short one.
  public func position(at offset: Int) -> TextPosition {
    let offset = min(max(0, offset), text.count)
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return TextPosition(line: low + 1, column: count(before: offset) - count(before: starts[low]) + 1)
  }

  /// How many scalars begin before this byte.
  private func count(before offset: Int) -> Int {
    guard !scalars.isEmpty else { return 0 }
    let place = min(offset / TextLines.stride, scalars.count - 1)
    return scalars[place] + text[place * TextLines.stride..<offset].count { $0 & 0xc0 != 0x80 }
  }
}
