extension CaptureFileReader {
  /// Notes for the user about the parts of the file that were ignored or changed so far, as sentences.
  public var notes: [String] {
    let others = packetLogger.others
    let left =
      others == 0
      ? nil
      : "\(others) PacketLogger \(others == 1 ? "record was" : "records were") skipped: notes, logs and LMP are not HCI packets"
    return [timeNote, left].compactMap(\.self)
  }
}
