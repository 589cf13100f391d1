import TelecapRecording
import TelecapWire

/// Finds the packets that one side of a recording sent: datagrams as they are, streams in order.
public struct UnitReader {
  /// Counts of traffic that is not in the units.
  public struct Notes: Hashable, Sendable {
    /// Datagrams and segments that the snapshot length cut, which cannot be sent.
    public var cut = 0
    /// Gaps in streams: bytes that were not captured.
    public var gaps = 0
    /// Fragmented IP datagrams with missing, truncated or contradictory fragments.
    public var fragments = 0
    /// Streams of a host, which only accepts connections, so that they are not sent.
    public var hostStreams = 0
    /// Values of Bluetooth that share a packet with an earlier value. A packet is sent once, so they are not sent.
    public var besides = 0

    /// Without counts.
    public init() {}
  }

  private let ports: Ports
  private let role: Role
  /// The messages that the role sends, by ports and characteristics.
  private let own: [PortMatch]
  /// The last lookup and its result, because a recording has only one or two conversations.
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
  /// The time of the latest packet, monotonic over clock steps as the times of units are; nil before the first.
  public var end: Timestamp? { start.map { _ in last.time } }
  /// The stream events of the current packet.
  private var pieces: [StreamPiece] = []
  private var bytes: [UInt8] = []
  private var openStreams: Set<Int> = []
  /// The protocols of streams by their numbers.
  private var streams: [Int: StreamProtocol] = [:]
  /// The protocols of contested flows of datagrams.
  private var contested = ContestedFlows()

  /// The flows of the units so far by their numbers.
  public private(set) var flows = FlowTable()
  /// The counts of other traffic.
  public private(set) var notes = Notes()
  /// The packets that were not read, and the observed Bluetooth attributes.
  public private(set) var unread = UnreadTraffic()
  /// The number of packets at the ports of a protocol, from any sender.
  public private(set) var known = 0

  /// A reader of the packets of `role` at these ports, in this window of the recording, in the chosen flows.
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

  /// Reads the next frame and emits its unit, if it has one.
  public mutating func receive(
    _ header: PacketHeader, _ frame: RawSpan, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    // Times after a clock step are shifted (`SteadyTimes`).
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

  /// - Parameter frame: the bytes that contain the payload: the frame's, or a reassembled datagram's.
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

  /// Ends the recording: emits the buffered bytes of streams as a packet after the last.
  public mutating func finish(_ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void) throws {
    notes.fragments += frames.finish().count
    reassembling { tcp, reader in tcp.finish { reader.take($0, $1) } }
    last.number += 1
    try emit(last, body)
    if let told = bluetooth?.told { unread.attributes = told }
  }

  // MARK: Bluetooth

  /// Reads a Bluetooth frame: each value that it completes is a message, and the first of them becomes its unit.
  private mutating func receiveBluetooth(
    _ header: PacketHeader, _ frame: RawSpan, since start: Timestamp,
    _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    // Take the stage out while it runs, because its values change this reader.
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

  /// Takes the reassembler out while it runs, because its events change this reader.
  private mutating func reassembling(_ body: (inout TCPReassembler, inout UnitReader) -> Void) {
    guard var tcp = self.tcp.take() else { return }
    body(&tcp, &self)
    self.tcp = tcp
  }

  /// Bytes from before the detection of their stream's protocol belong to the packet that decided it.
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
    // A host accepts connections and opens none, so its streams are not sent.
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

  // MARK: Sender

  /// Whether the role sent these bytes; if both ends have the host's port, the message itself decides.
  private mutating func isOwn(_ match: PortMatch, _ span: RawSpan) -> Bool {
    var direction = match.direction
    if direction == .unknown {
      findings.removeAll(keepingCapacity: true)
      let first = span.extracting(match.dialect.firstMessage(of: span))
      direction = MessageDecoder.decode(first, as: match.dialect, findings: &findings).layoutDirection
    }
    let asked = PortMatch(dialect: match.dialect, direction: direction)
    if let latest, latest.match == asked { return latest.isOwn }
    let isOwn = own.contains(asked)
    latest = (asked, isOwn)
    return isOwn
  }
}
