/// Names that say something else than what is written there.
public enum CaptureName {
  /// Why no capture is written to this one, or no pcapng file, to be read behind an option's name; nil where one may be.
  public static func problem(_ path: String?, isPcapng: Bool = false) -> String? {
    guard let path else { return nil }
    if path == "-" {
      return isPcapng
        ? "goes with a file: standard output is the report's"
        : "goes with a file: a capture is a database, no stream; telecap export -o - writes one"
    }
    guard [isPcapng ? ".telecap" : ".pcapng", ".pcap", ".csv", ".jsonl"].contains(where: path.hasSuffix) else {
      return nil
    }
    return isPcapng
      ? "writes pcapng, whatever its name: end it in .pcapng; telecap import makes a capture of it"
      : "writes a capture, whatever its name: end it in .telecap; telecap export makes others of it"
  }
}
