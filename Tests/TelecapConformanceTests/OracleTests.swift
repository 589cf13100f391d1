import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

let phoneEnd = Endpoint(.loopback, port: 40_000)
let hostEnd = Endpoint(.loopback, port: 50_000)

/// Delivers messages one millisecond apart and ends 10 ms after the last.
func run<P: Peer>(
  _ receiver: P, _ oracle: Oracle, _ messages: [[UInt8]], from source: Endpoint
) -> Loop<P, Oracle, SilentSide> {
  var run = Loop(receiver, judgedBy: oracle)
  for (index, bytes) in messages.enumerated() {
    let time = Timestamp(nanoseconds: Int64(index) * 1_000_000)
    run.sent(bytes.span.bytes, by: source, at: time)
    run.deliver(bytes.span.bytes, over: .udp, from: source, at: time, sentAt: time, packet: index + 1)
  }
  run.finish(at: Timestamp(nanoseconds: Int64(messages.count + 10) * 1_000_000))
  return run
}

func haptic(_ intensity: Float) throws -> [UInt8] {
  var haptic = Typed<Haptic>()
  haptic[Haptic.fields.intensity] = intensity
  return haptic.message.bytes
}

func pose(_ seq: UInt16, x: Float = 0, turned: Bool = false) throws -> [UInt8] {
  var pose = Typed<Pose>()
  pose[Pose.fields.seq] = seq
  pose[turned ? Pose.fields.qx : Pose.fields.qw] = 1
  pose[Pose.fields.x] = x
  return pose.message.bytes
}

/// A message as it is framed in a stream.
func framed(_ message: [UInt8]) -> [UInt8] { [UInt8(message.count), 0] + message }

func failed(_ oracle: Oracle) -> Set<String> {
  Set(oracle.results.filter { $0.verdict == .fail }.map(\.requirement.id))
}

extension Oracle {
  /// The check of the requirement of this id.
  func check(_ id: String) throws -> Check { try #require(checks[id]) }
}

extension Set<String> {
  static func haptic(_ names: String...) -> Set { Set(names.map { "tele.haptic.\($0)" }) }
  static func pose(_ names: String...) -> Set { Set(names.map { "tele.pose.\($0)" }) }
  static func mouse(_ names: String...) -> Set { Set(names.map { "mouse.\($0)" }) }
}

@Suite struct HapticOracleTests {
  let everything: [Float] = [0.5, 0.25, 1.5, 0.75, -0.5, 0.5, .nan, 0.5, .infinity, 0.5, -.infinity, 1, 0, 0.5, 0]

  func session() throws -> [[UInt8]] {
    [try haptic(1), Message.ack(.ok).bytes] + (try everything.map(haptic))
  }

