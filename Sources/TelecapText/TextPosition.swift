/// A position in text, as users and editors count it.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  /// A position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `3:14`.
  public var description: String { "\(line):\(column)" }
}

/// The lines of UTF-8 text, to map byte offsets to positions. A line ends with LF, CR LF or CR.
public struct TextLines: Sendable {
  private let text: [UInt8]
  private var starts = [0]
  /// The number of scalars that start before each `stride`-th byte, because a file may be one long line.
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

  /// The position of the byte at `offset`; past the end, that of the end. Takes the same time in long and short lines.
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

  /// The number of scalars that start before this byte.
  private func count(before offset: Int) -> Int {
    guard !scalars.isEmpty else { return 0 }
    let place = min(offset / TextLines.stride, scalars.count - 1)
    return scalars[place] + text[place * TextLines.stride..<offset].count { $0 & 0xc0 != 0x80 }
  }
}
