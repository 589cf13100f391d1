import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

// Messages, fields, sessions and findings out of a capture's packets: raw packets are the truth.
extension RecordingFiles {
  /// Dissects the packets of the capture at `path` by the protocols and ports that it was made with, and stores what comes
  /// of it, in place of what was there.
  ///
  /// - Throws: `StoreError`; `busy` while somebody records into it; what is wrong with a stored declaration.
  @discardableResult
  public func derive(_ path: String) throws -> DissectionSummary {
    let capture = try asMade(path)
    // The writer first: it makes sure that nobody records into the file any more.
    let summary = try dissect(path, capture, to: DissectionWriter(rebuilding: path, capture.schema))
    // Its own reader had the file open until now.
    CaptureFile.checkpointLog(of: path)
    return summary
  }

  /// The same of a recording that has just ended: where somebody else derives its messages at that moment, he stores them and
  /// here they are only counted.
  ///
  /// - Throws: as `derive`, but not `busy`.
  public func deriveOrCount(_ path: String) throws -> DissectionSummary {
    do {
      return try derive(path)
    } catch StoreError.busy {
      return try dissect(path, asMade(path), to: nil)
    }
  }

  private func dissect(_ path: String, _ capture: Recording, to writer: DissectionWriter?) throws -> DissectionSummary {
    var sink = StoreSink(writer, capture.protocols)
    let reader = try CaptureReader(path: path, capture.schema)
    var dissector = Dissector(ports: capture.ports)
    try reader.forEachPacket { header, frame in try dissector.receive(header, frame, to: &sink) }
    try dissector.finish(to: &sink)
    try writer?.finish(sessions: dissector.sessions)
    return sink.summary
  }
}

/// Stores a dissection, where there is somebody who writes it, and counts it.
struct StoreSink: DissectionSink {
  private let writer: DissectionWriter?
  var summary: DissectionSummary

  init(_ writer: DissectionWriter?, _ protocols: [WireProtocol]) {
    self.writer = writer
    summary = DissectionSummary(protocols)
  }

  mutating func packet(_ header: PacketHeader) { summary.count(header) }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    summary.count(message, findings)
    try writer?.message(message, bytes, findings)
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    summary.count(finding)
    try writer?.packetFinding(finding, header)
  }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    summary.count(finding)
    try writer?.lateFinding(finding, datagram)
  }

  mutating func unread(_ traffic: UnreadTraffic) { summary.unread = traffic }
}