  @Test("The model passes everything")
  func theModelPassesEverything() throws {
    let phone = try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7))
    let run = run(phone, Oracle([.haptic]), try session(), from: hostEnd)
    #expect(failed(run.oracle).isEmpty)
    #expect(run.oracle.verdict(strict: true) == .pass)
    let inconclusive = run.oracle.results.filter { $0.verdict == .inconclusive }.map(\.requirement)
    #expect(inconclusive.map(\.id) == ["tele.session.safe-on-loss"])
    #expect(run.oracle.fidelity.description == "sent 16, delivered 16, applied 15, dropped as stale 0, invalid 0")
  }

  @Test(
    "Each wrong phone is caught for what it does",
    arguments: [
      (.noClamp, .haptic("clamp-high", "clamp-low", "not-a-number")),
      (.clampsToTen, .haptic("clamp-high", "not-a-number")),
      (.notANumberIsOne, .haptic("not-a-number")),
      (.ignoresZero, .haptic("zero-stops", "latest-value-wins", "clamp-low")),
      (.playsBeforeAck, .haptic("needs-session")),
      (.firstValueWins, .haptic("latest-value-wins", "clamp-high", "clamp-low", "zero-stops")),
      (.queued, .haptic("latest-value-wins", "clamp-high", "clamp-low", "zero-stops")),
    ] as [(WrongPhone, Set<String>)])
  func eachWrongPhoneIsCaughtForWhatItDoes(_ phone: WrongPhone, _ expected: Set<String>) throws {
    let run = run(phone.receiver, Oracle([.haptic]), try session(), from: hostEnd)
    #expect(expected.isSubset(of: failed(run.oracle)), "\(phone): \(failed(run.oracle))")
    if phone != .queued, phone != .firstValueWins { #expect(expected == failed(run.oracle), "\(phone)") }
    #expect(run.oracle.verdict(strict: true) == .fail)
  }

  @Test("A failed check names the first failure and counts them all")
  func theFirstViolationIsNamed() throws {
    let messages = [Message.ack(.ok).bytes, try haptic(0.25), try haptic(1.5), try haptic(1.75)]
    let run = run(WrongPhone.noClamp.receiver, Oracle([.haptic]), messages, from: hostEnd)
    let check = try run.oracle.check("tele.haptic.clamp-high")
    #expect(check.breaches == 4)
    #expect(
      check.first
        == Failure(
          time: Timestamp(nanoseconds: 2_000_000), packet: 3, expected: "strength 1.0", observed: "strength 1.5"))
  }

  @Test("A receiver that shows nothing is inconclusive")
  func aReceiverThatShowsNothingIsInconclusive() throws {
    let deaf = Made(.teleUDP, 0) { _, _, _, _ in }
    let run = run(deaf, Oracle([.haptic]), try session(), from: hostEnd)
    #expect(run.oracle.results.allSatisfy { $0.verdict == .inconclusive })
    #expect(run.oracle.verdict() == .inconclusive)
  }

  /// The oracle after ACK and these intensities, all delivered at once, of a phone that has 50 ms and shows these
  /// values.
  func onTheWallClock(_ shown: [(Float, milliseconds: Int64)], delivered: [Float]) throws -> Oracle {
    var oracle = Oracle([.haptic], settle: 50_000_000)
    let ack = Message.ack(.ok).bytes
    oracle.delivered(ack.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: 1)
    for (index, intensity) in delivered.enumerated() {
      let bytes = try haptic(intensity)
      oracle.delivered(bytes.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: index + 2)
    }
    for (strength, time) in shown {
      oracle.observed(.hapticApplied(strength), at: Timestamp(nanoseconds: time * 1_000_000))
    }
    oracle.finish(at: Timestamp(nanoseconds: 200_000_000))
    return oracle
  }

  @Test("A queue that delays values is caught")
  func aQueueThatCatchesUpIsCaught() throws {
    let right = try onTheWallClock([(0.25, 3), (0.5, 4), (0.75, 49)], delivered: [0.25, 0.5, 0.75])
    #expect(right.verdict(strict: true) == .pass)
    #expect(try right.check("tele.haptic.no-queue").verdict == .pass)
    let queue = try onTheWallClock([(0.25, 1), (0.5, 51), (0.75, 101)], delivered: [0.25, 0.5, 0.75])
    #expect(try queue.check("tele.haptic.no-queue").verdict == .fail)
    #expect(try queue.check("tele.haptic.latest-value-wins").verdict == .fail)
    let late = try onTheWallClock([(0.75, 20), (0.25, 60), (0.75, 61)], delivered: [0.25, 0.5, 0.75])
    #expect(try late.check("tele.haptic.no-queue").verdict == .fail)
    #expect(try late.check("tele.haptic.latest-value-wins").verdict == .pass)
  }

  @Test("A motor left on by a lost session is caught")
  func aMotorLeftOnByALostSessionIsCaught() throws {
    func judge(_ stopsAt: Int64?) throws -> Check {
      var oracle = Oracle([.haptic])
      let ack = Message.ack(.ok).bytes
      let full = try haptic(1)
      oracle.delivered(ack.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: 1)
      oracle.delivered(full.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: 2)
      oracle.observed(.hapticApplied(1), at: .zero)
      if let stopsAt { oracle.observed(.hapticApplied(0), at: Timestamp(nanoseconds: stopsAt)) }
      oracle.finish(at: Timestamp(nanoseconds: 5_000_000_000))
      return try oracle.check("tele.session.safe-on-loss")
    }
    #expect(try judge(3_000_000_000).verdict == .pass)
    // 4.0 s at the latest (semantics, tele.session.timeout).
    #expect(try judge(4_000_000_000).verdict == .pass)
    #expect(try judge(4_000_000_001).verdict == .fail)
    #expect(try judge(nil).verdict == .fail)
  }

  /// The oracle of a phone at full strength in a session of 10 s over TCP, whose connection may end in between.
  private func overTCP(
    stopsAt: Int64?, disconnectsAt: Int64? = nil, bySystem: Bool = false
  ) throws -> Oracle {
    var oracle = Oracle([.haptic], settle: 50_000_000)
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    oracle.read(.opened(hostEnd), at: .zero)
    for (index, frame) in [Message.ackTCP(.ok).bytes, try haptic(1)].map(framed).enumerated() {
      oracle.read(
        .delivered(frame.span.bytes, packet: index + 1, from: hostEnd, over: .tcp, sentAt: .zero), at: .zero)
    }
    oracle.read(.event(.hapticApplied(1)), at: time(1))
    if let end = disconnectsAt { oracle.read(bySystem ? .disconnected(hostEnd) : .closed(hostEnd), at: time(end)) }
    if let stopsAt { oracle.read(.event(.hapticApplied(0)), at: time(stopsAt)) }
    oracle.finish(at: Timestamp(nanoseconds: 10_000_000_000))
    return oracle
  }

  /// Over TCP no silence ends a session (tele.md, liveness): it lasts as long as the connection.
  @Test("A session over TCP lasts as long as its connection")
  func aConnectionHoldsItsSession() throws {
    let right = try overTCP(stopsAt: nil)
    #expect(failed(right).isEmpty)
    #expect(try right.check("tele.session.safe-on-loss").verdict == .inconclusive)
    #expect(failed(try overTCP(stopsAt: 5_000)) == .haptic("no-queue"))
  }

  @Test("A motor left on after its connection has ended is caught", arguments: [false, true])
  func aMotorLeftOnBehindItsConnectionIsCaught(_ bySystem: Bool) throws {
    func check(_ stopsAt: Int64?) throws -> Check {
      let oracle = try overTCP(stopsAt: stopsAt, disconnectsAt: 1_000, bySystem: bySystem)
      #expect(failed(oracle).subtracting(["tele.session.safe-on-loss"]).isEmpty)
      return try oracle.check("tele.session.safe-on-loss")
    }
    #expect(try check(1_040).verdict == .pass)
    #expect(try check(1_060).verdict == .fail)
    #expect(try check(nil).verdict == .fail)
  }

  /// The phone itself ends a connection: after a frame that is too short, a wrong magic, or the host's BYE. It turns
  /// its motor off, and reads the next connection from its beginning.
  @Test(
    "The model turns its motor off when it closes the connection",
    arguments: [
      [1, 0, 0], framed([UInt8](repeating: 0x58, count: 12)), framed(Message.bye(sessionID: 7).bytes),
    ])
  func theModelLetsGoWhenItEndsTheConnection(_ last: [UInt8]) throws {
    let phone = try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7, dialect: .teleTCP))
    var run = Loop(phone, judgedBy: Oracle([.haptic]))
    run.open(hostEnd, at: .zero)
    let frames = framed(Message.ackTCP(.ok).bytes) + framed(try haptic(1))
    // Byte by byte, as runs hand on streams: what the last one means hangs on those before.
    for byte in frames + last { run.deliver([byte].span.bytes, over: .tcp, from: hostEnd, at: .zero, packet: 1) }
    #expect(!run.isConnected(hostEnd) && run.receiver.strength == 0)
    let second = Timestamp(nanoseconds: 1_000_000_000)
    run.open(hostEnd, at: second)
    run.deliver(frames.span.bytes, over: .tcp, from: hostEnd, at: second, packet: 2)
    #expect(run.receiver.strength == 1)
    run.finish(at: Timestamp(nanoseconds: 10_000_000_000))
    #expect(try run.oracle.check("tele.session.safe-on-loss").verdict == .pass)
    #expect(failed(run.oracle).isEmpty, "\(run.oracle.results)")
  }

  /// Half a frame of one connection is no beginning of the next one's.
  @Test("A stream is read from the beginning of its connection")
  func aStreamBeginsWithItsConnection() throws {
    let phone = try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7, dialect: .teleTCP))
    var run = Loop(phone, judgedBy: Oracle([.haptic]))
    let (ack, full) = (framed(Message.ackTCP(.ok).bytes), framed(try haptic(1)))
    for (second, bytes) in [ack + full.prefix(5), ack + full].enumerated() {
      let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
      run.open(hostEnd, at: time)
      run.deliver(bytes.span.bytes, over: .tcp, from: hostEnd, at: time, packet: second + 1)
      run.close(hostEnd, at: time.advanced(byNanoseconds: 500_000_000))
    }
    run.finish(at: Timestamp(nanoseconds: 10_000_000_000))
    #expect(failed(run.oracle).isEmpty)
    #expect(try run.oracle.check("tele.haptic.clamp-high").verdict == .inconclusive)
    #expect(try run.oracle.check("tele.haptic.latest-value-wins").verdict == .pass)
    #expect(try run.oracle.check("tele.session.safe-on-loss").verdict == .pass)
  }

  /// A session that is acknowledged again before anything was played ends as well.
  @Test("A session that went on before the first value ends", arguments: [nil, 8_000] as [Int64?])
  func aSessionThatWentOnBeforeTheFirstValueEnds(_ stopsAt: Int64?) throws {
    var oracle = Oracle([.haptic])
    let ack = Message.ack(.ok).bytes
    for second in [0, 3] as [Int64] {
      let time = Timestamp(nanoseconds: second * 1_000_000_000)
      oracle.delivered(ack.span.bytes, over: .udp, from: hostEnd, at: time, packet: 1)
    }
    let (full, five) = (try haptic(1), Timestamp(nanoseconds: 5_000_000_000))
    oracle.delivered(full.span.bytes, over: .udp, from: hostEnd, at: five, packet: 2)
    oracle.observed(.hapticApplied(1), at: five)
    if let stopsAt { oracle.observed(.hapticApplied(0), at: Timestamp(nanoseconds: min(stopsAt, 6_500) * 1_000_000)) }
    oracle.finish(at: Timestamp(nanoseconds: 20_000_000_000))
    #expect(try oracle.check("tele.session.safe-on-loss").verdict == (stopsAt == nil ? .fail : .pass))
  }

  /// A value with bytes after it may be played or dropped, and the next value is tested as after any other; nothing
  /// else is right. Values are those shown 10 ms after each delivery.
  @Test(
    "A value with bytes after it may be played or dropped",
    arguments: [
      ([0.5, 0.75, 0.25], Verdict.pass), ([0.5, 0.5, 0.25], .pass), ([0.5, 0.6, 0.25], .fail),
      ([0.5, 0.75, 0.75], .fail), ([0.5, 0.5, 0.5], .fail),
    ] as [([Float], Verdict)])
  func whatHasBytesBehindItMayBePlayedOrDropped(_ shown: [Float], _ verdict: Verdict) throws {
    var oracle = Oracle([.haptic])
    oracle.delivered(Message.ack(.ok).bytes.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: 1)
    let sent = [try haptic(0.5), try haptic(0.75) + [0, 0], try haptic(0.25)]
    for (index, bytes) in sent.enumerated() {
      let time = Timestamp(nanoseconds: Int64(index + 1) * 100_000_000)
      oracle.delivered(bytes.span.bytes, over: .udp, from: hostEnd, at: time, packet: index + 2)
      oracle.observed(.hapticApplied(shown[index]), at: time)
    }
    oracle.finish(at: Timestamp(nanoseconds: 1_000_000_000))
    #expect(oracle.verdict() == verdict)
  }

  @Test("The model turns its motor off when ACKs stop")
  func theModelLetsGoWhenAcksEnd() throws {
    let phone = try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7))
    var run = Loop(phone, judgedBy: Oracle([.haptic]))
    for (index, bytes) in [Message.ack(.ok).bytes, try haptic(1)].enumerated() {
      run.deliver(bytes.span.bytes, over: .udp, from: hostEnd, at: .zero, packet: index)
    }
    run.finish(at: Timestamp(nanoseconds: 10_000_000_000))
    #expect(try run.oracle.check("tele.session.safe-on-loss").verdict == .pass)
    #expect(failed(run.oracle).isEmpty)
  }
}

