import TelecapRecording

/// Writes a pcap file in this machine's byte order (draft-ietf-opsawg-pcap): one link type, times from 1970 to 2106.
public struct PcapWriter: ~Copyable {
  /// The resolution of times.
  public enum Resolution: Hashable, Sendable {
    /// Microseconds, which every program can read; nanoseconds are truncated.
    case microseconds
    /// Nanoseconds.
    case nanoseconds
  }

  private var output: FileOutput
  private let resolution: Resolution

  /// Creates the file, or replaces an existing one, and writes its header; `-` is standard output.
  ///
  /// - Parameter name: the file's name in errors; by default its path.
  /// - Throws: `CaptureFileError`
  public init(
    path: String, named name: String? = nil, linkType: UInt16, snapLength: Int = 262_144,
    resolution: Resolution = .nanoseconds
  ) throws(CaptureFileError) {
    self.init(output: try FileOutput(path: path, named: name), linkType, snapLength, resolution)
  }

  private init(output: consuming FileOutput, _ linkType: UInt16, _ snapLength: Int, _ resolution: Resolution) {
    self.output = output
    self.resolution = resolution
    self.output.append(resolution == .nanoseconds ? Magic.nanoseconds : Magic.microseconds)
    self.output.append(UInt16(2))
    self.output.append(UInt16(4))
    self.output.append(UInt64(0))
    self.output.append(UInt32(clamping: snapLength))
    self.output.append(UInt32(linkType))
  }

  /// The range of times in the format, whose seconds are an unsigned number of 32 bits.
  public static let times = Timestamp.zero...Timestamp(nanoseconds: (1 << 32) * 1_000_000_000 - 1)

  /// Appends a packet. A time outside `times` is clamped.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func write(_ header: PacketHeader, _ frame: RawSpan) throws(CaptureFileError) {
    let (seconds, nanoseconds) = max(0, header.time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    output.append(UInt32(clamping: seconds))
    output.append(UInt32(resolution == .nanoseconds ? nanoseconds : nanoseconds / 1000))
    output.append(UInt32(clamping: frame.byteCount))
    output.append(UInt32(clamping: header.originalLength))
    output.append(frame)
    try output.flushIfFull()
  }

  /// Writes the buffered packets. Without it the last packets are missing.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func finish() throws(CaptureFileError) { try output.flush() }
}
