import TelecapRecording
import TelecapWire

/// Finds the packets that one side of a recording sent: datagrams as they are, streams put in order again.
public struct UnitReader {
  /// What a reading met beside its units.
  public struct Notes: Hashable, Sendable {
    /// Datagrams and segments that the snapshot length cut: what is missing cannot be sent.
    public var cut = 0
    /// Holes in streams: bytes that were never captured.
    public var gaps = 0
    /// IP datagrams that were sent in fragments of which some are missing, cut or contradict each other.
    public var fragments = 0
    /// Streams of a host, which only answers connections: they are not sent.
    public var hostStreams = 0
    /// Values of Bluetooth that share a packet with one before them: a packet is sent once, so they are not sent.
    public var besides = 0

    /// Nothing yet.
    public init() {}
  }

  private let ports: Ports
  private let role: Role
  /// What the role sends, as ports and characteristics tell it.
  private let own: [PortMatch]
  /// What was asked about last, and the answer: a recording is one or two conversations.
  private var latest: (match: PortMatch, isOwn: Bool)?
  private let window: CaptureWindow
  private let isChosen: @Sendable (Flow) -> Bool
  private var tcp: TCPReassembler? = TCPReassembler()
  private var bluetooth: BluetoothStage?
  private var frames: FrameReader
  /// The time of the recording's first packet; nil before it.
  public private(set) var start: Timestamp?
  private var times = SteadyTimes()
  private var last = PacketHeader(number: 0, time: .zero, originalLength: 0, linkType: 0)
  private var findings: [Finding] = []
  /// The time of the latest packet, which goes on where the clock was set back, as the times of units do; nil before the first.
  public var end: Timestamp? { start.map { _ in last.time } }
  /// What the packet at hand brings to streams.
  private var pieces: [StreamPiece] = []
  private var bytes: [UInt8] = []
  private var openStreams: Set<Int> = []
  /// The protocols of streams, by the streams' numbers.
  private var streams: [Int: StreamProtocol] = [:]
  /// The protocols of contested flows of datagrams.
  private var contested = ContestedFlows()

  /// The flows of the units so far, by their numbers.
  public private(set) var flows = FlowTable()
  /// What was met beside the units.
  public private(set) var notes = Notes()
  /// Packets in which nothing was looked for, and what was seen of Bluetooth's attributes.
  public private(set) var unread = UnreadTraffic()
  /// Packets at the ports of a protocol, whoever sent them.
  public private(set) var known = 0

  /// A reader of what `role` sends by these ports, in this part of the recording, in the flows that are chosen.
  public init(
    ports: Ports, role: Role, window: CaptureWindow = CaptureWindow(),
    flows isChosen: @escaping @Sendable (Flow) -> Bool = { _ in true }
  ) {
    self.isChosen = isChosen
    self.ports = ports
    self.role = role
    self.window = window
    bluetooth = BluetoothStage(ports)
    frames = FrameReader(ports: ports)
    own = ports.protocols.flatMap(\.dialects).flatMap { dialect in
      [Direction.clientToServer, .serverToClient].map { PortMatch(dialect: dialect, direction: $0) }
    }.filter { Role(sending: $0.direction, $0.dialect) == role }
  }

  /// Takes the next frame and hands on the unit that it brings, if it brings one.
  public mutating func receive(
    _ header: PacketHeader, _ frame: RawSpan, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    // A clock step moves the times of later packets (`SteadyTimes`).
    let header = times.place(header).header
    last = header
    let start = start ?? header.time
    self.start = start
    if LinkType.isBluetooth(header.linkType) { return try receiveBluetooth(header, frame, since: start, body) }
    let reading = frames.read(frame, header)
    notes.fragments += reading.found.count
    switch reading.content {
    case .payload(let payload):
      try reading.withBytes(of: frame) { try receive(payload, header, $0, since: start, body) }
    case .none(let reason): unread.count(reason)
    }
  }

  /// - Parameter frame: the bytes in which the payload is: the frame's, or a reassembled datagram's.
  private mutating func receive(
    _ payload: TransportPayload, _ header: PacketHeader, _ frame: RawSpan, since start: Timestamp,
    _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    let span = frame.extracting(payload.range)
    guard let match = ports.match(payload.flow, span, &contested) else { return unread.count(payload) }
    known += 1
    if payload.flow.carrier == .tcp { return try receive(payload, span, header, body) }
    guard isOwn(match, span), window.contains(header.time, since: start), isChosen(payload.flow) else { return }
    if payload.missing > 0 {
      notes.cut += 1
      return
    }
    let flow = flows.number(of: payload.flow)
    try body(ReplayUnit(packet: header.number, time: header.time, flow: flow, carrier: .udp), [], span)
  }