@Suite struct PoseOracleTests {
  /// A pose with bytes after it may be applied or dropped, but not once a newer one was applied.
  @Test(
    "A pose with bytes after it may be applied or dropped",
    arguments: [
      ([1, 2, 3], Verdict.pass), ([1, 3], .pass), ([1, 3, 2], .fail), ([1, 2], .fail), ([1], .fail), ([2, 3], .fail),
    ] as [([UInt16], Verdict)])
  func whatHasBytesBehindItMayBeAppliedOrDropped(_ shown: [UInt16], _ verdict: Verdict) throws {
    var oracle = inSession
    for seq in UInt16(1)...3 {
      let time = Timestamp(nanoseconds: Int64(seq) * 100_000_000)
      let bytes = try pose(seq) + (seq == 2 ? [0, 0] : [])
      oracle.delivered(bytes.span.bytes, over: .udp, from: phoneEnd, at: time, packet: Int(seq))
      // The poses that are applied at once; a stale one comes after the last.
      let late = shown.firstIndex(of: seq).map { shown[..<$0].contains { $0 > seq } } ?? false
      if shown.contains(seq), !late { oracle.observed(.poseApplied(PoseSample(seq: seq)), at: time) }
      if seq == 3, let last = shown.last, last < 3, shown.contains(3) {
        oracle.observed(.poseApplied(PoseSample(seq: last)), at: time)
      }
    }
    oracle.finish(at: Timestamp(nanoseconds: 1_000_000_000))
    #expect(try oracle.check("tele.pose.latest-value-wins").verdict == verdict)
  }

