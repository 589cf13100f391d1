extension CaptureFileReader {
  /// What a person should know of what was read so far and is not in the packets, in sentences.
  public var notes: [String] {
    let others = packetLogger.others
    let left =
      others == 0
      ? nil
      : "\(others) \(others == 1 ? "record is" : "records are") left out: PacketLogger's notes, logs and LMP, which are no packets "
        + "between host and controller"
    return [timeNote, left].compactMap(\.self)
  }
}
