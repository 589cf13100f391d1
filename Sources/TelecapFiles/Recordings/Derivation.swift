import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

// Messages, fields, sessions and findings out of a capture's packets: raw packets are the truth.
extension RecordingFiles {
  /// Dissects the packets of the capture at `path` and stores what comes of it, in place of what was there.
  ///
  /// - Throws: `StoreError`; `busy` while somebody records into it.
  @discardableResult
  public func derive(_ path: String, ports: Ports) throws -> DissectionSummary {
    // The writer first: it makes sure that nobody records into the file any more.
    let schema = try schema(of: path)
    var sink = StoreSink(try DissectionWriter(rebuilding: path, schema), schema.protocols)
    let reader = try CaptureReader(path: path, schema)
    // A declaration that was read again is another protocol: the messages must be those of the tables.
    var dissector = Dissector(ports: Ports(schema.protocols).with(ports.numbers))
    try reader.forEachPacket { header, frame in
      sink.summary.count(header)
      try dissector.receive(header, frame, to: &sink)
    }
    try dissector.finish(to: &sink)
    try sink.writer.finish(sessions: dissector.sessions)
    return sink.summary
  }

  /// Derives what is missing, by the ports that the capture was made with: its recording was killed before it could, or
  /// another version of telecap did it.
  ///
  /// - Throws: as `derive` does.
  public func deriveIfNeeded(_ path: String) throws {
    if let ports = try portsIfNeeded(path) { try derive(path, ports: ports) }
  }

  private func portsIfNeeded(_ path: String) throws -> Ports? {
    let reader = try reader(path)
    return try reader.needsDissection() ? Ports(reader.schema.protocols).with(reader.info().ports) : nil
  }
}

/// Stores a dissection, and counts it.
struct StoreSink: DissectionSink {
  let writer: DissectionWriter
  var summary: DissectionSummary

  init(_ writer: DissectionWriter, _ protocols: [WireProtocol]) {
    self.writer = writer
    summary = DissectionSummary(protocols)
  }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    summary.count(message, findings)
    try writer.message(message, bytes, findings)
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    summary.count(finding)
    try writer.packetFinding(finding, header)
  }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    summary.count(finding)
    try writer.lateFinding(finding, datagram)
  }
}
