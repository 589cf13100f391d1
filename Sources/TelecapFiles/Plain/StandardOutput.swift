import TelecapCapture

/// The names of standard output as an output.
public enum StandardOutput {
  /// Whether this is one of them: `-`, or the system's path of the descriptor. If it is redirected to a file, that file
  /// belongs to the shell: it is written through the descriptor, and neither replaced nor rejected.
  public static func isNamed(_ path: String) -> Bool {
    Descriptor.number(namedBy: path) == Descriptor.output.number
  }
}
