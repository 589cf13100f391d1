import TelecapRecording
import TelecapWire

/// Dissects frames to messages and findings: layers, streams, framing, the wire tables and the tracking of sessions, in
/// the order of the packets. Allocates nothing per packet; memory grows only with the number of open streams, pairs of
/// endpoints and sessions.
public struct Dissector {
  private var tcp: TCPReassembler
  private var bluetooth: BluetoothStage
  private var messages: MessageStage
  private var unread = UnreadTraffic()
  private var frames: FrameReader
  private var times = SteadyTimes()

  /// A dissector that recognises payloads by these ports.
  public init(ports: Ports) { self.init(ports: ports, tcp: TCPReassembler()) }

  /// A dissector with a reassembler that has lower limits, for tests.
  init(ports: Ports, tcp: TCPReassembler) {
    self.tcp = tcp
    bluetooth = BluetoothStage(ports)
    messages = MessageStage(ports: ports)
    frames = FrameReader(ports: ports)
  }

  /// All sessions so far.
  public var sessions: [Session] { messages.tracker.sessions }

  /// The statistics of the TCP traffic so far.
  public var streams: TCPStatistics { tcp.statistics }

  /// Dissects the next frame and emits what it completes. Frames of other protocols are ignored.
  public mutating func receive(
    _ header: PacketHeader, _ frame: RawSpan, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    // From here on times are monotonic, also after clock steps (`SteadyTimes`).
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

  /// Handles a payload at a protocol's port.
  ///
  /// - Parameters:
  ///   - bytes: the frame, or the reassembled datagram.
  ///   - offset: the offset of the payload in the frame; nil for a reassembled datagram.
  @inline(__always)
  private mutating func receive(
    _ payload: TransportPayload, _ match: PortMatch, in bytes: RawSpan, at offset: Int?, _ header: PacketHeader,
    _ bounds: FrameBounds, to sink: inout some DissectionSink & ~Copyable
  ) throws {
    if !payload.encapsulations.isEmpty { unread.count(entered: payload.encapsulations) }
    if payload.missing > 0 { try cut(payload, header, &sink) }
    if payload.flow.carrier == .udp {
      guard payload.missing == 0 else { return }
      let datagram = Datagram(packet: header.number, time: header.time, flow: payload.flow)
      if match.dialect.hasSeveralInDatagram {
        return try messages.receive(bytes.extracting(payload.range), match, datagram, offset: offset, to: &sink)
      }
      var message = DissectedMessage(match, datagram, offset: offset)
      try messages.receive(bytes.extracting(payload.range), &message, to: &sink)
    } else {
      try tcp.receive(payload, bytes.extracting(payload.range)) { event, bytes in
        try messages.receive(event, bytes, header, bounds, to: &sink)
      }
    }
  }

  /// Handles a frame without a payload at a protocol's port: a tunnel, or a fragment that may complete a datagram.
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

  /// Handles a Bluetooth frame, which may complete values of characteristics.
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

  /// Ends the capture: emits the rest of streams, and the pending findings of sessions.
  public mutating func finish(to sink: inout some DissectionSink & ~Copyable) throws {
    let nowhere = FrameBounds(RawSpan())
    for found in frames.finish() { try sink.packetFinding(found.finding, found.packet) }
    try tcp.finish { event, bytes in try messages.receive(event, bytes, nil, nowhere, to: &sink) }
    try messages.tracker.finish(at: messages.lastTime) { try sink.lateFinding($0, $1) }
    unread.attributes = bluetooth.told
    sink.unread(unread)
  }

  /// Reports a payload that the snapshot length cut, without decoding it, because the capture truncated it, not the
  /// sender.
  private func cut(_ payload: TransportPayload, _ header: PacketHeader, _ sink: inout some DissectionSink & ~Copyable)
    throws
  {
    let had = payload.range.count
    let detail = Finding.Detail.lengths(needed: had + payload.missing, had: had)
    try sink.packetFinding(Finding(.packetDamaged, 0..<0, detail), header)
  }

  /// Reports truncated headers as findings and counts the other reasons. A fragment is reported if its datagram stays
  /// incomplete.
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
