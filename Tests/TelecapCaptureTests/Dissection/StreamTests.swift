import TelecapProtocols
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// TELE and mouse messages over TCP, however the stream comes.
@Suite struct DissectedStreamTests {
  static let messages = [Bytes.hello, Bytes.pose(1), Bytes.pose(2), Bytes.bye]
  static let stream = messages.flatMap { Bytes.framed($0) }
  static let kinds: [MessageKind] = [.hello, .pose, .pose, .bye]

  private func conversation(pieces size: Int) throws -> Conversation {
    var talk = Conversation()
    try talk.open()
    try talk.send(DissectedStreamTests.stream, in: size)
    try talk.close()
    return talk
  }

  @Test("The messages are the same for pieces of any size", arguments: 1...DissectedStreamTests.stream.count)
  func cutIntoPiecesOfAnySizeTheMessagesAreTheSame(size: Int) throws {
    let seen = try conversation(pieces: size).dissected()
    #expect(seen.messages.map(\.bytes) == DissectedStreamTests.messages)
    #expect(seen.kinds == DissectedStreamTests.kinds)
    #expect(seen.findings == [])
    #expect(seen.misplaced == [])
    // Two packets opened it. A message is its last byte's packet's, and has a place where its frame began in there.
    var end = 0
    for message in seen.messages {
      let start = end
      end += message.bytes.count + 2
      #expect(message.packet == 3 + (end - 1) / size)
      let isWhole = start / size == (end - 1) / size
      #expect(message.offset == (isWhole ? Conversation.tcpOffset + start % size + 2 : nil))
    }
  }

