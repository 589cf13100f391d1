import TelecapCapture
import TelecapRecording
import TelecapStore

/// A capture's packets as a file that Wireshark and tcpdump read.
struct PacketExport {
  private let reader: CaptureReader
  private let selection: PacketSelection?

  init(_ reader: CaptureReader, _ selection: PacketSelection?) {
    self.reader = reader
    self.selection = selection
  }

  func write(_ format: ExportFormat, to path: String, force: Bool) throws {
    let linkType = format == .pcap ? try onlyLinkType() : 0
    // Makes the file, or refuses to replace it.
    _ = try Output(path: path, force: force)
    if format == .pcap { try writePcap(path, linkType) } else { try writePcapng(path) }
  }

  private func writePcapng(_ path: String) throws {
    let info = try reader.info()
    var writer = try PcapngWriter(
      path: path, tool: "telecap \(Telecap.versionText)", comment: PacketExport.comment(info))
    let interfaces = try reader.interfaces()
    for interface in interfaces { try writer.add(interface) }
    var last = info.started
    var packets = [UInt64](repeating: 0, count: interfaces.count)
    try reader.forEachCommentedPacket(in: selection) { header, frame, comment in
      last = header.time
      if packets.indices.contains(header.interface) { packets[header.interface] += 1 }
      try writer.write(header, frame, comment: comment)
    }
    // Drops are known for the capture as a whole, so they can be told for its only interface.
    if selection == nil, interfaces.count == 1, let received = packets.first {
      var statistics = CaptureFileReader.Statistics()
      statistics.received = received + UInt64(info.dropped.total)
      statistics.droppedByInterface = UInt64(info.dropped.interface)
      statistics.droppedByKernel = UInt64(info.dropped.kernel)
      try writer.write(statistics, interface: 0, time: last)
    }
    try writer.finish()
  }

  private func writePcap(_ path: String, _ linkType: UInt16) throws {
    var writer = try PcapWriter(path: path, linkType: linkType)
    try reader.forEachPacket(in: selection) { try writer.write($0, $1) }
    try writer.finish()
  }

  /// A pcap file has one link type for all its packets.
  private func onlyLinkType() throws -> UInt16 {
    let types = Set(try reader.interfaces().map(\.linkType))
    guard types.count <= 1 else {
      let list = types.sorted().map(String.init).joined(separator: ", ")
      throw Failure(
        .usage, "\(reader.path): its interfaces have the link types \(list), and a pcap file has one",
        advice: "export it as pcapng")
    }
    return types.first ?? 1
  }

  /// How the capture was made, in a line.
  private static func comment(_ info: CaptureInfo) -> String {
    var words = ["recorded by \(info.tool) \(info.version)"]
    if !info.host.isEmpty { words.append("on \(info.host)") }
    if !info.source.isEmpty { words.append("from \(info.source)") }
    if !info.filter.isEmpty { words.append("filter \(info.filter)") }
    if info.dropped.total > 0 { words.append("\(info.dropped.total) packets dropped") }
    if let damage = info.damage { words.append(damage) }
    return words.joined(separator: ", ")
  }
}
