import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire

/// Messages, fields, sessions and findings out of a capture's packets (design, idea 2: raw packets are the truth).
enum Derivation {
  /// Dissects the packets of the capture at `path` and stores what comes of it, in place of what was there.
  @discardableResult
  static func derive(_ path: String, ports: Ports) throws -> DissectionSummary {
    let reader = try CaptureReader(path: path)
    var sink = StoreSink(try DissectionWriter(rebuilding: path))
    var dissector = Dissector(ports: ports)
    try reader.forEachPacket { header, frame in
      sink.summary.count(header)
      try dissector.receive(header, frame, to: &sink)
    }
    try dissector.finish(to: &sink)
    try sink.writer.finish(sessions: dissector.sessions)
    return sink.summary
  }

  /// Derives what is missing: the recording of this capture was killed before it could.
  static func deriveIfNeeded(_ path: String, ports: Ports) throws {
    if try CaptureReader(path: path).needsDissection() { try derive(path, ports: ports) }
  }
}

/// Stores a dissection, and counts it.
struct StoreSink: DissectionSink {
  let writer: DissectionWriter
  var summary = DissectionSummary()

  init(_ writer: DissectionWriter) { self.writer = writer }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    summary.count(message, findings)
    let entry = MessageEntry(
      packet: message.datagram.packet, offset: message.offset, dialect: message.dialect, direction: message.direction,
      session: message.session, flow: message.datagram.flow)
    try writer.add(message.kind, bytes, entry, findings: findings)
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    summary.count(finding)
    try writer.add(finding, packet: header.number)
  }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    summary.count(finding)
    try writer.add(finding, packet: datagram.packet)
  }
}
