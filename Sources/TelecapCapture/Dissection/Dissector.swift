import TelecapRecording
import TelecapWire

/// From frames to messages and findings: layers, streams, framing, the wire tables and the tracking of sessions, in the
/// order in which packets come. Nothing is allocated for a packet; memory grows with the number of open streams, of pairs of
/// endpoints and of sessions only.
public struct Dissector {
  private var tcp: TCPReassembler
  private var bluetooth: BluetoothStage
  private var messages: MessageStage
  private var unread = UnreadTraffic()

  /// A dissector that knows what a payload is by these ports.
  public init(ports: Ports) { self.init(ports: ports, tcp: TCPReassembler()) }

  /// With a reassembler whose limits a test can reach.
  init(ports: Ports, tcp: TCPReassembler) {
    self.tcp = tcp
    bluetooth = BluetoothStage(ports)
    messages = MessageStage(ports: ports)
  }

  /// Every session so far.
  public var sessions: [Session] { messages.tracker.sessions }

  /// What was unusual in the TCP traffic so far.
  public var streams: TCPStatistics { tcp.statistics }

  /// Takes the next frame and passes on what it completes. Frames of other protocols pass silently.
  public mutating func receive(
    _ header: PacketHeader, _ frame: RawSpan, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    messages.lastTime = header.time
    sink.packet(header)
    if LinkType.isBluetooth(header.linkType) { return try receiveBluetooth(header, frame, to: &sink) }
    switch FrameDecoder.decode(frame, header) {
    case .payload(let payload):
      let bytes = frame.extracting(payload.range)
      guard let match = messages.ports.match(payload.flow, bytes) else { return unread.count(payload) }
      if payload.missing > 0 { try cut(payload, header, &sink) }
      if payload.flow.carrier == .udp {
        guard payload.missing == 0 else { return }
        var message = DissectedMessage(
          match, Datagram(packet: header.number, time: header.time, flow: payload.flow),
          offset: payload.range.lowerBound)
        try messages.receive(bytes, &message, to: &sink)
      } else {
        let bounds = FrameBounds(frame)
        try tcp.receive(payload, bytes) { event, bytes in
          try messages.receive(event, bytes, header, bounds, to: &sink)
        }
      }
    case .none(let reason): try report(reason, header, &sink)
    }
  }

  /// A frame of Bluetooth: it may complete values of characteristics.
  @inline(never)
  private mutating func receiveBluetooth(
    _ header: PacketHeader, _ frame: RawSpan, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    let bounds = FrameBounds(frame)
    var isRead = false
    let damage = try bluetooth.receive(frame, linkType: header.linkType) { flow, match, bytes in
      isRead = true
      let datagram = Datagram(packet: header.number, time: header.time, flow: flow)
      var message = DissectedMessage(match, datagram, offset: bounds.offset(of: bytes))
      try messages.receive(bytes, &message, to: &sink)
    }
    if !isRead { unread.countOther() }
    if let damage { try sink.packetFinding(Finding(.packetDamaged, 0..<0, damage), header) }
  }

  /// The capture has ended: what is left in streams, and what sessions still waited for.
  public mutating func finish(to sink: inout some DissectionSink & ~Copyable) throws {
    let nowhere = FrameBounds(RawSpan())
    try tcp.finish { event, bytes in try messages.receive(event, bytes, nil, nowhere, to: &sink) }
    try messages.tracker.finish(at: messages.lastTime) { try sink.lateFinding($0, $1) }
    unread.attributes = bluetooth.told
    sink.unread(unread)
  }

  /// A payload that the snapshot length cut is not read: what is missing is the capture's fault, not the sender's.
  private func cut(_ payload: TransportPayload, _ header: PacketHeader, _ sink: inout some DissectionSink & ~Copyable)
    throws
  {
    let had = payload.range.count
    let detail = Finding.Detail.lengths(needed: had + payload.missing, had: had)
    try sink.packetFinding(Finding(.packetDamaged, 0..<0, detail), header)
  }

  /// Fragments and broken headers are worth a word of their own; the others are counted.
  private mutating func report(
    _ reason: NoPayload, _ header: PacketHeader, _ sink: inout some DissectionSink & ~Copyable
  ) throws {
    switch reason {
    case .fragment: try sink.packetFinding(Finding(.fragment, 0..<0), header)
    case .truncated(_, let needed, let had), .cutShort(_, let needed, let had):
      try sink.packetFinding(Finding(.packetDamaged, 0..<0, .lengths(needed: needed, had: had)), header)
    case .unknownLinkType, .bluetooth, .notIP, .unknownIPVersion, .otherProtocol: unread.count(reason)
    }
  }
}
