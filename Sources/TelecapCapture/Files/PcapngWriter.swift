import TelecapRecording

/// Writes a pcapng file of one section in this machine's byte order (draft-ietf-opsawg-pcapng). Times are nanoseconds.
public struct PcapngWriter: ~Copyable {
  private var output: FileOutput
  /// The number of described interfaces.
  public private(set) var interfaceCount = 0
  /// The seconds to add to every timestamp (if_tsoffset): negative if there are times before 1970, which are otherwise
  /// not representable.
  private var offsetSeconds: Int64 = 0

  /// Creates the file, or replaces an existing one, and writes the section header; `-` is standard output.
  ///
  /// - Parameters:
  ///   - name: the file's name in errors; by default its path.
  ///   - ports: the ports at non-standard numbers, by their ids; our readers use them.
  ///   - earliest: the earliest time that will be written, if it is before 1970.
  /// - Throws: `CaptureFileError`
  public init(
    path: String, named name: String? = nil, tool: String, comment: String = "", ports: [String: UInt16] = [:],
    earliest: Timestamp = .zero
  ) throws(CaptureFileError) {
    self.init(output: try FileOutput(path: path, named: name), tool, [comment, PortsComment.text(ports)])
    let (seconds, rest) = earliest.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    offsetSeconds = min(0, rest < 0 ? seconds - 1 : seconds)
  }

  /// Writes to a descriptor that the caller opened and closes; `path` is its name in errors.
  public init(descriptor: Int32, path: String, tool: String, comment: String = "") {
    self.init(output: FileOutput(path: path, descriptor: Descriptor(borrowing: descriptor)), tool, [comment])
  }

  private init(output: consuming FileOutput, _ tool: String, _ comments: [String]) {
    self.output = output
    var options = OptionList()
    for comment in comments { options = options.adding(PcapngOptions.comment, comment) }
    options = options.adding(4, tool)
    block(BlockType.sectionHeader, bodyLength: 16 + options.bytes.count)
    self.output.append(Magic.byteOrder)
    self.output.append(UInt16(1))
    self.output.append(UInt16(0))
    self.output.append(UInt64.max)
    endBlock(bodyLength: 16 + options.bytes.count, options)
  }

  /// Describes an interface and returns its index, for the headers of its packets. Times are written in nanoseconds,
  /// whatever its own resolution is.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  @discardableResult
  public mutating func add(_ interface: Interface) throws(CaptureFileError) -> Int {
    let options = OptionList()
      .adding(PcapngOptions.comment, interface.comment)
      .adding(InterfaceOption.name, interface.name)
      .adding(InterfaceOption.description, interface.description)
      .adding(InterfaceOption.resolution, bytes: [9])
      .adding(InterfaceOption.offset, offsetSeconds == 0 ? nil : UInt64(bitPattern: offsetSeconds))
    let bodyLength = 8 + options.bytes.count
    block(BlockType.interfaceDescription, bodyLength: bodyLength)
    output.append(UInt32(interface.linkType))
    output.append(UInt32(clamping: interface.snapLength))
    endBlock(bodyLength: bodyLength, options)
    try output.flushIfFull()
    interfaceCount += 1
    return interfaceCount - 1
  }

