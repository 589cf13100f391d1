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

/// Log output on stderr. Results are printed by `Output`.
enum Console {
  /// The style for output to this descriptor.
  static func style(for descriptor: Int32, _ color: ColorChoice) -> Style {
    let isColoured = color.isColoured(isTerminal: isTerminal(descriptor)) { name in
      getenv(name).map { String(cString: $0) }
    }
    return Style(isColoured: isColoured)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Prints one or more log lines on stderr. Escapes control characters, so that quoted text from files and other
  /// programs cannot move the cursor.
  static func say(_ line: String) { write(line.unfolded.printableLines + "\n") }

  /// Prints log text without an end of line. Errors are ignored, because a failed stderr cannot report them.
  static func write(_ text: String) { try? Descriptor.errors.write(Array(text.utf8)) }
}
