import TelecapCapture
import TelecapRecording

/// A recording in memory: packets as if they had been on a wire, raw IP with right headers and checksums.
public struct PacketList: Sendable {
  /// Where they are said to be from.
  public let interface: Interface
  private var packets: [(header: PacketHeader, frame: [UInt8])] = []
  private var builder = FrameBuilder(link: .rawIP)

  /// No packets yet, from an interface of this name.
  public init(interface name: String) {
    interface = Interface(name: name, linkType: FrameBuilder.Link.rawIP.linkType)
  }

  /// Adds a payload: a datagram, or a segment of a TCP connection. Packets are numbered from 1.
  ///
  /// - Throws: `FrameBuilder.Failure`; nothing is added then.
  public mutating func add(_ payload: [UInt8], _ flow: Flow, at time: Timestamp) throws(FrameBuilder.Failure) {
    var frame: [UInt8] = []
    try builder.append(payload.span.bytes, flow, to: &frame)
    let header = PacketHeader(
      number: packets.count + 1, time: time, originalLength: frame.count, linkType: interface.linkType)
    packets.append((header, frame))
  }

  /// Hands every packet to `body`, in the order in which they were added.
  public func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) rethrows {
    for (header, frame) in packets { try body(header, frame.span.bytes) }
  }
}
