import TelecapCapture
import TelecapText

/// Names whose extension contradicts the format of the content.
public enum CaptureName {
  /// The reason why a capture, or a pcapng file, may not have this name, to be read after an option's name; nil if it
  /// may.
  public static func problem(_ path: String?, isPcapng: Bool = false) -> String? {
    let written = isPcapng ? Written.pcapng : .capture
    if path.flatMap(Descriptor.number(namedBy:)) != nil { return "requires a file: \(written.onStandardOutput)" }
    guard let path, written.others.contains(where: path.hasEnding) else { return nil }
    return "writes \(written.words)"
  }

  private struct Written {
    /// The extensions of other formats.
    let others: [String]
    let words: String
    let onStandardOutput: String

    static let capture = Written(
      others: [".pcapng", ".pcap", ".csv", ".jsonl"],
      words: "a capture, whatever its name: end it in .telecap; telecap export makes others of it",
      onStandardOutput: "a capture is a database, no stream; telecap export -o - writes one")
    static let pcapng = Written(
      others: [".telecap", ".pcap", ".csv", ".jsonl"],
      words: "pcapng, whatever its name: end it in .pcapng; telecap import makes a capture of it",
      onStandardOutput: "standard output is the report's")
  }
}
