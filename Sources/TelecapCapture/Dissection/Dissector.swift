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
  private var frames: FrameReader
  private var times = SteadyTimes()

  /// A dissector that knows what a payload is by these ports.
  public init(ports: Ports) { self.init(ports: ports, tcp: TCPReassembler()) }

  /// With a reassembler whose limits a test can reach.
  init(ports: Ports, tcp: TCPReassembler) {
    self.tcp = tcp
    bluetooth = BluetoothStage(ports)
    messages = MessageStage(ports: ports)
    frames = FrameReader(ports: ports)
  }

  /// Every session so far.
  public var sessions: [Session] { messages.tracker.sessions }

  /// What was unusual in the TCP traffic so far.
  public var streams: TCPStatistics { tcp.statistics }

  /// Takes the next frame and passes on what it completes. Frames of other protocols pass silently.
  public mutating func receive(
    _ header: PacketHeader, _ frame: RawSpan, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    // From here on times are monotonic over clock steps (`SteadyTimes`).
    let (header, step) = times.place(header)
    messages.lastTime = header.time
    sink.packet(header)
    if let step { try sink.packetFinding(Finding(.clockStep, 0..<0, .nanoseconds(step)), header) }
    if LinkType.isBluetooth(header.linkType) { return try receiveBluetooth(header, frame, to: &sink) }
    let content = FrameDecoder.decode(frame, header)
    if case .payload(let payload) = content, !FrameReader.isTunnel(payload),
      let match = messages.ports.match(payload.flow, frame.extracting(payload.range), &messages.contested)
    {
      try receive(payload, match, in: frame, at: payload.range.lowerBound, header, FrameBounds(frame), to: &sink)
    } else {
      try receiveOther(content, frame, header, to: &sink)
    }
  }

  /// A payload at a protocol's port.
  ///
  /// - Parameters:
  ///   - bytes: the frame, or the reassembled datagram.
  ///   - offset: where the payload begins in the frame; nil where it is in none.
  @inline(__always)
  private mutating func receive(
    _ payload: TransportPayload, _ match: PortMatch, in bytes: RawSpan, at offset: Int?, _ header: PacketHeader,
    _ bounds: FrameBounds, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    if !payload.encapsulations.isEmpty { unread.count(entered: payload.encapsulations) }
    if payload.missing > 0 { try cut(payload, header, &sink) }
    if payload.flow.carrier == .udp {
      guard payload.missing == 0 else { return }
      var message = DissectedMessage(
        match, Datagram(packet: header.number, time: header.time, flow: payload.flow), offset: offset)
      try messages.receive(bytes.extracting(payload.range), &message, to: &sink)
    } else {
      try tcp.receive(payload, bytes.extracting(payload.range)) { event, bytes in
        try messages.receive(event, bytes, header, bounds, to: &sink)
      }
    }
  }

  /// A frame that has no payload at a protocol's port by itself: a tunnel may be at its port, or fragments may be whole with it.
  @inline(never)
  private mutating func receiveOther(
    _ content: FrameContent, _ frame: RawSpan, _ header: PacketHeader, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    let reading = frames.resolve(content, frame, header)
    for found in reading.found { try sink.packetFinding(found.finding, found.packet) }
    switch reading.content {
    case .payload(let payload):
      let bounds = FrameBounds(frame)
      let offset = reading.whole == nil ? payload.range.lowerBound : nil
      try reading.withBytes(of: frame) { bytes in
        guard let match = messages.ports.match(payload.flow, bytes.extracting(payload.range), &messages.contested)
        else { return unread.count(payload) }
        try receive(payload, match, in: bytes, at: offset, header, bounds, to: &sink)
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
    for found in frames.finish() { try sink.packetFinding(found.finding, found.packet) }
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

  /// Truncated headers are findings; the other reasons are counted. A fragment is found when its datagram stays incomplete.
  private mutating func report(
    _ reason: NoPayload, _ header: PacketHeader, _ sink: inout some DissectionSink & ~Copyable
  ) throws {
    switch reason {
    case .fragment: return
    case .truncated(_, let needed, let had), .cutShort(_, let needed, let had):
      try sink.packetFinding(Finding(.packetDamaged, 0..<0, .lengths(needed: needed, had: had)), header)
    case .unknownLinkType, .bluetooth, .notIP, .unknownIPVersion, .otherProtocol, .otherPPP, .noData, .encapsulated:
      unread.count(reason)
    }
  }
}
