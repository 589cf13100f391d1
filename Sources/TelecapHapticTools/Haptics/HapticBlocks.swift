import TelecapText

extension HapticPlot {
  /// A picture for a terminal: intensity as bars of block characters, sharpness as a row below them, and a time axis.
  public func blocks(rows: Int = 8, columns: Int = 64) -> [String] {
    let bars = (0..<columns).map { strongest(in: $0, of: columns) }
    var lines = [title.printable]
    for row in (0..<rows).reversed() {
      let label = row == rows - 1 ? "1 ┤" : row == 0 ? "0 ┤" : "  │"
      lines.append(label + trimmed(bars.map { HapticPlot.block($0.intensity * Double(rows) - Double(row)) }))
    }
    lines.append("  └" + String(repeating: "─", count: columns))
    lines.append("   " + axis(columns))
    lines.append("   sharpness, where anything is felt:")
    lines.append("   " + trimmed(bars.map { $0.intensity > 0 ? HapticPlot.block(max($0.sharpness, 0.01)) : " " }))
    return lines
  }

  /// The strongest sample of a column, so that no tap between two columns is lost.
  private func strongest(in column: Int, of columns: Int) -> (intensity: Double, sharpness: Double) {
    let from = column * intensity.count / columns
    let to = max(from + 1, (column + 1) * intensity.count / columns)
    let best = (from..<min(to, intensity.count)).max { intensity[$0] < intensity[$1] }
    return best.map { (intensity[$0], sharpness[$0]) } ?? (0, 0)
  }

  /// A block with the fill level `level`, 0…1; every value above 0 is visible.
  private static func block(_ level: Double) -> Character {
    let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    if level <= 0 { return " " }
    return blocks[min(max(1, Int((level * 8).rounded())), 8)]
  }

  private func trimmed(_ characters: [Character]) -> String {
    String(characters.reversed().drop { $0 == " " }.reversed())
  }

  /// The labels of the time axis, each starting at its position.
  private func axis(_ columns: Int) -> String {
    guard duration > 0 else { return "0 s" }
    var text = ""
    var index = 0.0
    while index * tick <= duration {
      let column = Int((index * tick / duration * Double(columns)).rounded())
      if column >= text.count {
        text += String(repeating: " ", count: column - text.count) + HapticPlot.label(index * tick) + " s "
      }
      index += 1
    }
    return trimmed(Array(text))
  }
}
