// The pcapng blocks that carry packets: enhanced (§4.3), simple (§4.4) and the obsolete one (appendix A).
import TelecapRecording

extension CaptureFileReader {
  /// Reads the enhanced packet block in the window.
  mutating func enhancedPacket(_ head: BlockHead) throws(CaptureFileError) -> FoundPacket {
    try check(head, atLeast: 32)
    let id = Int(source.bytes.integer(8, as: UInt32.self, swapped: section.isSwapped))
    return try timedPacket(head, interface: try interfaceIndex(id))
  }

  /// Reads the obsolete packet block in the window, which differs from the enhanced one in 16-bit fields for interface
  /// and drops.
  mutating func obsoletePacket(_ head: BlockHead) throws(CaptureFileError) -> FoundPacket {
    try check(head, atLeast: 32)
    let id = Int(source.bytes.integer(8, as: UInt16.self, swapped: section.isSwapped))
    return try timedPacket(head, interface: try interfaceIndex(id))
  }

  @inline(__always)
  private mutating func timedPacket(_ head: BlockHead, interface: Int) throws(CaptureFileError) -> FoundPacket {
    let bytes = source.bytes
    let swapped = section.isSwapped
    let high: UInt32 = bytes.integer(12, swapped: swapped)
    let low: UInt32 = bytes.integer(16, swapped: swapped)
    let captured = Int(bytes.integer(20, as: UInt32.self, swapped: swapped))
    let original = Int(bytes.integer(24, as: UInt32.self, swapped: swapped))
    let ticks = UInt64(high) << 32 | UInt64(low)
    let time = time(ticks, section.clocks[interface - section.firstInterface])
    section.lastTime = time
    readNote(head, from: 28 + captured.paddedTo4)
    return try packet(
      head, frameAt: 28, captured: captured, original: original, interface: interface, time: time)
  }

  /// Reads the options of the packet in the window, if any. A truncated option does not make the packet damaged.
  @inline(__always)
  private mutating func readNote(_ head: BlockHead, from start: Int) {
    if start + 8 <= head.length { readOptions(head, from: start) }
  }

  @inline(never)
  private mutating func readOptions(_ head: BlockHead, from start: Int) {
    var found = PacketNote()
    let options = options(head, from: start)
    _ = options.forEach { code, value in
      switch code {
      case PcapngOptions.comment: found.comments.append(PcapngOptions.text(value))
      case PcapngOptions.packetFlags where value.count == 4:
        found.flags = value.baseAddress?.integer(0, swapped: options.isSwapped)
      default: break
      }
    }
    if !found.isEmpty { note = found }
  }

  /// The timestamp of this many ticks of an interface's clock.
  @inline(__always)
  private mutating func time(_ ticks: UInt64, _ clock: PcapngClock) -> Timestamp {
    guard times.isAbsolute, let time = clock.usualTime(ticks: ticks) else {
      return times.timestamp(clock.fileTime(ticks: ticks))
    }
    times.began()
    return time
  }

  /// Reads the simple packet block in the window: interface 0 and no time, so it gets that of the packet before.
  mutating func simplePacket(_ head: BlockHead) throws(CaptureFileError) -> FoundPacket {
    try check(head, atLeast: 16)
    let interface = try interfaceIndex(0)
    let original = Int(source.bytes.integer(8, as: UInt32.self, swapped: section.isSwapped))
    let limit = interfaces[interface].snapLength
    let captured = limit == 0 ? original : min(original, limit)
    return try packet(
      head, frameAt: 12, captured: captured, original: original, interface: interface, time: section.lastTime)
  }

  @inline(__always)
  private mutating func packet(
    _ head: BlockHead, frameAt start: Int, captured: Int, original: Int, interface: Int, time: Timestamp
  ) throws(CaptureFileError) -> FoundPacket {
    guard captured <= Self.largestFrame, start + captured.paddedTo4 + 4 <= head.length else {
      throw damaged("its frame is \(captured) bytes, and a block of \(head.length) has no room for it")
    }
    packets += 1
    let frame = UnsafeRawBufferPointer(start: source.bytes + start, count: captured)
    source.advance(head.length)
    let header = PacketHeader(
      number: packets, time: time, interface: interface, originalLength: max(original, captured),
      linkType: interfaces[interface].linkType)
    return FoundPacket(header: header, frame: frame)
  }
}
