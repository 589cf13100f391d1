import TelecapCapture

/// The names by which standard output is named as an output.
public enum StandardOutput {
  /// Whether this is one of them: `-`, or what the system calls the descriptor. Where a shell sent that into a file, the file is
  /// the shell's: it is written through the descriptor, and neither replaced nor refused.
  public static func isNamed(_ path: String) -> Bool {
    Descriptor.number(namedBy: path) == Descriptor.output.number
  }
}