  /// An oracle of a host that reported its session.
  var inSession: Oracle {
    var oracle = Oracle([.pose])
    oracle.observed(.sessionOpened(phoneEnd, sessionID: 7), at: .zero)
    return oracle
  }

  /// Late, duplicate, across the wrap, not finite, turned.
  func poses() throws -> [[UInt8]] {
    let seqs: [UInt16] = [65_530, 65_532, 65_531, 65_532, 65_535, 0, 65_534, 1, 1, 2]
    return try seqs.map { try pose($0) } + [try pose(3, x: .nan), try pose(4, turned: true)]
  }

  @Test("The model passes everything")
  func theModelPassesEverything() throws {
    let hello = try Message.hello(sessionID: 7, code: "ABC123").bytes
    let run = run(HostModel(), Oracle([.pose]), [hello] + (try poses()), from: phoneEnd)
    #expect(run.oracle.results.allSatisfy { $0.verdict == .pass }, "\(run.oracle.results)")
    #expect(run.oracle.fidelity.description == "sent 12, delivered 12, applied 7, dropped as stale 4, invalid 1")
  }

  @Test(
    "Each wrong host is caught for what it does",
    arguments: [
      (.inOrderOfArrival, .pose("latest-value-wins", "duplicate")),
      (.appliesDuplicates, .pose("duplicate")), (.wrapIsOld, .pose("latest-value-wins")),
      (.firstValueWins, .pose("latest-value-wins")), (.appliesNotFinite, .pose("non-finite")),
      (.appliesHalf, .pose("latest-value-wins", "quaternion")),
    ] as [(WrongHost, Set<String>)])
  func eachWrongHostIsCaughtForWhatItDoes(_ host: WrongHost, _ expected: Set<String>) throws {
    let run = run(host.receiver, inSession, try poses(), from: phoneEnd)
    #expect(failed(run.oracle) == expected, "\(run.oracle.results)")
    #expect(run.oracle.verdict(strict: true) == .fail)
  }

