// The pcapng blocks that describe: section header (§4.1), interface description (§4.2), interface statistics (§4.6).
import TelecapRecording

extension CaptureFileReader {
  /// Reads the section header in the window, which sets the byte order of the section.
  mutating func readSectionHeader() throws(CaptureFileError) {
    guard try source.has(12) else { throw truncated(.sectionHeader, needed: 28) }
    let order: UInt32 = source.bytes.integer(8, swapped: false)
    guard order == Magic.byteOrder || order == Magic.byteOrder.byteSwapped else {
      throw damaged("it has no byte-order magic at its byte 8", .sectionHeader)
    }
    section = PcapngSection()
    section.isSwapped = order != Magic.byteOrder
    section.firstInterface = interfaces.count
    let length = Int(source.bytes.integer(4, as: UInt32.self, swapped: section.isSwapped))
    let head = BlockHead(type: BlockType.sectionHeader, length: length)
    try check(length: length, .sectionHeader)
    try check(head, atLeast: 28, .sectionHeader)
    try readWhole(head, .sectionHeader)
    let major: UInt16 = source.bytes.integer(12, swapped: section.isSwapped)
    guard major == 1 else { throw damaged("its version is \(major), and only 1 is known", .sectionHeader) }
    var found: [String] = []
    let isWhole = options(head, from: 24).forEach { code, value in
      if code == PcapngOptions.comment { found.append(PcapngOptions.text(value)) }
    }
    guard isWhole else { throw damaged("an option reaches over its end", .sectionHeader) }
    comments += found.prefix(Self.mostInterfaces - comments.count)
    source.advance(length)
  }

  /// Reads the interface description in the window.
  mutating func readInterface(_ head: BlockHead) throws(CaptureFileError) {
    try check(head, atLeast: 20)
    guard interfaces.count < Self.mostInterfaces else {
      throw damaged("it is one more than the \(Self.mostInterfaces) interfaces that are believed")
    }
    let swapped = section.isSwapped
    var interface = Interface(
      name: "", linkType: source.bytes.integer(8, swapped: swapped),
      snapLength: Int(source.bytes.integer(12, as: UInt32.self, swapped: swapped)))
    var clock: PcapngClock? = .microseconds
    var offset: Int64 = 0
    let options = options(head, from: 16)
    let isWhole = options.forEach { code, value in
      switch code {
      case PcapngOptions.comment:
        interface.comment += (interface.comment.isEmpty ? "" : "\n") + PcapngOptions.text(value)
      case InterfaceOption.name: interface.name = PcapngOptions.text(value)
      case InterfaceOption.description: interface.description = PcapngOptions.text(value)
      case InterfaceOption.resolution: clock = value.first.flatMap(PcapngClock.init(resolution:))
      case InterfaceOption.offset: offset = options.number(value).map { Int64(bitPattern: $0) } ?? 0
      default: break
      }
    }
    guard isWhole else { throw damaged("an option reaches over its end") }
    guard var clock else { throw damaged("its timestamp resolution (if_tsresol) has no meaning") }
    clock.offsetSeconds = offset
    interface.ticksPerSecond = clock.ticksPerSecond
    interfaces.append(interface)
    statistics.append(section.earlyStatistics.removeValue(forKey: section.clocks.count) ?? Statistics())
    section.clocks.append(clock)
    source.advance(head.length)
  }

  /// Reads the interface statistics in the window. The counts are cumulative, so the last one wins. Statistics before
  /// their interface's description have effect once it follows (§4.6 requires no order), and none if it never does.
  mutating func readStatistics(_ head: BlockHead) throws(CaptureFileError) {
    try check(head, atLeast: 24)
    let id = Int(source.bytes.integer(8, as: UInt32.self, swapped: section.isSwapped))
    let index = id < section.clocks.count ? section.firstInterface + id : nil
    var found = index.map { statistics[$0] } ?? section.earlyStatistics[id] ?? Statistics()
    let options = options(head, from: 20)
    let isWhole = options.forEach { code, value in
      switch code {
      case StatisticsOption.received: found.received = options.number(value)
      case StatisticsOption.droppedByInterface: found.droppedByInterface = options.number(value)
      case StatisticsOption.droppedByKernel: found.droppedByKernel = options.number(value)
      default: break
      }
    }
    guard isWhole else { throw damaged("an option reaches over its end") }
    if let index {
      statistics[index] = found
    } else if id < Self.mostInterfaces {
      section.earlyStatistics[id] = found
    }
    source.advance(head.length)
  }

  /// The index in `interfaces` of the section's interface `id`.
  @inline(__always)
  func interfaceIndex(_ id: Int) throws(CaptureFileError) -> Int {
    guard id < section.clocks.count else {
      throw damaged("it names interface \(id), and the section has described \(section.clocks.count)")
    }
    return section.firstInterface + id
  }
}

/// Option codes of the interface description block (§4.2).
enum InterfaceOption {
  static let name: UInt16 = 2
  static let description: UInt16 = 3
  static let resolution: UInt16 = 9
  static let offset: UInt16 = 14
}

/// Option codes of the interface statistics block (§4.6).
enum StatisticsOption {
  static let received: UInt16 = 4
  static let droppedByInterface: UInt16 = 5
  static let droppedByKernel: UInt16 = 7
}
