/// Help texts that several commands share.
enum Help {
  /// The formats of other programs that every command can read that reads a recording.
  static let foreign = "A pcap, pcapng, btsnoop, snoop or PacketLogger file, also compressed with gzip or zstd"
  /// A recording from a file.
  static let recording = "\(capture)."
  /// A recording from a file or a pipe.
  static let recordingOrStandardInput = "\(capture); - is standard input."

  private static let capture =
    "A .telecap capture, or a file of another program: pcap, pcapng, btsnoop, snoop, PacketLogger; also compressed with gzip or zstd"
}