  /// Appends a packet of a described interface, with an optional comment. A time before `earliest`, or before 1970, is
  /// clamped.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func write(
    _ header: PacketHeader, _ frame: RawSpan, comment: String
  ) throws(CaptureFileError) {
    try write(header, frame, note: comment.isEmpty ? nil : PacketNote(comments: [comment]))
  }

  /// Appends a packet of a described interface, with metadata in addition to its frame. Times as above.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func write(
    _ header: PacketHeader, _ frame: RawSpan, note: PacketNote? = nil
  ) throws(CaptureFileError) {
    let padded = frame.byteCount.paddedTo4
    guard let note, !note.isEmpty else {
      packetHead(header, frame, bodyLength: 20 + padded)
      output.append(UInt32(32 + padded))
      return try output.flushIfFull()
    }
    var options = OptionList()
    for comment in note.comments { options = options.adding(PcapngOptions.comment, comment) }
    if let flags = note.flags {
      options = options.adding(PcapngOptions.packetFlags, bytes: withUnsafeBytes(of: flags) { Array($0) })
    }
    let bodyLength = 20 + padded + options.bytes.count
    packetHead(header, frame, bodyLength: bodyLength)
    endBlock(bodyLength: bodyLength, options)
    try output.flushIfFull()
  }

  /// Appends the statistics of an interface at this time: packets received, dropped by the interface and by the kernel.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func write(
    _ statistics: CaptureFileReader.Statistics, interface: Int, time: Timestamp
  ) throws(CaptureFileError) {
    let options = OptionList()
      .adding(StatisticsOption.received, statistics.received)
      .adding(StatisticsOption.droppedByInterface, statistics.droppedByInterface)
      .adding(StatisticsOption.droppedByKernel, statistics.droppedByKernel)
    let bodyLength = 12 + options.bytes.count
    block(BlockType.interfaceStatistics, bodyLength: bodyLength)
    output.append(UInt32(clamping: interface))
    append(time)
    endBlock(bodyLength: bodyLength, options)
    try output.flushIfFull()
  }

  /// Writes the buffered packets and can continue. Without it the last packets are missing.
  ///
  /// - Throws: `CaptureFileError.cannotWrite`
  public mutating func finish() throws(CaptureFileError) { try output.flush() }

  private mutating func packetHead(_ header: PacketHeader, _ frame: RawSpan, bodyLength: Int) {
    block(BlockType.enhancedPacket, bodyLength: bodyLength)
    output.append(UInt32(clamping: header.interface))
    append(header.time)
    output.append(UInt32(clamping: frame.byteCount))
    output.append(UInt32(clamping: header.originalLength))
    output.append(frame)
    output.pad(frame.byteCount)
  }

  private mutating func append(_ time: Timestamp) {
    let ticks = ticks(time)
    output.append(UInt32(truncatingIfNeeded: ticks >> 32))
    output.append(UInt32(truncatingIfNeeded: ticks))
  }

  /// The nanoseconds since 1970 and the offset, which is not after the time.
  @inline(__always)
  private func ticks(_ time: Timestamp) -> UInt64 {
    if offsetSeconds == 0 { return UInt64(max(0, time.nanoseconds)) }
    // The offset in ns may not fit into an Int64, so subtract in seconds first.
    let seconds = time.nanoseconds / 1_000_000_000 - offsetSeconds
    if seconds < 0 { return 0 }
    let (whole, isOver) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let rest = time.nanoseconds % 1_000_000_000
    if rest < 0 { return whole >= rest.magnitude ? whole - rest.magnitude : 0 }
    let (ticks, isBeyond) = whole.addingReportingOverflow(UInt64(rest))
    return isOver || isBeyond ? .max : ticks
  }

  private mutating func block(_ type: UInt32, bodyLength: Int) {
    output.append(type)
    output.append(UInt32(bodyLength + 12))
  }

  private mutating func endBlock(bodyLength: Int, _ options: borrowing OptionList) {
    output.appendPadded(options.bytes)
    output.append(UInt32(bodyLength + 12))
  }
}

/// The encoded options of a block with their end marker; empty without options.
private struct OptionList: ~Copyable {
  private var list: [UInt8] = []

  init() {}

  /// The options and the end of options (§3.5).
  var bytes: [UInt8] { list.isEmpty ? [] : list + [0, 0, 0, 0] }

  consuming func adding(_ code: UInt16, bytes value: some Collection<UInt8>) -> OptionList {
    let kept = value.prefix(Int(UInt16.max))
    withUnsafeBytes(of: code) { list.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt16(kept.count)) { list.append(contentsOf: $0) }
    list.append(contentsOf: kept)
    list.append(contentsOf: repeatElement(0, count: kept.count.paddedTo4 - kept.count))
    return self
  }

  /// Appends text, unless it is empty.
  consuming func adding(_ code: UInt16, _ text: String) -> OptionList {
    text.isEmpty ? self : adding(code, bytes: text.utf8)
  }

  /// Appends a count, unless it is unknown.
  consuming func adding(_ code: UInt16, _ count: UInt64?) -> OptionList {
    guard let count else { return self }
    return adding(code, bytes: withUnsafeBytes(of: count) { Array($0) })
  }
}