  @Test("Repeated and reordered segments change nothing")
  func repeatedAndReorderedSegmentsChangeNothing() throws {
    let talk = try conversation(pieces: 7)
    let count = talk.packets.count
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      // All segments between opening and closing, each once or twice, in any order.
      let middle = Array(2..<count - 1)
      let order = [0, 1] + (middle + middle.filter { _ in Bool.random(using: &random) }).shuffled(using: &random)
      let seen = try talk.dissected(order: order + [count - 1])
      #expect(seen.messages.map(\.bytes) == DissectedStreamTests.messages)
      #expect(seen.findings == [])
      #expect(seen.misplaced == [])
    }
  }

  @Test("A stream between ports of two protocols is read in any segments", arguments: 1...10)
  func contestedStream(size: Int) throws {
    let flow = Flow(
      .tcp, from: Endpoint(Conversation.phone.address, port: 50_000), to: Conversation.clicks.destination)
    var talk = Conversation()
    try talk.open(flow)
    try talk.send([0xbb, 1, 0, 0, 0, 0xbb, 0, 0, 0, 0], in: size, flow)
    try talk.close(flow)
    let seen = try talk.dissected()
    #expect(seen.messages.map(\.bytes) == [[0xbb, 1, 0, 0, 0], [0xbb, 0, 0, 0, 0]])
    #expect(seen.findings == [])
    #expect(seen.misplaced == [])
  }

  @Test("Such a stream without its first bytes, or too short to decide, is read and reported")
  func contestedGap() throws {
    let flow = Flow(
      .tcp, from: Endpoint(Conversation.phone.address, port: 50_000), to: Conversation.clicks.destination)
    var talk = Conversation()
    try talk.open(flow)
    try talk.send([0xbb, 1, 0], flow)
    try talk.send([0xbb, 0, 0, 0, 0], flow)
    try talk.close(flow)
    #expect(try talk.dissected(order: [0, 1, 2]).rules.map(\.id) == [Rule.streamEnd.id])
    let seen = try talk.dissected(order: [0, 1, 3, 4])
    #expect(seen.messages.map(\.bytes) == [[0xbb, 0, 0, 0, 0]])
    #expect(seen.rules == [.streamGap])
  }

  @Test("A lost segment is a gap, and the messages after it are read")
  func aLostSegmentIsAGapAndTheMessagesBehindItAreRead() throws {
    var talk = Conversation()
    try talk.open()
    for seq in 1...5 { try talk.send(Bytes.framed(Bytes.pose(UInt16(seq))), Conversation.tcp) }
    // The answer acknowledges what the capture missed.
    try talk.send(Bytes.framed(Bytes.haptic), Conversation.tcp.reversed)
    try talk.send(Bytes.framed(Bytes.pose(6)), Conversation.tcp)
    let seen = try talk.dissected(order: [0, 1, 2, 4, 5, 6, 7, 8])
    #expect(seen.messages.map { $0.kind == .pose ? $0.bytes[6] : 0 } == [1, 3, 4, 5, 0, 6])
    // A packet of the other direction releases the buffered bytes, and yet they are the phone's.
    #expect(seen.messages.map(\.direction) == [0, 1, 1, 1, 2, 1].map { $0 == 2 ? .serverToClient : .clientToServer })
    let gap = try #require(seen.findings.first { $0.rule == .streamGap })
    #expect(gap == SeenFinding(packet: 7, rule: .streamGap, text: "48 bytes of the stream are not in the capture"))
    #expect(!seen.rules.contains(.direction))
    #expect(!seen.rules.contains(.frameLength))
  }

  @Test("After a gap within messages the next one is found again", arguments: 1..<20)
  func behindAGapWithinMessagesTheNextOneIsFoundAgain(size: Int) throws {
    let talk = try conversation(pieces: size)
    // One piece from the middle of the first pose is missing.
    let lost = 2 + 40 / size
    let seen = try talk.dissected(order: talk.packets.indices.filter { $0 != lost })
    let bytes = seen.messages.map(\.bytes)
    #expect(bytes.first == Bytes.hello)
    #expect(Array(bytes.suffix(2)) == Array(DissectedStreamTests.messages.suffix(2)))
    #expect(bytes.count == 3)
    #expect(seen.rules.filter { $0 == .streamGap }.count == 1)
    #expect(!seen.rules.contains(.frameLength))
    // All bytes of the lost pose are reported: before the gap, missing, and skipped.
    let numbers = seen.findings.filter { [.streamEnd, .streamGap, .streamSkipped].contains($0.rule) }.map(\.text)
    let count = numbers.reduce(0) { $0 + (Int($1.split(whereSeparator: { !$0.isNumber }).last ?? "") ?? 0) }
    #expect(count == Bytes.pose(1).count + 2, "\(numbers)")
  }

  @Test("Without its SYN a stream is picked up at the next message")
  func withoutItsSYNAStreamIsPickedUpAtTheNextMessage() throws {
    let talk = try conversation(pieces: 16)
    // The capture begins with the second piece, in the middle of the HELLO.
    let seen = try talk.dissected(order: Array(3..<talk.packets.count))
    #expect(seen.messages.map(\.bytes) == Array(DissectedStreamTests.messages.dropFirst()))
    #expect(
      seen.findings.first
        == SeenFinding(
          packet: 1, rule: .streamSkipped, text: "4 bytes skipped until the next message begins"))
    #expect(!seen.rules.contains(.frameLength))

    var whole = Conversation()
    try whole.send(Bytes.framed(Bytes.pose(1)), Conversation.tcp)
    let first = try whole.dissected()
    #expect(first.messages.map(\.offset) == [Conversation.tcpOffset + 2])
    #expect(first.findings == [])
  }

  @Test("A length that no message has ends the stream's reading, not the dissection")
  func aLengthThatNoMessageHasEndsTheStreamsReadingNotTheDissection() throws {
    var talk = Conversation()
    try talk.open()
    try talk.send(Bytes.framed(Bytes.hello) + [3, 0, 1, 2, 3] + Bytes.framed(Bytes.pose(1)), Conversation.tcp)
    try talk.send(Bytes.framed(Bytes.ackTCP), Conversation.tcp.reversed)
    let seen = try talk.dissected()
    #expect(seen.kinds == [.hello, .ackTCP])
    #expect(
      seen.findings == [
        SeenFinding(packet: 3, rule: .frameLength, text: "frame length 3; a message has 6 bytes or more")
      ])
  }

  @Test("A stream that ends inside a message is reported at its last packet")
  func aStreamThatEndsInsideAMessageIsToldOfItsLastPacket() throws {
    var talk = Conversation()
    try talk.open()
    try talk.open(Conversation.clicks)
    try talk.send(Array(Bytes.framed(Bytes.pose(1)).prefix(20)), Conversation.tcp)
    try talk.send([0xbb, 1], Conversation.clicks)
    try talk.send(Bytes.movement, Conversation.mouse)
    let seen = try talk.dissected()
    #expect(seen.kinds == [.mouseMovement])
    #expect(
      Set(seen.findings.map { "\($0.packet) \($0.rule.id) \($0.text)" }) == [
        "5 stream.end the stream ends inside a message: needed 48 bytes, had 20",
        "6 stream.end the stream ends inside a message: needed 5 bytes, had 2",
      ])
  }

  @Test("Mouse packets are found again after other bytes")
  func mousePacketsAreFoundAgainBehindBytesThatAreNone() throws {
    var talk = Conversation()
    try talk.open(Conversation.clicks)
    try talk.send([1, 2, 3] + Bytes.control + [0] + Bytes.control, in: 1, Conversation.clicks)
    let seen = try talk.dissected()
    #expect(seen.kinds == [.mouseControl, .mouseControl])
    #expect(
      seen.findings.map(\.text) == [
        "3 bytes skipped until the next message begins", "1 byte skipped until the next message begins",
      ])
  }

  @Test("A connection that replaces another at the limit keeps its own protocol")
  func aConnectionThatHasToMakeRoomKeepsItsOwnProtocol() throws {
    var talk = Conversation()
    try talk.open(Conversation.clicks)
    try talk.send(Array(Bytes.control.prefix(4)), Conversation.clicks)
    try talk.open(Conversation.tcp)
    try talk.send(Bytes.framed(Bytes.hello), Conversation.tcp)
    let seen = try talk.dissected(tcp: TCPReassembler(connectionLimit: 1))
    #expect(seen.kinds == [.hello])
    #expect(
      seen.findings == [
        SeenFinding(
          packet: 3, rule: .streamEnd, text: "the stream ends inside a message: needed 5 bytes, had 4")
      ])
  }
}

