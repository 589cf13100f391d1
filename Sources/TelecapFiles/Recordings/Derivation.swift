import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

// Derives messages, fields, sessions and findings from a capture's packets, which are the original data.
extension RecordingFiles {
  /// Dissects the packets of the capture at `path` with its own protocols and ports, and replaces the stored results.
  ///
  /// - Throws: `StoreError`; `busy` if it is being recorded; any error of a stored declaration.
  @discardableResult
  public func derive(_ path: String) throws -> DissectionSummary {
    let capture = try asMade(path)
    // Open the writer first: it checks that the file is no longer being recorded.
    let summary = try dissect(path, capture, to: DissectionWriter(rebuilding: path, capture.schema))
    // The file was open in its own reader until now.
    CaptureFile.checkpointLog(of: path)
    return summary
  }

  /// The same for a recording that has just ended. If another process derives its messages at that moment, that process
  /// stores them, and here they are only counted.
  ///
  /// - Throws: as `derive` does, except `busy`.
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

/// Counts a dissection, and stores it if there is a writer.
struct StoreSink: DissectionSink {
  private let writer: DissectionWriter?
  var summary: DissectionSummary
  /// Counts and stores only packets of its window; nil for all.
  private(set) var filter: WindowFilter?
  private var sessions = SessionsInWindow()

  init(_ writer: DissectionWriter?, _ protocols: [WireProtocol], in window: CaptureWindow? = nil) {
    self.writer = writer
    summary = DissectionSummary(protocols)
    filter = window.map(WindowFilter.init)
  }

  /// Reads the next packet of the recording, before it is dissected.
  ///
  /// - Returns: whether it is counted and stored.
  mutating func receive(_ header: PacketHeader) -> Bool { filter?.receive(header) ?? true }

  /// The sessions as stored: in a window, those with a message in it.
  func shown(_ all: [Session]) -> [Session] { filter == nil ? all : sessions.shown(all) }

  private func shows(_ packet: Int) -> Bool { filter?.contains(packet) ?? true }

  mutating func packet(_ header: PacketHeader) {
    if shows(header.number) { summary.count(header) }
  }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    guard shows(message.datagram.packet) else { return }
    if filter != nil { sessions.add(message) }
    summary.count(message, findings)
    try writer?.message(message, bytes, findings)
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    guard shows(header.number) else { return }
    summary.count(finding)
    try writer?.packetFinding(finding, header)
  }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    guard shows(datagram.packet) else { return }
    summary.count(finding)
    try writer?.lateFinding(finding, datagram)
  }

  mutating func unread(_ traffic: UnreadTraffic) { summary.unread = traffic }
}
