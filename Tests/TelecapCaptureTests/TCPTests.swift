import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// A reassembler with what it said.
struct TCPRun {
  static let flow = Flow(
    .tcp, from: Endpoint(IPAddress(v4: 0xc000_0201), port: 40_000),
    to: Endpoint(IPAddress(v4: 0xc000_0202), port: 50_000))

  var reassembler: TCPReassembler
  var log = TCPLog()

  init(streamLimit: Int = 262_144, totalLimit: Int = 1 << 24, connectionLimit: Int = 8) {
    reassembler = TCPReassembler(
      streamLimit: streamLimit, totalLimit: totalLimit, connectionLimit: connectionLimit)
  }

  mutating func send(
    _ sequence: UInt32, _ data: [UInt8] = [], _ flags: TCPFlags = [], acknowledgement: UInt32 = 0,
    flow: Flow = TCPRun.flow, missing: Int = 0
  ) {
    var segment = TransportPayload(flow: flow, range: 0..<data.count)
    segment.sequence = sequence
    segment.acknowledgement = acknowledgement
    segment.flags = flags
    segment.missing = missing
    reassembler.receive(segment, data.span.bytes) { log.note($0, $1) }
  }

  mutating func finish() {
    reassembler.finish { log.note($0, $1) }
  }

  /// The kinds of the events so far.
  var kinds: [TCPEvent.Kind] { log.events.map(\.kind) }
  /// The bytes of stream 1, in the order in which they were delivered.
  var bytes: [UInt8] { log.bytes[1] ?? [] }
}

/// The events and bytes of a reassembler.
struct TCPLog {
  var events: [TCPEvent] = []
  var bytes: [Int: [UInt8]] = [:]

  mutating func note(_ event: TCPEvent, _ span: RawSpan) {
    events.append(event)
    if case .data = event.kind { bytes[event.stream, default: []] += copy(span) }
  }
}

@Suite struct TCPOrderTests {
  @Test("Segments in order are passed on one by one")
  func segmentsInOrderAreHandedOnOneByOne() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(100, [1, 2, 3])
    run.send(103, [4, 5])
    run.send(105, [], .fin)
    #expect(run.kinds == [.opened(isPickedUp: false), .data(offset: 0), .data(offset: 3), .closed(.finished)])
    #expect(run.bytes == [1, 2, 3, 4, 5])
    #expect(run.log.events.allSatisfy { $0.flow == TCPRun.flow && $0.stream == 1 })
  }

  @Test("A segment out of order is buffered until its turn")
  func whatComesBeforeItsTurnIsHeld() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(103, [4, 5], .fin)
    #expect(run.kinds == [.opened(isPickedUp: false)])
    run.send(100, [1, 2, 3])
    #expect(
      run.kinds == [.opened(isPickedUp: false), .data(offset: 0), .data(offset: 3), .closed(.finished)])
    #expect(run.bytes == [1, 2, 3, 4, 5])
    #expect(run.reassembler.statistics.outOfOrder == 1)
  }

  @Test("Retransmissions are counted and not delivered")
  func repetitionsAreCountedAndNotDelivered() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(99, [], .syn)
    run.send(100, [1, 2, 3])
    run.send(100, [9, 9, 9])
    run.send(101, [9, 9, 4])
    run.send(102, [9])
    #expect(run.bytes == [1, 2, 3, 4])
    #expect(run.reassembler.statistics.repeatedBytes == 6)
    #expect(run.reassembler.statistics.streams == 1)
  }

  @Test("The first bytes of an overlap win")
  func theFirstBytesOfAnOverlapWin() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(102, [3, 4])
    run.send(106, [7])
    run.send(101, [9, 9, 9, 5, 6, 9, 8])
    run.send(100, [1, 8])
    #expect(run.bytes == [1, 9, 3, 4, 5, 6, 7, 8])
  }

  @Test("A segment in turn does not overwrite buffered bytes")
  func aSegmentInTurnDoesNotOverwriteWhatIsHeld() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(102, [3])
    run.send(100, [1, 2, 9, 4])
    #expect(run.bytes == [1, 2, 3, 4])
  }

  @Test("Sequence numbers wrap")
  func sequenceNumbersWrap() {
    var run = TCPRun()
    run.send(0xffff_fffd, [], .syn)
    run.send(1, [4, 5])
    run.send(0xffff_fffe, [1, 2, 3])
    run.send(3, [6], .fin)
    #expect(run.bytes == [1, 2, 3, 4, 5, 6])
    #expect(run.kinds.last == .closed(.finished))
  }

  @Test("Data on a SYN belongs to the stream")
  func dataOnASynBelongsToTheStream() {
    var run = TCPRun()
    run.send(99, [1, 2], .syn)
    run.send(102, [3])
    #expect(run.bytes == [1, 2, 3])
  }
}

