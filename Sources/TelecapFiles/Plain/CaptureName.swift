import TelecapCapture
import TelecapText

/// Names that say something else than what is written there.
public enum CaptureName {
  /// Why no capture is written to this one, or no pcapng file, to be read behind an option's name; nil where one may be.
  public static func problem(_ path: String?, isPcapng: Bool = false) -> String? {
    let written = isPcapng ? Written.pcapng : .capture
    if path.flatMap(Descriptor.number(namedBy:)) != nil { return "requires a file: \(written.onStandardOutput)" }
    guard let path, written.others.contains(where: path.hasEnding) else { return nil }
    return "writes \(written.words)"
  }

  private struct Written {
    /// How names end that say something else.
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
