import TelecapRecording
import TelecapText
import TelecapWire

/// The packets that a replay would send, delivery by delivery, as text and as JSON.
public struct DryRun: Sendable {
  /// One delivery.
  public struct Delivery: Sendable {
    /// The due time, in ns from the start of the run.
    public var due: Nanoseconds
    /// The packet's number in the capture.
    public var packet: Int
    /// The number of its flow.
    public var flow: Int
    /// Datagrams, or a stream.
    public var carrier: Carrier
    /// The destination.
    public var destination: Endpoint
    /// The pieces of a TCP stream; empty for a datagram.
    public var pieces: [StreamPiece]

    /// A delivery of these values.
    public init(
      due: Nanoseconds, packet: Int, flow: Int, carrier: Carrier, to destination: Endpoint, pieces: [StreamPiece] = []
    ) {
      (self.due, self.packet, self.flow) = (due, packet, flow)
      (self.carrier, self.destination, self.pieces) = (carrier, destination, pieces)
    }
  }

  private let dialects: [Dialect?]
  private var findings: [Finding] = []

  /// Deliveries of flows whose messages these are, by the flows' numbers; nil where nobody knows.
  public init(_ dialects: [Dialect?]) { self.dialects = dialects }

  /// A line for one delivery of these bytes.
  public mutating func line(_ delivery: Delivery, _ bytes: RawSpan) -> String {
    let seconds = Numbers.fixed(Double(delivery.due) / 1e9, 6)
    return "\(seconds) s  packet \(delivery.packet)  \(name(delivery, bytes).printable), \(bytes.byteCount) bytes, "
      + "to \(delivery.carrier.name) \(delivery.destination)"
  }

  /// The same as a line of JSON.
  public mutating func write(_ delivery: Delivery, _ bytes: RawSpan, to json: inout JSONWriter) {
    json.beginObject()
    json.put("due_ns", delivery.due)
    json.put("packet", delivery.packet)
    json.put("what", name(delivery, bytes))
    json.put("carrier", delivery.carrier.name)
    json.put("to", delivery.destination.description)
    json.put("bytes", bytes.byteCount)
    json.put("payload", Hex.text(bytes.array))
    json.endObject()
    json.endLine()
  }

  private mutating func name(_ delivery: Delivery, _ bytes: RawSpan) -> String {
    if delivery.carrier == .tcp {
      return delivery.pieces.map { piece in
        switch piece.kind {
        case .open: "open stream \(piece.stream)"
        case .send: "stream \(piece.stream)"
        case .close: "close stream \(piece.stream)"
        }
      }.joined(separator: ", ")
    }
    guard delivery.flow < dialects.count, let dialect = dialects[delivery.flow] else { return "?" }
    var names: [String] = []
    dialect.eachMessage(of: bytes) { names.append(MessageDecoder.check($0, as: dialect).kind.name) }
    return names.joined(separator: ", ")
  }
}