@Suite struct TCPGapTests {
  @Test("The end of the capture turns a gap into missing bytes")
  func theEndOfTheCaptureGivesAGapUp() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(104, [5, 6], .fin)
    run.finish()
    #expect(
      run.kinds == [.opened(isPickedUp: false), .missing(0..<4), .data(offset: 4), .closed(.captureEnded)])
    #expect(run.reassembler.statistics.missingBytes == 4)
  }

  @Test("An acknowledgement of a gap turns it into missing bytes")
  func anAcknowledgementGivesAGapUp() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(100, [1])
    run.send(104, [5])
    run.send(500, [], .ack, acknowledgement: 103, flow: TCPRun.flow.reversed)
    #expect(run.kinds == [.opened(isPickedUp: false), .data(offset: 0)])
    run.send(500, [], .ack, acknowledgement: 104, flow: TCPRun.flow.reversed)
    #expect(run.kinds.suffix(2) == [.missing(1..<4), .data(offset: 4)])
  }

  @Test("A gap that was acknowledged before is missing at once")
  func anAcknowledgementThatCameBeforeGivesAGapUpAtOnce() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(500, [], .ack, acknowledgement: 110, flow: TCPRun.flow.reversed)
    run.send(110, [11])
    #expect(run.kinds == [.opened(isPickedUp: false), .missing(0..<10), .data(offset: 10)])
  }

  @Test("An acknowledged FIN ends a stream whose last bytes are missing")
  func anAcknowledgedFinEndsAStreamWhoseLastBytesAreMissing() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(110, [], .fin)
    run.send(500, [], .ack, acknowledgement: 111, flow: TCPRun.flow.reversed)
    #expect(run.kinds == [.opened(isPickedUp: false), .missing(0..<10), .closed(.finished)])
  }

  @Test("A stream above its limit skips its first gap")
  func aFullStreamGivesItsFirstGapUp() {
    var run = TCPRun(streamLimit: 1000)
    run.send(99, [], .syn)
    run.send(110, [UInt8](repeating: 1, count: 500))
    run.send(700, [2])
    #expect(run.kinds == [.opened(isPickedUp: false)])
    run.send(900, [UInt8](repeating: 3, count: 400))
    #expect(run.kinds == [.opened(isPickedUp: false), .missing(0..<10), .data(offset: 10)])
    run.send(610, [UInt8](repeating: 4, count: 90))
    #expect(run.kinds.suffix(2) == [.data(offset: 510), .data(offset: 600)])
  }

  @Test("All streams together have a limit")
  func allStreamsTogetherAreBounded() {
    var run = TCPRun(totalLimit: 1000)
    for port in 1...4 {
      var flow = TCPRun.flow
      flow.source.port = UInt16(port)
      run.send(99, [], .syn, flow: flow)
      run.send(110, [UInt8](repeating: 1, count: 300), flow: flow)
    }
    #expect(run.log.events.filter { $0.kind == .missing(0..<10) }.map(\.stream) == [3, 4])
  }

  @Test("Bytes that the snapshot length cut off are reported as missing")
  func whatTheSnapshotLengthCutOffIsMissing() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(100, [1, 2], missing: 3)
    run.send(105, [6], .fin)
    run.finish()
    #expect(
      run.kinds == [
        .opened(isPickedUp: false), .data(offset: 0), .missing(2..<5), .data(offset: 5), .closed(.captureEnded),
      ])
  }
}

@Suite struct TCPLifeTests {
  @Test("A stream is picked up in the middle")
  func aStreamIsPickedUpInTheMiddle() {
    var run = TCPRun()
    run.send(5000, [], .ack, acknowledgement: 7)
    run.send(5000, [1, 2])
    run.send(4990, [9, 9])
    run.send(4999, [], .syn)
    run.send(5002, [3])
    #expect(run.kinds == [.opened(isPickedUp: true), .data(offset: 0), .data(offset: 2)])
    #expect(run.bytes == [1, 2, 3])
  }

