import TelecapRecording
import TelecapWire

/// Finds the payloads of a recording's frames in order, reassembles fragments, and decapsulates tunnels over UDP,
/// unless a protocol uses the tunnel's port.
public struct FrameReader: Sendable {
  /// The result of reading one frame.
  public struct Reading: Sendable {
    /// A payload, or the reason why there is none.
    public internal(set) var content: FrameContent
    /// The reassembled datagram, which contains the payload's range; nil where the range is in the frame.
    public internal(set) var whole: [UInt8]?
    /// Findings about fragments.
    var found: [FragmentReassembler.Found] = []

    init(_ content: FrameContent) { self.content = content }

    /// Calls `body` with the bytes that contain the payload's range: the reassembled datagram's, or the frame's.
    @inline(__always)
    public func withBytes<Result>(
      of frame: RawSpan, _ body: (RawSpan) throws -> Result
    ) rethrows -> Result {
      if let whole { try body(whole.span.bytes) } else { try body(frame) }
    }
  }

  private let ports: Ports
  private var fragments = FragmentReassembler()

  /// A reader for protocols at these ports.
  public init(ports: Ports) { self.ports = ports }

  /// Reads the next frame.
  @inline(__always)
  public mutating func read(_ frame: RawSpan, _ header: PacketHeader) -> Reading {
    let content = FrameDecoder.decode(frame, header)
    if case .payload(let payload) = content, !Self.isTunnel(payload) { return Reading(content) }
    return resolve(content, frame, header)
  }

  /// Continues where `FrameDecoder` ends. Each round decapsulates, which has a depth limit, or removes an incomplete
  /// datagram, so the loop ends.
  @inline(never)
  mutating func resolve(_ content: FrameContent, _ frame: RawSpan, _ header: PacketHeader) -> Reading {
    var reading = Reading(content)
    while true {
      switch reading.content {
      case .payload(let payload):
        guard Self.isTunnel(payload), !ports.isDestination(of: payload.flow) else { return reading }
        guard let inside = reading.withBytes(of: frame, { FrameDecoder.decode($0, inside: payload) }) else {
          return reading
        }
        reading.content = inside
      case .none(.fragment(let fragment)):
        let whole =
          if let outer = reading.whole {
            fragments.receive(fragment, header, outer.span.bytes, &reading.found)
          } else {
            fragments.receive(fragment, header, frame, &reading.found)
          }
        guard let whole else { return reading }
        reading.content = FrameDecoder.decode(whole.bytes.span.bytes, of: whole.first)
        reading.whole = whole.bytes
      case .none: return reading
      }
    }
  }

  /// Ends the recording and returns the findings about datagrams that stay incomplete.
  mutating func finish() -> [FragmentReassembler.Found] {
    var found: [FragmentReassembler.Found] = []
    fragments.finish(&found)
    return found
  }

  /// Whether the destination port is that of a tunnel. The source port is no evidence: senders choose it from 49152 to
  /// 65535 by a hash of the inner packet (RFC 7348 §5), and ports of protocols are in that range.
  @inline(__always)
  static func isTunnel(_ payload: TransportPayload) -> Bool {
    payload.flow.carrier == .udp && Encapsulation(udpPort: payload.flow.destination.port) != nil
  }
}
