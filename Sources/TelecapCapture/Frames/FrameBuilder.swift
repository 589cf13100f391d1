import TelecapRecording

/// Makes frames for payloads, with correct lengths and checksums: for the traffic of a relay or a replay, and for
/// tests.
///
/// A frame is appended to a buffer of the caller. The sequence numbers of open TCP connections are stored.
public struct FrameBuilder: Sendable {
  /// The link layer of frames.
  public enum Link: Hashable, Sendable {
    /// Ethernet with fixed addresses, 02:00:00:00:00:01 to 02:00:00:00:00:02.
    case ethernet
    /// No link layer: raw IPv4 or IPv6.
    case rawIP

    /// The LINKTYPE_ number.
    public var linkType: UInt16 { self == .ethernet ? LinkType.ethernet : LinkType.rawIP }
  }

  /// The reason why a frame is impossible.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload does not fit into one packet.
    case payloadTooLong(length: Int, limit: Int)
    /// One address is IPv4, the other IPv6.
    case mixedFamilies(Flow)
    /// The transport is not over IP.
    case notOverIP(Flow)

    /// The problem, as a sentence.
    public var description: String {
      switch self {
      case .payloadTooLong(let length, let limit): "a payload of \(length) bytes; a packet has at most \(limit)"
      case .mixedFamilies(let flow): "\(flow): one address is IPv4, the other IPv6"
      case .notOverIP(let flow): "\(flow): only UDP and TCP have frames here"
      }
    }
  }

  /// The link layer of frames.
  public let link: Link
  private var connections = TCPNumbers()

  /// A builder of frames with this link layer.
  public init(link: Link) { self.link = link }

  /// The maximum length of a payload, in bytes: 65,507 for UDP over IPv4.
  public static func largestPayload(_ flow: Flow) -> Int {
    let transport = flow.carrier == .udp ? 8 : 20
    return flow.source.address.family == .v4 ? 65_535 - 20 - transport : 65_535 - transport
  }

  /// Appends the frame of a payload: a UDP datagram, or a TCP segment. TCP data without an opened connection starts in
  /// the middle of one.
  ///
  /// - Throws: `Failure`; then nothing is appended.
  public mutating func append(_ payload: RawSpan, _ flow: Flow, to frame: inout [UInt8]) throws(Failure) {
    switch flow.carrier {
    case .udp: try appendUDP(payload, flow, to: &frame)
    case .tcp: try appendTCP(payload, flow, [.psh, .ack], to: &frame)
    case .ble: throw .notOverIP(flow)
    }
  }

  /// Appends the SYN of a TCP flow; the reverse flow answers with its own, which acknowledges it. A SYN of an open flow
  /// starts a new connection on the same ports, because the old one was aborted.
  ///
  /// - Throws: `Failure`; then nothing is appended.
  public mutating func appendOpening(_ flow: Flow, to frame: inout [UInt8]) throws(Failure) {
    if connections.isOpen(flow) { connections.forget(flow) }
    let answers = connections.isOpen(flow.reversed)
    connections.open(flow)
    try appendTCP(RawSpan(), flow, answers ? [.syn, .ack] : .syn, to: &frame)
  }

  /// Appends the FIN of a TCP flow.
  ///
  /// - Throws: `Failure`; then nothing is appended.
  public mutating func appendClosing(_ flow: Flow, to frame: inout [UInt8]) throws(Failure) {
    try appendTCP(RawSpan(), flow, [.fin, .ack], to: &frame)
    connections.close(flow)
  }

  private func appendUDP(_ payload: RawSpan, _ flow: Flow, to frame: inout [UInt8]) throws(Failure) {
    let length = 8 + payload.byteCount
    try check(payload, flow)
    appendHeaders(flow, transportLength: length, to: &frame)
    var checksum = Self.pseudoHeader(flow, length: length)
    checksum.add(flow.source.port)
    checksum.add(flow.destination.port)
    checksum.add(UInt16(length))
    checksum.add(payload)
    frame.append(big: flow.source.port)
    frame.append(big: flow.destination.port)
    frame.append(big: UInt16(length))
    // A checksum of zero is sent as 0xffff, because zero means no checksum (RFC 768).
    frame.append(big: checksum.value == 0 ? 0xffff : checksum.value)
    frame.append(payload)
  }

  private mutating func appendTCP(
    _ payload: RawSpan, _ flow: Flow, _ flags: TCPFlags, to frame: inout [UInt8]
  ) throws(Failure) {
    let length = 20 + payload.byteCount
    try check(payload, flow)
    let sequence = connections.next(flow)
    let acknowledgement = flags.contains(.ack) ? connections.next(flow.reversed) : 0
    let offsetAndFlags = UInt16(5) << 12 | UInt16(flags.rawValue)
    let window: UInt16 = 0xffff
    var checksum = Self.pseudoHeader(flow, length: length)
    checksum.add(flow.source.port)
    checksum.add(flow.destination.port)
    checksum.add(sequence)
    checksum.add(acknowledgement)
    checksum.add(offsetAndFlags)
    checksum.add(window)
    checksum.add(payload)
    appendHeaders(flow, transportLength: length, to: &frame)
    frame.append(big: flow.source.port)
    frame.append(big: flow.destination.port)
    frame.append(big: sequence)
    frame.append(big: acknowledgement)
    frame.append(big: offsetAndFlags)
    frame.append(big: window)
    frame.append(big: checksum.value)
    frame.append(big: UInt16(0))
    frame.append(payload)
    let numbered = payload.byteCount + (flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1)
    connections.advance(flow, by: UInt32(numbered))
  }

  private func check(_ payload: RawSpan, _ flow: Flow) throws(Failure) {
    let limit = Self.largestPayload(flow)
    guard payload.byteCount <= limit else { throw .payloadTooLong(length: payload.byteCount, limit: limit) }
    guard flow.source.address.family == flow.destination.address.family else { throw .mixedFamilies(flow) }
  }

  /// RFC 768, RFC 9293 §3.1, RFC 8200 §8.1.
  private static func pseudoHeader(_ flow: Flow, length: Int) -> InternetChecksum {
    var checksum = InternetChecksum()
    checksum.add(high: flow.source.address.high, low: flow.source.address.low)
    checksum.add(high: flow.destination.address.high, low: flow.destination.address.low)
    checksum.add(UInt16(flow.carrier.rawValue))
    checksum.add(UInt16(length))
    return checksum
  }

  private func appendHeaders(_ flow: Flow, transportLength: Int, to frame: inout [UInt8]) {
    let isV4 = flow.source.address.family == .v4
    if link == .ethernet {
      frame.append(big: UInt64(0x0200_0000_0002_0200))
      frame.append(big: UInt32(0x0000_0001))
      frame.append(big: isV4 ? UInt16(0x0800) : 0x86dd)
    }
    if isV4 {
      appendIPv4(flow, transportLength: transportLength, to: &frame)
    } else {
      frame.append(big: UInt32(0x6000_0000))
      frame.append(big: UInt16(transportLength))
      frame.append(big: UInt16(flow.carrier.rawValue) << 8 | 64)
      frame.append(big: flow.source.address.high)
      frame.append(big: flow.source.address.low)
      frame.append(big: flow.destination.address.high)
      frame.append(big: flow.destination.address.low)
    }
  }

  private func appendIPv4(_ flow: Flow, transportLength: Int, to frame: inout [UInt8]) {
    let source = UInt32(truncatingIfNeeded: flow.source.address.low)
    let destination = UInt32(truncatingIfNeeded: flow.destination.address.low)
    let versionAndService: UInt16 = 0x4500
    let totalLength = UInt16(20 + transportLength)
    let dontFragment: UInt16 = 0x4000
    let lifeAndTransport = UInt16(64) << 8 | UInt16(flow.carrier.rawValue)
    var checksum = InternetChecksum()
    checksum.add(versionAndService)
    checksum.add(totalLength)
    checksum.add(dontFragment)
    checksum.add(lifeAndTransport)
    checksum.add(source)
    checksum.add(destination)
    frame.append(big: versionAndService)
    frame.append(big: totalLength)
    frame.append(big: UInt16(0))
    frame.append(big: dontFragment)
    frame.append(big: lifeAndTransport)
    frame.append(big: checksum.value)
    frame.append(big: source)
    frame.append(big: destination)
  }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  @inline(__always)
  fileprivate mutating func append<T: FixedWidthInteger & BitwiseCopyable>(big value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends bytes.
  @inline(__always)
  fileprivate mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }
}
