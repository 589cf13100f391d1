import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// Writes a capture's packets to a file for Wireshark and tcpdump.
public struct PacketExport {
  private let reader: CaptureReader
  private let selection: PacketSelection?
  /// The name of the recording in errors, because its capture may be a temporary file.
  private let name: String

  /// The selected packets; all if `selection` is nil.
  ///
  /// - Parameter name: the name of the recording in errors; by default the capture's path.
  public init(_ reader: CaptureReader, _ selection: PacketSelection?, named name: String? = nil) {
    self.reader = reader
    self.selection = selection
    self.name = name ?? reader.path
  }

  /// Writes pcapng, with the origin of the capture, and findings as comments of the packets.
  ///
  /// - Parameter tool: the program that writes it, with its version.
  /// - Throws: `FileError`, `StoreError` or `CaptureFileError`.
  public func writePcapng(to path: String, force: Bool, tool: String) throws {
    try PacketExport.refuseTerminal(path, "pcapng")
    let file = try PendingFile(at: path, force: force)
    let info = try reader.info()
    var writer = try PcapngWriter(
      path: file.workingPath, named: path, tool: tool, comment: PacketExport.comment(info), ports: toldPorts(info),
      earliest: reader.packetTimes()?.lowerBound ?? .zero)
    let interfaces = try reader.interfaces()
    for interface in interfaces { try writer.add(interface) }
    var last = info.started
    var packets = [UInt64](repeating: 0, count: interfaces.count)
    try reader.forEachCommentedPacket(in: selection) { header, frame, note in
      last = header.time
      if packets.indices.contains(header.interface) { packets[header.interface] += 1 }
      try writer.write(header, frame, note: note)
    }
    // Drops are counted for the whole recording, so they can be attributed only to all packets of a single interface.
    if selection == nil, reader.filter == nil, interfaces.count == 1, let received = packets.first {
      var statistics = CaptureFileReader.Statistics()
      statistics.received = received + UInt64(info.dropped.total)
      statistics.droppedByInterface = UInt64(info.dropped.interface)
      statistics.droppedByKernel = UInt64(info.dropped.kernel)
      try writer.write(statistics, interface: 0, time: last)
    }
    try writer.finish()
    try file.place()
  }

  /// Writes pcap, which has a single link type and cannot contain the ports of the recording.
  ///
  /// - Returns: a sentence with the options that reading the file needs; nil if all ports are standard.
  /// - Throws: `FileError`, `StoreError` or `CaptureFileError`.
  @discardableResult
  public func writePcap(to path: String, force: Bool) throws -> String? {
    let types = Set(try reader.interfaces().map(\.linkType)).sorted()
    guard types.count <= 1 else { throw FileError.manyLinkTypes(path: name, types) }
    try refuseTimesBeyondPcap()
    try PacketExport.refuseTerminal(path, "pcap")
    let file = try PendingFile(at: path, force: force)
    var writer = try PcapWriter(path: file.workingPath, named: path, linkType: types.first ?? 1)
    try reader.forEachPacket(in: selection) { try writer.write($0, $1) }
    try writer.finish()
    try file.place()
    let options = try movedPorts(reader.info()).sorted { $0.key < $1.key }.map { id, number in
      id.hasPrefix(Ports.attributePrefix)
        ? "--gatt \(number)=\(id.dropFirst(Ports.attributePrefix.count))" : "--\(id) \(number)"
    }
    let name = StandardOutput.isNamed(path) ? "standard output" : path
    let text = "\(name): a pcap file does not say which ports it was recorded with: read it with "
    return options.isEmpty ? nil : text + options.joined(separator: " ")
  }

  /// Rejects packets with times outside the range of pcap, which would all become 1970 or 2106.
  private func refuseTimesBeyondPcap() throws {
    guard let span = try reader.packetTimes() else { return }
    if PcapWriter.times.contains(span.lowerBound), PcapWriter.times.contains(span.upperBound) { return }
    try reader.forEachPacket(in: selection) { header, _ in
      guard PcapWriter.times.contains(header.time) else {
        throw FileError.timeBeyondPcap(path: name, packet: header.number, header.time)
      }
    }
  }

  /// Rejects a terminal, because packets contain untrusted bytes, which it would interpret.
  private static func refuseTerminal(_ path: String, _ format: String) throws(FileError) {
    if StandardOutput.isNamed(path), Descriptor.output.isTerminal { throw .terminal(format: format) }
  }

  /// The capture's ports at non-standard numbers, and the characteristics of its handles, by their ids.
  private func movedPorts(_ info: CaptureInfo) -> [String: UInt16] {
    Ports(reader.schema.protocols).with(info.ports).moved
  }

  /// The same, with those of protocols that are unknown here, because a reader of the file may know them.
  private func toldPorts(_ info: CaptureInfo) -> [String: UInt16] {
    let known = Ports(reader.schema.protocols)
    let strange = info.ports.filter { id, _ in !id.hasPrefix(Ports.attributePrefix) && known[id] == nil }
    return movedPorts(info).merging(strange) { moved, _ in moved }
  }

  /// The origin of the capture, as a line.
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
