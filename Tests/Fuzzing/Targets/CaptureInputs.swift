import TelecapCapture
import TelecapRecording

extension FuzzTarget {
  /// A file of packets in any format, also compressed: what was read of it can be written and read again.
  static let captureFile = FuzzTarget("capture-file", seeds: { try Seeds.captureFiles() }) { bytes in
    let file = try ScratchFile(bytes)
    guard let (packets, interfaces, isWhole) = try read(file.descriptor, upTo: bytes.count) else { return false }
    let copy = try ScratchFile()
    var writer = PcapngWriter(descriptor: copy.descriptor, path: "copy", tool: "fuzz")
    for interface in interfaces { try writer.add(interface) }
    for packet in packets { try writer.write(packet.header, packet.frame.span.bytes) }
    try writer.finish()
    copy.rewind()
    let again = try read(copy.descriptor, upTo: .max)
    try hold(again?.isWhole == true, "what was written cannot be read")
    try hold(again?.packets.map(\.frame) == packets.map(\.frame), "other frames were written")
    try hold(
      again?.packets.map(\.header.time) == packets.map { max($0.header.time, .zero) }, "other times were written")
    return isWhole
  }

  private struct Packet {
    var header: PacketHeader
    var frame: [UInt8]
  }

  /// The packets up to the end, or up to the error; nil if the file is no capture.
  private static func read(
    _ descriptor: Int32, upTo size: Int
  ) throws -> (packets: [Packet], interfaces: [Interface], isWhole: Bool)? {
    var packets: [Packet] = []
    do {
      var reader = try CaptureFileReader(descriptor: descriptor, path: "input")
      var isWhole = true
      do {
        // A few bytes of a compressed file may become gigabytes: these are not kept here.
        while reader.compression == nil || packets.count < 64,
          try reader.next({ packets.append(Packet(header: $0, frame: $1.array)) })
        {}
      } catch let error as CaptureFileError {
        try hold(!"\(error)".isEmpty, "an error without words")
        isWhole = false
      }
      try hold(reader.compression != nil || reader.offset <= size, "read up to byte \(reader.offset) of \(size)")
      try hold(packets.map(\.header.number) == Array(1..<packets.count + 1), "packets are not numbered in their order")
      try hold(packets.allSatisfy { $0.header.interface < reader.interfaces.count }, "a packet of no interface")
      return (packets, reader.interfaces, isWhole)
    } catch is CaptureFileError {
      return nil
    }
  }
}
