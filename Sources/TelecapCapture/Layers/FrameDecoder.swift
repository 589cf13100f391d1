// Decodes a frame down to its UDP or TCP payload.
import TelecapRecording

/// Finds the payload of a frame: allocates nothing, copies nothing, and never traps.
public enum FrameDecoder {
  /// The payload of a frame, or the reason why there is none. Checksums are not verified, because a sender's network
  /// card fills them in after the capture. `FrameReader` handles fragments and tunnels over UDP, which depend on
  /// earlier frames.
  @inline(__always)
  public static func decode(_ frame: RawSpan, _ header: PacketHeader) -> FrameContent {
    decode(frame, linkType: header.linkType, originalLength: header.originalLength)
  }

  /// The payload of a frame of LINKTYPE_ `linkType` that had `originalLength` bytes on the wire.
  public static func decode(_ frame: RawSpan, linkType: UInt16, originalLength: Int) -> FrameContent {
    do throws(NoPayload) {
      return .payload(try payload(frame, linkType: linkType, originalLength: originalLength))
    } catch {
      return .none(error)
    }
  }

  /// The payload of a reassembled IP datagram; `bytes` are those after its header.
  static func decode(_ bytes: RawSpan, of fragment: Fragment) -> FrameContent {
    do throws(NoPayload) {
      var cursor = FrameCursor(
        captured: bytes.byteCount, originalLength: bytes.byteCount, inside: fragment.encapsulations,
        depth: fragment.depth)
      var internet = InternetHeader(
        source: fragment.source, destination: fragment.destination, transport: fragment.transport)
      if fragment.source.family == .v6 { try InternetLayer.skipExtensions(&cursor, bytes, &internet) }
      return .payload(try transport(&cursor, bytes, internet))
    } catch {
      return .none(error)
    }
  }

  /// The payload of the packet inside a datagram of a tunnel over UDP; nil if it is not one.
  static func decode(_ bytes: RawSpan, inside datagram: TransportPayload) -> FrameContent? {
    var cursor = FrameCursor(
      captured: datagram.range.upperBound, originalLength: datagram.range.upperBound + datagram.missing,
      inside: datagram.encapsulations, depth: datagram.depth)
    cursor.at = datagram.range.lowerBound
    do throws(NoPayload) {
      guard let network = try Tunnel.enter(&cursor, bytes, udpPort: datagram.flow.destination.port) else { return nil }
      return .payload(try transport(&cursor, bytes, InternetLayer.enter(&cursor, bytes, expecting: network)))
    } catch {
      return .none(error)
    }
  }

  @inline(__always)
  private static func payload(
    _ frame: RawSpan, linkType: UInt16, originalLength: Int
  ) throws(NoPayload) -> TransportPayload {
    var cursor = FrameCursor(captured: frame.byteCount, originalLength: originalLength)
    let network = try LinkLayer.enter(&cursor, frame, linkType: linkType)
    return try transport(&cursor, frame, InternetLayer.enter(&cursor, frame, expecting: network))
  }

  /// The transport payload, after decapsulating tunnels over IP. Each tunnel consumes bytes, so the loop ends.
  @inline(__always)
  private static func transport(
    _ cursor: inout FrameCursor, _ frame: RawSpan, _ outermost: InternetHeader
  ) throws(NoPayload) -> TransportPayload {
    var internet = outermost
    while true {
      switch internet.transport {
      case Carrier.udp.rawValue: return try udp(cursor, frame, internet)
      case Carrier.tcp.rawValue: return try tcp(cursor, frame, internet)
      default: internet = try Tunnel.enter(&cursor, frame, internet)
      }
    }
  }

  /// RFC 768. A length of 0 is that of a jumbogram (RFC 2675 §4), if IP has no length either.
  @inline(__always)
  private static func udp(
    _ start: FrameCursor, _ frame: RawSpan, _ internet: InternetHeader
  ) throws(NoPayload) -> TransportPayload {
    var cursor = start
    try cursor.need(8, .udp)
    let length = Int(frame.big16(cursor.at + 4))
    if length != 0 || !internet.isUnbounded {
      guard length >= 8 else { throw .truncated(.udp, needed: 8, had: length) }
      try cursor.close(after: length, .udp)
    }
    let ports = cursor.at
    cursor.at += 8
    return found(.udp, cursor, frame, internet, portsAt: ports)
  }

  /// RFC 9293 §3.1.
  @inline(__always)
  private static func tcp(
    _ start: FrameCursor, _ frame: RawSpan, _ internet: InternetHeader
  ) throws(NoPayload) -> TransportPayload {
    var cursor = start
    try cursor.need(20, .tcp)
    let headerLength = Int(frame.byte(cursor.at + 12) >> 4) * 4
    guard headerLength >= 20 else { throw .truncated(.tcp, needed: 20, had: headerLength) }
    try cursor.need(headerLength, .tcp)
    let header = cursor.at
    cursor.at += headerLength
    var payload = found(.tcp, cursor, frame, internet, portsAt: header)
    payload.sequence = frame.big32(header + 4)
    payload.acknowledgement = frame.big32(header + 8)
    payload.flags = TCPFlags(rawValue: frame.byte(header + 13))
    return payload
  }

  @inline(__always)
  private static func found(
    _ carrier: Carrier, _ cursor: FrameCursor, _ frame: RawSpan, _ internet: InternetHeader, portsAt: Int
  ) -> TransportPayload {
    let flow = Flow(
      carrier, from: Endpoint(internet.source, port: frame.big16(portsAt)),
      to: Endpoint(internet.destination, port: frame.big16(portsAt + 2)))
    let rest = cursor.rest()
    var payload = TransportPayload(flow: flow, range: rest.range)
    payload.missing = rest.missing
    payload.encapsulations = cursor.encapsulations
    payload.depth = cursor.depth
    return payload
  }
}