  /// A message that no host may read does not exercise the handling of its numbers.
  @Test("A NaN in an invalid message does not exercise the requirement on NaN")
  func aWrongMessageThatHoldsNaNTriesNothing() throws {
    var wrong = try pose(3, x: .nan)
    wrong[4] = 9
    let messages = [try pose(1), wrong, try pose(2)]
    let run = run(WrongHost.appliesNotFinite.receiver, inSession, messages, from: phoneEnd)
    #expect(try run.oracle.check("tele.pose.latest-value-wins").verdict == .pass)
    #expect(try run.oracle.check("tele.pose.non-finite").verdict == .inconclusive)
  }

  @Test("A host that shows nothing is inconclusive")
  func aHostThatShowsNothingIsInconclusive() throws {
    let run = run(
      WrongHost.neverShows.receiver, inSession, try poses(), from: phoneEnd)
    #expect(run.oracle.verdict() == .inconclusive)
  }

  @Test("Poses of a client that is not active are not expected to be applied")
  func posesOfAClientThatIsNotActiveAreNotExpectedToBeApplied() throws {
    let hello = try Message.hello(sessionID: 7, code: "ABC123").bytes
    var run = Loop(HostModel(), judgedBy: Oracle([.pose]))
    let other = Endpoint(.loopback, port: 1)
    for (index, (bytes, source)) in [
      (try pose(1), phoneEnd), (hello, phoneEnd), (try pose(5), phoneEnd), (try pose(9), other),
    ].enumerated() {
      let time = Timestamp(nanoseconds: Int64(index) * 1_000)
      run.deliver(bytes.span.bytes, over: .udp, from: source, at: time, packet: index)
    }
    run.finish(at: Timestamp(nanoseconds: 1_000_000))
    #expect(try run.oracle.check("tele.pose.latest-value-wins").verdict == .pass)
    #expect(try run.oracle.check("tele.pose.latest-value-wins").tried == 1)
  }
}

@Suite struct MouseOracleTests {
  let screen = ScreenSize(width: 100, height: 50)

