/// Names that no capture is written to.
public enum CaptureName {
  /// Why none is written to this one, to be read behind an option's name; nil where one may be.
  public static func problem(_ path: String) -> String? {
    if path == "-" { return "goes with a file: a capture is a database, no stream; telecap export -o - writes one" }
    guard [".pcapng", ".pcap", ".csv", ".jsonl"].contains(where: path.hasSuffix) else { return nil }
    return "writes a capture, whatever its name: end it in .telecap; telecap export makes others of it"
  }
}
