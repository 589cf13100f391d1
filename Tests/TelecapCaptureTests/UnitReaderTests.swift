import TelecapCapture
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// The payloads that one side of a recording sent, packet by packet.
@Suite struct UnitReaderTests {
  private static let phone = Endpoint(IPAddress(v4: 0xc000_0207), port: 40_000)
  private static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)

  /// A payload that a reader passed on.
  private struct SeenUnit: Equatable {
    var packet: Int
    var flow: Int
    var carrier: Carrier
    var pieces: [StreamPiece.Kind] = []
    var bytes: [UInt8]
  }

  /// A recording that is read as it is made, a packet each millisecond.
  private struct Run {
    var reader: UnitReader
    var units: [SeenUnit] = []
    private var frames = FrameBuilder(link: .ethernet)
    private var packets = 0

    init(_ role: Role, _ window: CaptureWindow = CaptureWindow()) {
      reader = UnitReader(ports: Ports(Protocols.builtIn), role: role, window: window)
    }

    enum Step { case open, send, close }

    /// - Parameter cut: so many bytes of the frame's end were not captured.
    mutating func add(
      _ bytes: [UInt8], from: Endpoint, to: Endpoint, over carrier: Carrier = .udp, _ step: Step = .send, cut: Int = 0
    ) throws {
      var frame: [UInt8] = []
      let flow = Flow(carrier, from: from, to: to)
      switch step {
      case .open: try frames.appendOpening(flow, to: &frame)
      case .send: try frames.append(bytes.span.bytes, flow, to: &frame)
      case .close: try frames.appendClosing(flow, to: &frame)
      }
      packets += 1
      let header = PacketHeader(
        number: packets, time: Timestamp(nanoseconds: Int64(packets) * 1_000_000), originalLength: frame.count,
        linkType: frames.link.linkType)
      frame.removeLast(cut)
      var seen: [SeenUnit] = []
      try reader.receive(header, frame.span.bytes) { seen.append(Run.seen($0, $1, $2)) }
      units += seen
    }

    /// A segment that nobody captured.
    mutating func lose(_ bytes: [UInt8], from: Endpoint, to: Endpoint) throws {
      var frame: [UInt8] = []
      try frames.append(bytes.span.bytes, Flow(.tcp, from: from, to: to), to: &frame)
      packets += 1
    }

    mutating func finish() throws {
      var seen: [SeenUnit] = []
      try reader.finish { seen.append(Run.seen($0, $1, $2)) }
      units += seen
    }

    private static func seen(_ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: RawSpan) -> SeenUnit {
      SeenUnit(
        packet: unit.packet, flow: unit.flow, carrier: unit.carrier, pieces: pieces.map(\.kind), bytes: copy(bytes))
    }
  }

  @Test("The phone's datagrams are read unchanged, and those of the host and of other ports are left out")
  func datagrams() throws {
    let hello = try Message.hello(sessionID: 1, code: "ABC123").bytes
    let other = Endpoint(Self.phone.address, port: 40_001)
    var run = Run(.phone)
    try run.add(hello, from: Self.phone, to: Self.host)
    try run.add(Message.ack(.ok).bytes, from: Self.host, to: Self.phone)
    try run.add([1, 2, 3], from: Self.phone, to: Endpoint(Self.host.address, port: 9))
    try run.add([7], from: other, to: Self.host)
    try run.add(hello, from: Self.phone, to: Self.host)
    try run.finish()
    #expect(
      run.units == [
        SeenUnit(packet: 1, flow: 0, carrier: .udp, bytes: hello),
        SeenUnit(packet: 4, flow: 1, carrier: .udp, bytes: [7]),
        SeenUnit(packet: 5, flow: 0, carrier: .udp, bytes: hello),
      ])
    #expect(run.reader.flows.flows.map(\.source) == [Self.phone, other])
    #expect(run.reader.notes == UnitReader.Notes())
  }

  @Test("The host's datagrams of the same recording are read")
  func host() throws {
    var run = Run(.host)
    try run.add([1], from: Self.phone, to: Self.host)
    try run.add(Message.ack(.ok).bytes, from: Self.host, to: Self.phone)
    #expect(run.units == [SeenUnit(packet: 2, flow: 0, carrier: .udp, bytes: Message.ack(.ok).bytes)])
  }

  @Test("If both sides use the host's port, the message shows which of them sent it")
  func samePorts() throws {
    let twin = Endpoint(Self.phone.address, port: 50_000)
    let hello = try Message.hello(sessionID: 1, code: "ABC123").bytes
    for (role, expected) in [(Role.phone, hello), (.host, try Message.haptic(intensity: 1).bytes)] {
      var run = Run(role)
      try run.add(hello, from: twin, to: Self.host)
      try run.add(try Message.haptic(intensity: 1).bytes, from: Self.host, to: twin)
      #expect(run.units.map(\.bytes) == [expected])
    }
  }

  @Test("Bytes between two protocols' ports are delayed until a packet identifies their protocol")
  func contestedStream() throws {
    let (client, server) = (Endpoint(Self.phone.address, port: 50_000), Endpoint(Self.host.address, port: 8_889))
    var run = Run(.mouse)
    try run.add([], from: client, to: server, over: .tcp, .open)
    for byte in [0xbb, 1, 0, 0, 0] as [UInt8] { try run.add([byte], from: client, to: server, over: .tcp) }
    try run.add([0xbb, 0, 0, 0, 0], from: client, to: server, over: .tcp)
    try run.finish()
    #expect(run.units.map(\.packet) == [6, 7, 8])
    #expect(run.units.map(\.bytes) == [[0xbb, 1, 0, 0, 0], [0xbb, 0, 0, 0, 0], []])
    #expect(run.units.map(\.pieces) == [[.open, .send(count: 5)], [.send(count: 5)], [.close]])
  }

  @Test("A datagram that the snapshot length cut is counted and left out")
  func cut() throws {
    var run = Run(.phone)
    try run.add([1, 2, 3, 4], from: Self.phone, to: Self.host, cut: 1)
    try run.add([5], from: Self.phone, to: Self.host)
    #expect(run.units.map(\.bytes) == [[5]])
    #expect(run.reader.notes.cut == 1)
  }

  @Test("Only packets in the window are read, counted from the recording's first packet")
  func window() throws {
    var run = Run(.phone, CaptureWindow(from: 1_000_000, until: 3_000_000))
    for number in 1...5 { try run.add([UInt8(number)], from: Self.phone, to: Self.host) }
    #expect(run.units.map(\.packet) == [2, 3])
  }

  @Test("A stream is opened, sent in its pieces, and closed, without the host's answers")
  func stream() throws {
    var run = Run(.phone)
    try run.add([], from: Self.phone, to: Self.host, over: .tcp, .open)
    try run.add([], from: Self.host, to: Self.phone, over: .tcp, .open)
    try run.add([1, 2], from: Self.phone, to: Self.host, over: .tcp)
    try run.add([9], from: Self.host, to: Self.phone, over: .tcp)
    try run.add([3], from: Self.phone, to: Self.host, over: .tcp)
    try run.add([], from: Self.phone, to: Self.host, over: .tcp, .close)
    try run.finish()
    #expect(run.units.allSatisfy { $0.carrier == .tcp && $0.flow == 0 })
    #expect(run.units.map(\.packet) == [1, 3, 5, 6])
    #expect(run.units.map(\.pieces) == [[.open], [.send(count: 2)], [.send(count: 1)], [.close]])
    #expect(run.units.flatMap(\.bytes) == [1, 2, 3])
  }

  @Test("A stream captured in the middle opens with its first bytes, and closes at the end of the recording")
  func pickedUp() throws {
    var run = Run(.phone)
    try run.add([1, 2], from: Self.phone, to: Self.host, over: .tcp)
    try run.finish()
    #expect(run.units.map(\.packet) == [1, 2])
    #expect(run.units.map(\.pieces) == [[.open, .send(count: 2)], [.close]])
  }

  @Test("After a gap the stream goes on, and the gap is counted")
  func hole() throws {
    var run = Run(.phone)
    try run.add([], from: Self.phone, to: Self.host, over: .tcp, .open)
    try run.add([1, 2], from: Self.phone, to: Self.host, over: .tcp)
    try run.lose([3, 4], from: Self.phone, to: Self.host)
    try run.add([5, 6], from: Self.phone, to: Self.host, over: .tcp)
    try run.finish()
    #expect(run.units.flatMap(\.bytes) == [1, 2, 5, 6])
    #expect(run.reader.notes.gaps == 1)
  }

  @Test("A stream split into any segments gives the same bytes in the same order")
  func everyCut() throws {
    let bytes = try Message.hello(sessionID: 1, code: "ABC123").framed(as: .teleTCP)
    for cut in 1..<bytes.count {
      var run = Run(.phone)
      try run.add([], from: Self.phone, to: Self.host, over: .tcp, .open)
      try run.add(Array(bytes[..<cut]), from: Self.phone, to: Self.host, over: .tcp)
      try run.add(Array(bytes[cut...]), from: Self.phone, to: Self.host, over: .tcp)
      #expect(run.units.flatMap(\.bytes) == bytes, "cut at \(cut)")
    }
  }

  @Test("A host's streams are left out and counted, since a host opens none")
  func hostStreams() throws {
    var run = Run(.host)
    try run.add([], from: Self.phone, to: Self.host, over: .tcp, .open)
    try run.add([], from: Self.host, to: Self.phone, over: .tcp, .open)
    try run.add([9], from: Self.host, to: Self.phone, over: .tcp)
    try run.finish()
    #expect(run.units == [] && run.reader.notes.hostStreams == 1)
  }

  // MARK: - Bluetooth

  /// Each value is a unit; a link that begins anew is another flow; of several values in a packet the first is sent.
  @Test("Bluetooth values are read, each link as a flow")
  func valuesOfBluetooth() throws {
    let builder = BluetoothFrameBuilder(.teleBLE)
    let haptic = try Message.haptic(intensity: 0.5).bytes
    let host = IPAddress(bluetooth: 0x5cf3_7001_0203)
    var frames: [[UInt8]] = []
    for strength: Float in [0.25, 0.75] {
      frames += builder.opening(link: 0x40, to: host)
      frames += builder.value(try Message.haptic(intensity: strength).bytes, link: 0x40, isFromClient: false)
      frames += builder.value(Message.cmd(1, true).bytes, link: 0x40, isFromClient: true)
      if strength == 0.25 { frames.append(builder.closing(link: 0x40)) }
    }
    let handle = try #require(BLECharacteristic.allCases.firstIndex { $0.kind == .haptic })
    let one: [UInt8] = [UInt8(0x11 + 2 * handle), 0, 12, 0] + haptic
    frames.append(BluetoothTests.acl([0x23] + one + one, sent: false))

    var reader = UnitReader(ports: Ports(Protocols.builtIn), role: .host)
    var units: [SeenUnit] = []
    for (place, frame) in frames.enumerated() {
      let header = PacketHeader(
        number: place + 1, time: .zero, originalLength: frame.count, linkType: BluetoothFrameBuilder.linkType)
      try reader.receive(header, frame.span.bytes) { unit, _, bytes in
        units.append(SeenUnit(packet: unit.packet, flow: unit.flow, carrier: unit.carrier, bytes: bytes.array))
      }
    }
    try reader.finish { _, _, _ in }
    #expect(units.map(\.flow) == [0, 1, 1] && units.allSatisfy { $0.carrier == .ble })
    #expect(try units.map(\.bytes) == [0.25, 0.75, 0.5].map { try Message.haptic(intensity: $0).bytes })
    #expect(Set(reader.flows.flows).count == 1 && reader.notes.besides == 1)
  }
}
