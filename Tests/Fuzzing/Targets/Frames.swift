import TelecapCapture
import TelecapRecording
import TelecapWire

extension FuzzTarget {
  /// A frame: two bytes for its link type, one for how much of it was not captured, then its bytes.
  static let frame = FuzzTarget("frame", seeds: { try Seeds.frames() }) { bytes in
    var input = FuzzBytes(bytes)
    let linkType: UInt16 = input.number()
    let missing = Int(input.byte()) * 8
    let frame = Array(input.rest)
    let content = FrameDecoder.decode(
      frame.span.bytes, linkType: linkType, originalLength: frame.count + missing)
    switch content {
    case .payload(let payload):
      let isInside = payload.range.lowerBound >= 0 && payload.range.upperBound <= frame.count
      try hold(isInside && payload.missing >= 0, "payload \(payload.range) of \(frame.count) bytes")
      return true
    case .none(let reason):
      try hold(!reason.description.isEmpty, "no words for \(reason)")
      return false
    }
  }

  /// Segments of two connections, both ways: a byte for flow and flags, an offset, what is acknowledged, a length.
  static let tcp = FuzzTarget("tcp", seeds: { Seeds.segments }) { bytes in
    var input = FuzzBytes(bytes)
    var reassembler = TCPReassembler(streamLimit: 256, totalLimit: 600, connectionLimit: 1 + Int(input.byte() % 2))
    var order = StreamOrder()
    while !input.isEmpty {
      let (segment, payload) = segment(&input)
      try reassembler.receive(segment, payload.span.bytes) { try order.take($0, $1.byteCount) }
    }
    try reassembler.finish { try order.take($0, $1.byteCount) }
    try hold(order.open.isEmpty, "streams \(order.open.keys.sorted()) never ended")
    return order.hasData
  }

  /// Frames as in a capture: for each a byte for the link type, a length of two bytes, and its bytes.
  static let dissection = FuzzTarget("dissection", seeds: { try Seeds.conversations() }) { bytes in
    var input = FuzzBytes(bytes)
    var dissector = Dissector(ports: Ports(Known.protocols))
    var sink = CheckedSink()
    var number = 0
    while !input.isEmpty {
      number += 1
      let linkType = input.choice(Seeds.linkTypes)
      let frame = input.piece(Int(input.number(UInt16.self)))
      let header = PacketHeader(
        number: number, time: Timestamp(nanoseconds: Int64(number) * 7_000_000), originalLength: frame.count,
        linkType: linkType)
      sink.frame = frame.count
      try dissector.receive(header, frame.span.bytes, to: &sink)
    }
    try dissector.finish(to: &sink)
    return sink.messages > 0
  }

  private static func segment(_ input: inout FuzzBytes) -> (TransportPayload, [UInt8]) {
    let control = input.byte()
    let client = Endpoint(.loopback, port: control & 1 == 0 ? 40_001 : 40_002)
    let flow = Flow(.tcp, from: client, to: Endpoint(.loopback, port: 50_000))
    var segment = TransportPayload(flow: control & 2 == 0 ? flow : flow.reversed, range: 0..<0)
    segment.flags = TCPFlags(rawValue: control >> 3)
    // Near together, at the two ends of the numbers, or anywhere.
    let place = UInt32(input.byte())
    segment.sequence = control & 4 == 0 ? place &- 128 : place << 24
    segment.acknowledgement = UInt32(input.byte()) &- 128
    let payload = input.piece(Int(input.byte()))
    segment.range = 0..<payload.count
    return (segment, payload)
  }
}

/// Checks the order of a reassembler's events: a stream opens, its bytes and gaps follow one another, it ends once.
private struct StreamOrder {
  private(set) var open: [Int: Int64] = [:]
  private(set) var hasData = false
  private var latest = 0

  mutating func take(_ event: TCPEvent, _ count: Int) throws(Broken) {
    if case .opened = event.kind {
      try hold(event.stream > latest, "stream \(event.stream) opens behind stream \(latest)")
      latest = event.stream
      open[event.stream] = 0
      return
    }
    guard let next = open[event.stream] else { throw Broken(description: "\(event) of a stream that is not open") }
    switch event.kind {
    case .opened: break
    case .data(let offset):
      try hold(offset == next && count > 0, "\(event) with \(count) bytes at \(next)")
      open[event.stream] = offset + Int64(count)
      hasData = true
    case .missing(let range):
      try hold(range.lowerBound == next && !range.isEmpty, "\(event) at \(next)")
      open[event.stream] = range.upperBound
    case .closed: open[event.stream] = nil
    }
  }
}

/// Checks that the messages of a dissector belong to the frame that it reports them for.
struct CheckedSink: DissectionSink {
  var frame = 0
  private(set) var messages = 0

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    messages += 1
    if let offset = message.offset {
      try hold(offset >= 0 && offset + bytes.byteCount <= frame, "a message at \(offset) of a frame of \(frame)")
    }
    for finding in findings {
      let isInside = finding.range.lowerBound >= 0 && finding.range.upperBound <= bytes.byteCount
      try hold(isInside, "\(finding) is about \(finding.range) of \(bytes.byteCount) bytes")
    }
    try hold(message.isValid == !findings.contains { $0.severity == .error }, "\(message.kind) is valid, or is not")
  }

  func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    try hold(!finding.description.isEmpty, "a finding without words")
  }

  func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    try hold(!finding.description.isEmpty, "a finding without words")
  }
}