  /// The recording has ended: what streams still hold comes as a packet behind the last.
  public mutating func finish(_ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void) throws {
    notes.fragments += frames.finish().count
    reassembling { tcp, reader in tcp.finish { reader.take($0, $1) } }
    last.number += 1
    try emit(last, body)
    if let told = bluetooth?.told { unread.attributes = told }
  }

  // MARK: Bluetooth

  /// A frame of Bluetooth: each value that it completes is a message, and the first of them its unit.
  private mutating func receiveBluetooth(
    _ header: PacketHeader, _ frame: RawSpan, since start: Timestamp,
    _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    // The stage leaves its place while it works, because its values change this reader.
    guard var bluetooth = self.bluetooth.take() else { return }
    defer { self.bluetooth = bluetooth }
    let before = known
    var isTaken = false
    let damage = try bluetooth.receive(frame, linkType: header.linkType) { flow, match, value in
      known += 1
      guard isOwn(match, value), window.contains(header.time, since: start), isChosen(flow) else { return }
      if isTaken {
        notes.besides += 1
        return
      }
      isTaken = true
      let number = flows.number(of: flow)
      try body(ReplayUnit(packet: header.number, time: header.time, flow: number, carrier: .ble), [], value)
    }
    if known == before { unread.countOther() }
    if let link = bluetooth.begun { flows.renew(link.near, link.far, over: .ble) }
    if damage != nil { notes.cut += 1 }
  }

  // MARK: Streams

  private mutating func receive(
    _ segment: TransportPayload, _ span: RawSpan, _ header: PacketHeader,
    _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    if segment.missing > 0 { notes.cut += 1 }
    reassembling { tcp, reader in tcp.receive(segment, span) { reader.take($0, $1) } }
    try emit(header, body)
  }

  /// The reassembler leaves its place while it works, because its events change this reader.
  private mutating func reassembling(_ body: (inout TCPReassembler, inout UnitReader) -> Void) {
    guard var tcp = self.tcp.take() else { return }
    body(&tcp, &self)
    self.tcp = tcp
  }

  /// Bytes that came before the protocol of their stream was decided are sent with the packet that decided it.
  private mutating func take(_ event: TCPEvent, _ span: RawSpan) {
    guard var stream = streams.removeValue(forKey: event.stream) ?? StreamProtocol(event.flow, by: ports)
    else { return }
    stream.receive(event, span) { kind, match, bytes in
      if isOwn(match, bytes) { take(TCPEvent(flow: event.flow, stream: event.stream, kind: kind), own: bytes) }
    }
    if case .closed = event.kind { return }
    streams[event.stream] = stream
  }

  /// - Parameter span: bytes that the role sent.
  private mutating func take(_ event: TCPEvent, own span: RawSpan) {
    guard let start, window.contains(last.time, since: start), isChosen(event.flow) else { return }
    // A host answers connections and opens none: what it said over them is not sent again.
    if role.side == .host {
      if case .closed = event.kind {
        openStreams.remove(event.stream)
      } else if openStreams.insert(event.stream).inserted {
        notes.hostStreams += 1
      }
      return
    }
    let flow = flows.number(of: event.flow)
    func add(_ kind: StreamPiece.Kind) { pieces.append(StreamPiece(stream: event.stream, flow: flow, kind: kind)) }
    switch event.kind {
    case .opened: if openStreams.insert(event.stream).inserted { add(.open) }
    case .data:
      if openStreams.insert(event.stream).inserted { add(.open) }
      add(.send(count: span.byteCount))
      span.withUnsafeBytes { bytes.append(contentsOf: $0) }
    case .missing: notes.gaps += 1
    case .closed: if openStreams.remove(event.stream) != nil { add(.close) }
    }
  }

  private mutating func emit(
    _ header: PacketHeader, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    guard let first = pieces.first else { return }
    let unit = ReplayUnit(packet: header.number, time: header.time, flow: first.flow, carrier: .tcp)
    try body(unit, pieces, bytes.span.bytes)
    pieces.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Who sends

  /// Whether the role sent these bytes; where both ends have the host's port the message itself tells.
  private mutating func isOwn(_ match: PortMatch, _ span: RawSpan) -> Bool {
    var direction = match.direction
    if direction == .unknown {
      findings.removeAll(keepingCapacity: true)
      direction = MessageDecoder.decode(span, as: match.dialect, findings: &findings).layoutDirection
    }
    let asked = PortMatch(dialect: match.dialect, direction: direction)
    if let latest, latest.match == asked { return latest.isOwn }
    let isOwn = own.contains(asked)
    latest = (asked, isOwn)
    return isOwn
  }
}