@Suite struct DissectorSoakTests {
  /// A conversation with everything in it.
  private func everything() throws -> Conversation {
    var talk = Conversation()
    try talk.open()
    try talk.open(Conversation.clicks)
    for seq in 0..<4 {
      try talk.send(Bytes.hello)
      try talk.send(Bytes.pose(UInt16(seq)))
      try talk.send(Bytes.movement, Conversation.mouse)
      try talk.send(Bytes.framed(Bytes.pose(UInt16(seq)), Bytes.hello), in: 31)
      try talk.send(Bytes.control, in: 2, Conversation.clicks)
    }
    try talk.close()
    return talk
  }

  @Test("Mutated frames never trap, and offsets stay true")
  func mutatedFramesNeverTrapAndOffsetsStayTrue() throws {
    let packets = try everything().packets
    var random = SplitMix64(seed: 2026)
    var dissector = Dissector(ports: .standard)
    var seen = SeenDissection()
    for round in 0..<(Tier.isDeep ? 200_000 : 40_000) {
      guard let (original, bytes) = packets.randomElement(using: &random) else { return }
      var (header, frame) = (original, bytes)
      header.number = round + 1
      header.time = Timestamp(nanoseconds: Int64.random(in: .min ... .max, using: &random))
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        // Mostly in the headers, with their lengths and numbers.
        let place = Int.random(in: 0..<min(frame.count, Bool.random(using: &random) ? 54 : frame.count), using: &random)
        frame[place] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        frame.removeLast(Int.random(in: 0...frame.count, using: &random))
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        header.originalLength = Int.random(in: 0...100, using: &random)
        header.linkType = [0, 1, 101, 113, 276, 9_999].randomElement(using: &random) ?? 1
      }
      seen.messages.removeAll()
      seen.findings.removeAll()
      seen.frame = frame
      try dissector.receive(header, frame.span.bytes, to: &seen)
    }
    seen.frame = []
    try dissector.finish(to: &seen)
    #expect(seen.misplaced == [])
    #expect(dissector.streams.streams > 2, "streams were opened")
  }

  @Test("Random bytes never trap")
  func randomBytesNeverTrap() throws {
    var random = SplitMix64(seed: 7)
    var dissector = Dissector(ports: .standard)
    var seen = SeenDissection()
    for number in 1...(Tier.isDeep ? 100_000 : 20_000) {
      let frame = (0..<Int.random(in: 0...96, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let header = PacketHeader(
        number: number, time: .zero, originalLength: frame.count,
        linkType: [0, 1, 101, 108, 113, 276].randomElement(using: &random) ?? 1)
      seen.frame = frame
      try dissector.receive(header, frame.span.bytes, to: &seen)
    }
    try dissector.finish(to: &seen)
    #expect(seen.misplaced == [])
    #expect(!seen.findings.isEmpty)
  }
}
