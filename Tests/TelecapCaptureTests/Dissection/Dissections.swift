// The shared code of the dissector's tests: conversations built frame by frame, and their messages and findings.
import TelecapProtocols
import TelecapRecording
import TelecapWire

@testable import TelecapCapture

/// A message as a test compares it.
struct SeenMessage: Equatable, CustomStringConvertible {
  var packet: Int
  var kind: MessageKind
  var bytes: [UInt8]
  var direction: Direction
  var session: Int
  var offset: Int?

  var description: String {
    "\(packet) \(kind) \(direction.name) session \(session) at \(offset.map(String.init) ?? "–")"
  }
}

/// Something found about a packet or, late, about a message.
struct SeenFinding: Equatable {
  var packet: Int
  var rule: Rule
  var text: String
}

/// All that a dissector said.
struct SeenDissection: DissectionSink {
  var messages: [SeenMessage] = []
  var findings: [SeenFinding] = []
  /// Packets whose message's bytes were not at the reported offset.
  var misplaced: [Int] = []
  /// The frame at hand.
  var frame: [UInt8] = []
  var unread = UnreadTraffic()

  var kinds: [MessageKind] { messages.map(\.kind) }
  var rules: [Rule] { findings.map(\.rule) }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) {
    let copied = copy(bytes)
    let packet = message.datagram.packet
    messages.append(
      SeenMessage(
        packet: packet, kind: message.kind, bytes: copied, direction: message.direction, session: message.session,
        offset: message.offset))
    self.findings += findings.map { SeenFinding(packet: packet, rule: $0.rule, text: $0.description) }
    if let offset = message.offset, offset + copied.count > frame.count || !frame[offset...].starts(with: copied) {
      misplaced.append(packet)
    }
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) {
    findings.append(SeenFinding(packet: header.number, rule: finding.rule, text: finding.description))
  }

  mutating func unread(_ traffic: UnreadTraffic) { unread = traffic }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) {
    findings.append(SeenFinding(packet: datagram.packet, rule: finding.rule, text: finding.description))
  }
}

/// Frames in the order in which they are dissected, 5 ms apart.
struct Conversation {
  static let phone = Endpoint(IPAddress(v4: 0xc000_020a), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)
  static let udp = Flow(.udp, from: phone, to: host)
  static let tcp = Flow(.tcp, from: phone, to: host)
  static let mouse = Flow(.udp, from: phone, to: Endpoint(host.address, port: 8_888))
  static let clicks = Flow(.tcp, from: phone, to: Endpoint(host.address, port: 8_889))
  /// The offset of a payload: after Ethernet, IPv4 and UDP, or TCP.
  static let udpOffset = 14 + 20 + 8
  static let tcpOffset = 14 + 20 + 20

  var packets: [(header: PacketHeader, frame: [UInt8])] = []
  private var builder = FrameBuilder(link: .ethernet)

  mutating func send(_ bytes: [UInt8], _ flow: Flow = Conversation.udp, keeping kept: Int? = nil) throws {
    var frame: [UInt8] = []
    try builder.append(bytes.span.bytes, flow, to: &frame)
    add(frame, keeping: kept)
  }

  mutating func open(_ flow: Flow = Conversation.tcp) throws {
    var frame: [UInt8] = []
    try builder.appendOpening(flow, to: &frame)
    add(frame)
    frame.removeAll()
    try builder.appendOpening(flow.reversed, to: &frame)
    add(frame)
  }

  mutating func close(_ flow: Flow = Conversation.tcp) throws {
    var frame: [UInt8] = []
    try builder.appendClosing(flow, to: &frame)
    add(frame)
  }

  mutating func add(_ frame: [UInt8], keeping kept: Int? = nil) {
    let number = packets.count + 1
    let header = PacketHeader(
      number: number, time: Timestamp(nanoseconds: Int64(number) * 5_000_000), originalLength: frame.count,
      linkType: LinkType.ethernet)
    packets.append((header, Array(frame.prefix(kept ?? frame.count))))
  }

  /// Each cut into pieces of this size, sent one by one.
  mutating func send(_ bytes: [UInt8], in size: Int, _ flow: Flow = Conversation.tcp) throws {
    for start in stride(from: 0, to: bytes.count, by: size) {
      try send(Array(bytes[start..<min(bytes.count, start + size)]), flow)
    }
  }

  /// Dissects the packets in this order of their places (all of them, in turn, when nil). Numbers and times stay as
  /// they come.
  func dissected(
    order: [Int]? = nil, ports: Ports = .standard, tcp: TCPReassembler = TCPReassembler(),
    at time: (Int) -> Int64 = { Int64($0 + 1) * 5_000_000 }
  ) throws -> SeenDissection {
    var dissector = Dissector(ports: ports, tcp: tcp)
    var seen = SeenDissection()
    for (index, place) in (order ?? Array(packets.indices)).enumerated() {
      var header = packets[place].header
      header.number = index + 1
      header.time = Timestamp(nanoseconds: time(index))
      let frame = packets[place].frame
      seen.frame = frame
      try dissector.receive(header, frame.span.bytes, to: &seen)
    }
    seen.frame = []
    try dissector.finish(to: &seen)
    return seen
  }
}