  @Test("A new SYN on the same ports is another stream")
  func aNewSynOnTheSamePortsIsAnotherStream() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(100, [1])
    run.send(7777, [], .syn)
    run.send(7778, [2])
    #expect(
      run.kinds == [
        .opened(isPickedUp: false), .data(offset: 0), .closed(.replaced), .opened(isPickedUp: false),
        .data(offset: 0),
      ])
    #expect(run.log.bytes == [1: [1], 2: [2]])
  }

  @Test("Sequence numbers far apart are another stream")
  func numbersFromFarAwayAreAnotherStream() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(0x4000_0000, [2])
    run.send(0x4000_0001, [3])
    #expect(run.log.bytes == [2: [2, 3]])
    #expect(run.kinds[1] == .closed(.replaced))
  }

  @Test("A reset ends both directions")
  func aResetEndsBothDirections() {
    var run = TCPRun()
    let back = TCPRun.flow.reversed
    run.send(99, [], .syn)
    run.send(499, [], .syn, flow: back)
    run.send(500, [1], flow: back)
    run.send(100, [], .rst)
    #expect(run.log.events.suffix(2).map(\.flow) == [TCPRun.flow, back])
    #expect(run.kinds.suffix(2) == [.closed(.reset), .closed(.reset)])
    run.send(500, [1], flow: back)
    #expect(run.kinds.count == 5)
  }

  @Test("Retransmissions after the end are no new stream")
  func repetitionsAfterTheEndAreNoNewStream() {
    var run = TCPRun()
    run.send(99, [], .syn)
    run.send(100, [1, 2], .fin)
    run.send(100, [1, 2], .fin)
    run.send(102, [], .fin)
    #expect(run.kinds == [.opened(isPickedUp: false), .data(offset: 0), .closed(.finished)])
    run.send(99, [], .syn)
    #expect(run.kinds.last == .opened(isPickedUp: false))
  }

  @Test("The connection that was silent for longest is dropped at the limit")
  func theConnectionThatWasSilentForLongestMakesRoom() {
    var run = TCPRun(connectionLimit: 2)
    func flow(_ port: UInt16) -> Flow {
      var flow = TCPRun.flow
      flow.source.port = port
      return flow
    }
    run.send(99, [], .syn, flow: flow(1))
    run.send(99, [], .syn, flow: flow(2))
    run.send(100, [1], flow: flow(1))
    run.send(99, [], .syn, flow: flow(3))
    #expect(run.log.events.filter { $0.kind == .closed(.evicted) }.map(\.flow) == [flow(2)])
    run.send(101, [2], flow: flow(1))
    #expect(run.bytes == [1, 2])
    run.finish()
    #expect(run.log.events.suffix(2).map(\.kind) == [.closed(.captureEnded), .closed(.captureEnded)])
  }
}

@Suite struct TCPPropertyTests {
  /// Any splitting, duplication and order of a stream's segments gives the stream.
  @Test("Any order of any segments gives the stream")
  func anyOrderOfAnySegmentsGivesTheStream() {
    var random = SplitMix64(seed: 3)
    for round in 0..<2000 {
      let length = Int.random(in: 1...400, using: &random)
      let stream = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let first = round % 4 == 0 ? UInt32.max - UInt32(length / 2) : UInt32(truncatingIfNeeded: random.next())
      var ranges: [Range<Int>] = []
      var at = 0
      while at < length {
        let end = min(length, at + Int.random(in: 1...40, using: &random))
        ranges.append(at..<end)
        at = end
      }
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        let start = Int.random(in: 0..<length, using: &random)
        ranges.append(start..<min(length, start + Int.random(in: 1...60, using: &random)))
      }
      ranges.shuffle(using: &random)
      var run = TCPRun()
      run.send(first &- 1, [], .syn)
      for range in ranges {
        let flags: TCPFlags = range.upperBound == length ? .fin : []
        run.send(first &+ UInt32(range.lowerBound), Array(stream[range]), flags)
      }
      run.finish()
      #expect(run.bytes == stream)
      #expect(run.kinds.first == .opened(isPickedUp: false))
      #expect(run.kinds.last == .closed(.finished))
      #expect(run.reassembler.statistics.gaps == 0)
    }
  }

  /// Data and gaps follow each other without overlap, whatever arrives.
  @Test("Offsets never go back and nothing traps")
  func offsetsNeverGoBackAndNothingTraps() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<300 {
      var run = TCPRun(
        streamLimit: Int.random(in: 0...2000, using: &random), totalLimit: 3000, connectionLimit: 2)
      for _ in 0..<200 {
        var flow = Bool.random(using: &random) ? TCPRun.flow : TCPRun.flow.reversed
        if random.next() % 20 == 0 { flow.source.port = UInt16(truncatingIfNeeded: random.next() % 4) }
        let isWild = random.next() % 30 == 0
        let sequence = isWild ? UInt32(truncatingIfNeeded: random.next()) : UInt32.random(in: 0...3000, using: &random)
        let flags: TCPFlags =
          random.next() % 10 == 0 ? TCPFlags(rawValue: UInt8(truncatingIfNeeded: random.next())) : .ack
        let data = [UInt8](repeating: 1, count: Int.random(in: 0...100, using: &random))
        run.send(
          sequence &- 1500, data, flags,
          acknowledgement: UInt32.random(in: 0...1500, using: &random) &- 1500, flow: flow,
          missing: random.next() % 20 == 0 ? 5 : 0)
      }
      run.finish()
      expectOrder(run.log)
    }
  }

  private func expectOrder(_ log: TCPLog) {
    var next: [Int: Int64] = [:]
    var delivered: [Int: Int64] = [:]
    for event in log.events {
      switch event.kind {
      case .opened:
        #expect(next[event.stream] == nil)
        next[event.stream] = 0
      case .data(let offset):
        #expect(offset >= next[event.stream] ?? .max)
        next[event.stream] = offset
        delivered[event.stream, default: 0] += 1
      case .missing(let range):
        #expect(range.lowerBound >= next[event.stream] ?? .max && !range.isEmpty)
        next[event.stream] = range.upperBound
      case .closed:
        #expect(next[event.stream] != nil)
        next[event.stream] = nil
      }
    }
    #expect(next.isEmpty)
  }
}
