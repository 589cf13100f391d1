import TelecapRecording
import TelecapReport
import TelecapTransport
import TelecapWire
import TelecapText

/// `--dry-run`: what would be sent, in order, as lines; nothing is sent.
final class DryRun {
  private let routes: ReplayRoutes
  private let flows: [Flow]
  private let ports: Ports
  private let format: OutputFormat
  private var output = Output()
  private var json = JSONWriter()
  private var findings: [Finding] = []

  init(_ routes: ReplayRoutes, flows: [Flow], ports: Ports, format: OutputFormat) {
    self.routes = routes
    self.flows = flows
    self.ports = ports
    self.format = format
  }

  /// Prints one delivery.
  func list(_ due: Int64, _ packet: ReplayPacket, _ pieces: [StreamPiece], _ bytes: RawSpan) throws {
    guard packet.flow < routes.routes.count else { throw ReplayError.unknownFlow(packet.number) }
    let destination = routes.routes[packet.flow].destination
    let name = name(packet, pieces, bytes)
    switch format {
    case .text:
      let seconds = Numbers.fixed(Double(due) / 1e9, 6)
      try output.line(
        "\(seconds) s  packet \(packet.number)  \(name), \(bytes.byteCount) bytes, to \(packet.carrier.name) \(destination)"
      )
    case .json:
      json.beginObject()
      json.put("due_ns", due)
      json.put("packet", packet.number)
      json.put("what", name)
      json.put("carrier", packet.carrier.name)
      json.put("to", destination.description)
      json.put("bytes", bytes.byteCount)
      json.put("payload", Hex.text(bytes.array))
      json.endObject()
      json.endLine()
      try output.take(&json)
    }
  }

  /// Writes what waits.
  func finish() throws { try output.flush() }

  private func name(_ packet: ReplayPacket, _ pieces: [StreamPiece], _ bytes: RawSpan) -> String {
    guard packet.carrier == .udp else {
      return pieces.map { piece in
        switch piece.kind {
        case .open: "open stream \(piece.stream)"
        case .send: "stream \(piece.stream)"
        case .close: "close stream \(piece.stream)"
        }
      }.joined(separator: ", ")
    }
    guard packet.flow < flows.count, let match = ports.match(flows[packet.flow]) else { return "?" }
    findings.removeAll(keepingCapacity: true)
    return MessageDecoder.decode(bytes, as: match.dialect, findings: &findings).name
  }
}
