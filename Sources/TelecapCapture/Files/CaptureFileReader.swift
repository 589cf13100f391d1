import TelecapRecording

/// Reads the packets of a pcap, pcapng, btsnoop, snoop or PacketLogger file or stream, one by one, in constant memory.
/// Each may be compressed with gzip or zstd.
///
///     var reader = try CaptureFileReader(path: "session.pcapng")
///     while try reader.next({ header, frame in … }) {}
///
/// A truncated or damaged input is delivered up to the damage; then the error has its offset.
public struct CaptureFileReader: ~Copyable {
  /// The values of an interface's statistics block; nil for missing ones (draft-ietf-opsawg-pcapng §4.6).
  public struct Statistics: Hashable, Sendable {
    /// Packets that the interface received (isb_ifrecv).
    public var received: UInt64?
    /// Packets that the interface dropped for lack of resources (isb_ifdrop).
    public var droppedByInterface: UInt64?
    /// Packets that the operating system dropped (isb_osdrop).
    public var droppedByKernel: UInt64?

    /// Without values.
    public init() {}
  }

  /// The maximum length of a frame, in bytes; longer ones are damage.
  public static let largestFrame = PacketHeader.largestFrame
  /// The maximum number of interfaces over all sections, and of stored comments of sections.
  public static let mostInterfaces = 65_536

  /// The format of the file.
  public private(set) var format: CaptureFileFormat
  /// The interfaces so far, over all sections; a packet's `interface` is an index into this.
  public internal(set) var interfaces: [Interface] = []
  /// The last statistics of each interface, in the order of `interfaces`.
  public internal(set) var statistics: [Statistics] = []
  /// The comments of the sections so far, in their order (pcapng).
  public internal(set) var comments: [String] = []

  var source: ByteSource
  var packets = 0
  var times = FileTimes()
  /// The metadata of the current packet in addition to its frame; nil if the file has none.
  var note: PacketNote?
  var pcap = PcapLayout()
  var section = PcapngSection()
  var btsnoop = BtsnoopForm.h4
  var snoop = SnoopLayout()
  var packetLogger = PacketLoggerLayout()
  private var isFinished = false

  /// Opens a file and reads its first header; `-` is standard input.
  ///
  /// - Throws: `CaptureFileError`
  public init(path: String) throws(CaptureFileError) {
    try self.init(source: try ByteSource(path: path))
  }

  /// Reads from a descriptor that the caller opened and closes, such as a pipe; `path` is its name in errors.
  ///
  /// - Throws: `CaptureFileError`
  public init(descriptor: Int32, path: String) throws(CaptureFileError) {
    try self.init(source: ByteSource(path: path, descriptor: Descriptor(borrowing: descriptor)))
  }

  private init(source: consuming ByteSource) throws(CaptureFileError) {
    format = .pcap
    self.source = source
    format = try detectFormat()
    switch format {
    case .pcap: try readFileHeader()
    case .pcapng: try readSectionHeader()
    case .btsnoop: try readBtsnoopHeader()
    case .snoop: try readSnoopHeader()
    case .packetLogger: readPacketLoggerStart()
    }
  }

  private mutating func detectFormat() throws(CaptureFileError) -> CaptureFileFormat {
    if let compression = Compression(try start()) { try source.decompress(compression) }
    let start = try start()
    if start.starts(with: Magic.btsnoop) { return .btsnoop }
    if start.starts(with: Magic.snoop) { return .snoop }
    switch Magic.number(start) {
    case Magic.microseconds, Magic.nanoseconds, Magic.kuznetzov, Magic.microseconds.byteSwapped,
      Magic.nanoseconds.byteSwapped, Magic.kuznetzov.byteSwapped:
      return .pcap
    case Magic.sectionHeader:
      return .pcapng
    default:
      if let layout = PacketLoggerLayout(start) {
        packetLogger = layout
        return .packetLogger
      }
      let looksLike = Magic.describe(start)
      throw .notCapture(
        path: path,
        looksLike: source.compression.map { "it is compressed with \($0.rawValue), and in it: \(looksLike)" }
          ?? looksLike)
    }
  }

  /// The first bytes of the file, enough to detect its format.
  private mutating func start() throws(CaptureFileError) -> UnsafeRawBufferPointer {
    _ = try source.has(16)
    return UnsafeRawBufferPointer(start: source.bytes, count: min(64, source.available))
  }

  /// The compression of the file; nil without compression.
  public var compression: Compression? { source.compression }

  /// The path as given.
  public var path: String { source.path }

  /// The number of bytes up to the end of the last packet, counted in the decompressed contents.
  public var offset: Int64 { source.offset }

  /// Passes the next packet to `body`; the bytes are valid only during the call. False at the end of the input.
  ///
  /// After an error of the file itself, `next` returns false. If `body` throws, the packet counts as read.
  ///
  /// - Throws: `CaptureFileError`, or any error of `body`.
  public mutating func next(_ body: (PacketHeader, RawSpan) throws -> Void) throws -> Bool {
    try nextNoted { header, frame, _ in try body(header, frame) }
  }

  /// The same with the metadata of the packet in addition to its frame; nil if the file has none.
  ///
  /// - Throws: `CaptureFileError`, or any error of `body`.
  public mutating func nextNoted(_ body: (PacketHeader, RawSpan, PacketNote?) throws -> Void) throws -> Bool {
    if isFinished { return false }
    if note != nil { note = nil }
    let found: FoundPacket?
    do throws(CaptureFileError) {
      found =
        switch format {
        case .pcap: try nextRecord()
        case .pcapng: try nextPacketBlock()
        case .btsnoop: try nextBtsnoopRecord()
        case .snoop: try nextSnoopRecord()
        case .packetLogger: try nextPacketLoggerRecord()
        }
    } catch {
      isFinished = true
      throw error
    }
    guard let found else {
      isFinished = true
      return false
    }
    try body(found.header, found.frame.bytes, note)
    return true
  }

  /// Passes all remaining packets to `body`.
  ///
  /// - Throws: `CaptureFileError`, or any error of `body`.
  public mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    while try next(body) {}
  }
}

/// A packet in the reader's window: valid until the window moves.
struct FoundPacket {
  var header: PacketHeader
  var frame: UnsafeRawBufferPointer
}
