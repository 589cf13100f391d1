import TelecapCapture
import TelecapRecording

/// A recording in memory: packets of raw IP with correct headers and checksums.
public struct PacketList: Sendable {
  /// Their nominal interface.
  public let interface: Interface
  private var packets: [(header: PacketHeader, frame: [UInt8])] = []
  private var builder = FrameBuilder(link: .rawIP)

  /// An empty list, from an interface with this name.
  public init(interface name: String) {
    interface = Interface(name: name, linkType: FrameBuilder.Link.rawIP.linkType)
  }

  /// Adds a payload: a datagram, or a segment of a TCP connection. Packets are numbered from 1.
  ///
  /// - Throws: `FrameBuilder.Failure`; then nothing is added.
  public mutating func add(_ payload: [UInt8], _ flow: Flow, at time: Timestamp) throws(FrameBuilder.Failure) {
    var frame: [UInt8] = []
    try builder.append(payload.span.bytes, flow, to: &frame)
    let header = PacketHeader(
      number: packets.count + 1, time: time, originalLength: frame.count, linkType: interface.linkType)
    packets.append((header, frame))
  }

  /// Passes every packet to `body`, in order.
  public func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) rethrows {
    for (header, frame) in packets { try body(header, frame.span.bytes) }
  }
}
