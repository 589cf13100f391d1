extension StringProtocol {
  /// Whether a file name has this extension, in lower or upper case: `SESSION.PCAP` has `.pcap`.
  public func hasEnding(_ ending: String) -> Bool {
    utf8.count >= ending.utf8.count
      && zip(utf8.suffix(ending.utf8.count), ending.utf8).allSatisfy { small($0) == small($1) }
  }

  private func small(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}
