import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapTransport
import TelecapWire

/// The payloads of a port of a capture without a known protocol.
public struct SampledTraffic {
  /// The payloads, in the order of the capture.
  public private(set) var samples: [TrafficSample] = []
  /// The number of payloads, including those that were not kept.
  public private(set) var count = 0
  /// The damage of the capture, if any.
  public private(set) var damage: Damage?

  /// The maximum number of kept payloads.
  public static let maxSamples = 10_000

  /// The payloads to and from a UDP port, whichever protocol is known to use it.
  ///
  /// - Throws: errors of opening and reading the capture.
  public init(_ path: String, port: UInt16) throws {
    let probe = try ProtocolFile.read(
      """
      protocol: payloads
      carriers:
        - {name: udp, over: udp, port: \(port)}
      messages:
        - {name: PAYLOAD, from: client, both-ways-over: udp, fields: [{name: payload, type: rest}]}
      """, file: "--port \(port)")
    let files = RecordingFiles(
      builtIn: [], declared: [probe], maker: RecordingFiles.Maker(version: "", now: { WallClock.now() }),
      reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
    var sink = Sink(kind: probe.messages[0])
    damage = try files.recording(path).dissect(to: &sink)
    (samples, count) = (sink.samples, sink.count)
  }

  private struct Sink: DissectionSink {
    let kind: MessageKind
    var samples: [TrafficSample] = []
    var count = 0
    private var senders: [Endpoint: Int] = [:]
    private var began: Timestamp?

    init(kind: MessageKind) { self.kind = kind }

    mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) {
      guard message.kind == kind, bytes.byteCount > 0 else { return }
      count += 1
      guard samples.count < SampledTraffic.maxSamples else { return }
      let datagram = message.datagram
      let start = began ?? datagram.time
      began = start
      let sender = senders[datagram.flow.source] ?? senders.count
      senders[datagram.flow.source] = sender
      samples.append(
        TrafficSample(
          isFromHost: message.direction == .serverToClient, sender: sender,
          time: datagram.time.nanoseconds(since: start),
          bytes: bytes.array))
    }

    mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) {}
    mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) {}
  }
}