  /// Off the screen and back, a duplicate, a release, reserved bits, and what is no packet.
  let packets: [[UInt8]] = [
    [0xAA, 1, 100, 0, 0], [0xAA, 1, 246, 5, 0], [0xAA, 1, 246, 5, 0], [0xAA, 0, 1, 1, 0], [0xAA, 0xF8, 1, 1, 0],
    [0xCC, 7, 9, 9, 0], [0xAA, 0, 1, 1, 0], [0xAA, 2, 1, 1],
  ]

  @Test("The model passes everything")
  func theModelPassesEverything() throws {
    var run = run(
      MouseHostModel(screen: screen), Oracle(JudgedStream.mouse(screen)), packets, from: phoneEnd)
    #expect(failed(run.oracle).isEmpty)
    for requirement in Set.mouse(
      "pointer.sum", "pointer.screen", "buttons.latest-value-wins", "buttons.reserved", "header.unknown",
      "length.wrong")
    {
      #expect(try run.oracle.check(requirement).verdict == .pass, "\(requirement)")
    }
    #expect(try run.oracle.check("mouse.buttons.control-repairs").verdict == .inconclusive)
    let press: [UInt8] = [0xAA, 1, 0, 0, 0]
    let release: [UInt8] = [0xBB, 0, 0, 0, 0]
    run.deliver(press.span.bytes, over: .udp, from: phoneEnd, at: Timestamp(nanoseconds: 1_000_000_000), packet: 9)
    for (index, byte) in release.enumerated() {
      let time = Timestamp(nanoseconds: 2_000_000_000 + Int64(index))
      run.deliver([byte].span.bytes, over: .tcp, from: phoneEnd, at: time, packet: 10)
    }
    run.finish(at: Timestamp(nanoseconds: 3_000_000_000))
    #expect(try run.oracle.check("mouse.buttons.control-repairs").verdict == .pass)
  }

  /// A host that shows only its pointer is not held to buttons, and the other way round: what is no packet changed nothing
  /// of what it shows.
  @Test("A value that is not shown is inconclusive, and the values that are shown pass")
  func whatIsNotShownIsNotJudged() throws {
    for isPointer in [true, false] {
      var oracle = Oracle(JudgedStream.mouse(screen))
      let moved = MouseSample(buttons: 1, deltaX: 3, deltaY: 4, scroll: 0)
      let packets: [[UInt8]] = [[0xAA, 1, 3, 4, 0], [0xCC, 7, 9, 9, 0]]
      for (index, bytes) in packets.enumerated() {
        let time = Timestamp(nanoseconds: Int64(index) * 1_000_000)
        oracle.delivered(bytes.span.bytes, over: .udp, from: phoneEnd, at: time, packet: index + 1)
        guard index == 0 else { continue }
        let centre = screen.centre
        oracle.observed(
          isPointer ? .pointer(PointerPosition(x: centre.x + 3, y: centre.y + 4)) : .buttons(moved.buttons), at: time)
      }
      oracle.finish(at: Timestamp(nanoseconds: 1_000_000_000))
      #expect(failed(oracle).isEmpty)
      #expect(try oracle.check("mouse.header.unknown").verdict == .pass)
      let (shown, other) =
        isPointer ? ("pointer.sum", "buttons.latest-value-wins") : ("buttons.latest-value-wins", "pointer.sum")
      #expect(try oracle.check("mouse.\(shown)").verdict == .pass)
      #expect(try oracle.check("mouse.\(other)").verdict == .inconclusive)
    }
  }

  @Test(
    "Each wrong mouse host is caught for what it does",
    arguments: [
      // Buttons that are not obeyed without reserved bits either are not wrong for them.
      (.stickyButtons, .mouse("buttons.latest-value-wins")), (.deaf, .mouse("buttons.latest-value-wins")),
      (.takesUnknownHeaders, .mouse("header.unknown", "pointer.sum")),
      (.takesShortOnes, .mouse("length.wrong")),
      (.leavesTheScreen, .mouse("pointer.screen", "pointer.sum")),
      (.overshoots, .mouse("pointer.sum")), (.duplicatesDropped, .mouse("pointer.sum")),
      (.reservedBitsCount, .mouse("buttons.reserved", "buttons.latest-value-wins")),
    ] as [(WrongMouseHost, Set<String>)])
  func eachWrongMouseHostIsCaughtForWhatItDoes(_ host: WrongMouseHost, _ expected: Set<String>) {
    let run = run(host.receiver, Oracle(JudgedStream.mouse(screen)), packets, from: phoneEnd)
    #expect(failed(run.oracle) == expected)
    #expect(run.oracle.verdict() == .fail)
  }
}
