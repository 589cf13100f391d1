import TelecapRecording

/// Reads the packets of a pcap, pcapng, btsnoop, snoop or PacketLogger file, or of such a stream, one by one, with memory that does
/// not grow. Each may be compressed with gzip or zstd.
///
///     var reader = try CaptureFileReader(path: "session.pcapng")
///     while try reader.next({ header, frame in … }) {}
///
/// A truncated or damaged input is delivered as far as it goes; then the error says where it broke.
public struct CaptureFileReader: ~Copyable {
  /// What an interface's statistics block says; nil where it says nothing (draft-ietf-opsawg-pcapng §4.6).
  public struct Statistics: Hashable, Sendable {
    /// Packets that the interface received (isb_ifrecv).
    public var received: UInt64?
    /// Packets that the interface dropped for want of resources (isb_ifdrop).
    public var droppedByInterface: UInt64?
    /// Packets that the operating system dropped (isb_osdrop).
    public var droppedByKernel: UInt64?

    /// Nothing is known yet.
    public init() {}
  }

  /// The largest frame that is believed, in bytes.
  public static let largestFrame = PacketHeader.largestFrame
  /// How many interfaces are believed, over all sections; also how many comments of sections are kept.
  public static let mostInterfaces = 65_536

  /// Which format the file has.
  public private(set) var format: CaptureFileFormat
  /// The interfaces that are known so far, over all sections; a packet's `interface` is an index into this.
  public internal(set) var interfaces: [Interface] = []
  /// What each interface's last statistics block said, in the order of `interfaces`.
  public internal(set) var statistics: [Statistics] = []
  /// The comments of the sections so far, in their order (pcapng).
  public internal(set) var comments: [String] = []

  var source: ByteSource
  var packets = 0
  var times = FileTimes()
  /// What the file says of the packet at hand beside its frame; nil where it says nothing.
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

  /// Reads from a descriptor that the caller opened and will close, such as a pipe; `path` is its name in errors.
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

  /// The first bytes of the file, as many as tell what it is.
  private mutating func start() throws(CaptureFileError) -> UnsafeRawBufferPointer {
    _ = try source.has(16)
    return UnsafeRawBufferPointer(start: source.bytes, count: min(64, source.available))
  }

  /// How the file is compressed; nil where it is not.
  public var compression: Compression? { source.compression }

  /// The path, as it was given.
  public var path: String { source.path }

  /// The number of bytes up to the end of the last packet, counted in the decompressed contents.
  public var offset: Int64 { source.offset }

  /// Hands the next packet to `body`; the bytes are valid only in there. False: the input has ended.
  ///
  /// After an error of the file's own, `next` answers false. When `body` throws, the packet counts as read.
  ///
  /// - Throws: `CaptureFileError`, or what `body` throws.
  public mutating func next(_ body: (PacketHeader, RawSpan) throws -> Void) throws -> Bool {
    try nextNoted { header, frame, _ in try body(header, frame) }
  }

  /// The same with what the file says of the packet beside its frame; nil where it says nothing.
  ///
  /// - Throws: as above.
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

  /// Hands every packet that is left to `body`.
  ///
  /// - Throws: `CaptureFileError`, or what `body` throws.
  public mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    while try next(body) {}
  }
}

/// A packet in the reader's window: valid until the window moves.
struct FoundPacket {
  var header: PacketHeader
  var frame: UnsafeRawBufferPointer
}
