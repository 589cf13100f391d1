#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
import TelecapReport
import TelecapText

/// Talk goes to stderr; results go through `Output`.
enum Console {
  /// Colour for what goes to this descriptor: on a terminal, and not with `NO_COLOR` (no-color.org) or a dumb one.
  static func style(for descriptor: Int32) -> Style {
    let refused = getenv("NO_COLOR").map { $0[0] != 0 } ?? false
    let dumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return Style(isColoured: isTerminal(descriptor) && !refused && !dumb)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Talk: a line on stderr, or more. What it quotes of files and of other programs cannot move the cursor.
  static func say(_ line: String) { write(line.unfolded.printableLines + "\n") }

  /// Talk without an end of line. Nobody is left to be told when stderr fails.
  static func write(_ text: String) { try? Descriptor.errors.write(Array(text.utf8)) }
}
