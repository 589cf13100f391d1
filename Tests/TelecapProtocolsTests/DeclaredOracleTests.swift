import TelecapLoop
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@testable import TelecapConformance

/// The oracle of a stream that a file declares, fed by hand.
@Suite("The oracle of a declared stream") struct DeclaredOracleTests {
  private static let text = """
    protocol: valves
    title: Valves
    source: nowhere
    carriers:
      - {name: udp, over: udp, port: 4000}
    header:
      - {name: magic, type: u16, equals: 0x7479, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - name: VALVE
        type: 1
        from: client
        fields:
          - {name: site, type: u32}
          - {name: pipe, type: u16}
          - {name: opening, type: f32}
    streams:
      - {name: valve, message: VALVE, key: [site, pipe], values: [opening], range: [-1, 1], silence: 2s}
    """

  /// Its range ends where no f32 does.
  private static let tenths = text.replacing("[-1, 1]", with: "[-0.1, 0.1]")

  private let wire: WireProtocol
  private let stream: JudgedStream
  private let source = Endpoint(.loopback, port: 4_001)

  init() throws {
    wire = try ProtocolFile.read(DeclaredOracleTests.text, file: "valves.yaml")
    stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
  }

  private func message(_ site: UInt64, _ pipe: UInt64, _ opening: Float) throws -> [UInt8] {
    var message = Message(empty: try #require(wire["VALVE"]))
    message.put(bits: site, try #require(message.kind.layout["site"]))
    message.put(bits: pipe, try #require(message.kind.layout["pipe"]))
    message.put(bits: UInt64(opening.bitPattern), try #require(message.kind.layout["opening"]))
    return message.bytes
  }

  /// The oracle after each of these was delivered and shown, a second apart at most.
  private func judged(
    _ steps: [(delivered: (UInt64, UInt64, Float), shown: ([UInt64], Double)?)], quiet: Int64 = 100_000_000
  ) throws -> Oracle {
    var oracle = Oracle([stream])
    var now = Timestamp.zero
    for (index, step) in steps.enumerated() {
      now = Timestamp(nanoseconds: Int64(index) * 1_000_000)
      let bytes = try message(step.delivered.0, step.delivered.1, step.delivered.2)
      oracle.delivered(bytes.span.bytes, over: .udp, from: source, at: now, packet: index + 1)
      guard let (key, value) = step.shown else { continue }
      oracle.observed(.applied(AppliedValue(stream: "valve", key: key, values: [value])), at: now)
    }
    oracle.finish(at: now.advanced(byNanoseconds: quiet))
    return oracle
  }

  private func verdict(_ oracle: Oracle, _ name: String) throws -> Verdict {
    try #require(oracle.checks["valves.valve.\(name)"]).verdict
  }

  @Test("A value at the end of the range may have the precision of its field or of the declaration")
  func precision() throws {
    let wire = try ProtocolFile.read(DeclaredOracleTests.tenths, file: "valves.yaml")
    let stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
    for (shown, expected) in [
      (Double(Float(0.1)), .pass), (0.1, .pass), (0.10002, .fail), (0.0999, .fail), (0.5, .fail),
    ] as [(Double, Verdict)] {
      for sign in [1.0, -1] {
        var oracle = Oracle([stream])
        let bytes = try message(1, 2, Float(0.5 * sign))
        oracle.delivered(bytes.span.bytes, over: .udp, from: source, at: .zero, packet: 1)
        oracle.observed(.applied(AppliedValue(stream: "valve", key: [1, 2], values: [shown * sign])), at: .zero)
        oracle.finish(at: Timestamp(nanoseconds: 100_000_000))
        #expect(try verdict(oracle, "latest-value-wins") == expected, "\(shown * sign)")
      }
    }
  }

  /// Each of so many keys is turned on, 1 µs after the other; silence turns off all but one, or refreshes come before it.
  @Test("Each of very many keys that silence turns off gets its verdict exactly once", .timeLimit(.minutes(10)))
  func manyKeys() throws {
    var oracle = Oracle([stream])
    func at(_ key: Int, _ seconds: Int64) -> Timestamp {
      Timestamp(nanoseconds: Int64(key) * 1_000 + seconds * 1_000_000_000)
    }
    func deliver(_ key: Int, _ seconds: Int64) throws {
      let bytes = try message(UInt64(key), 1, 0.5)
      oracle.delivered(bytes.span.bytes, over: .udp, from: source, at: at(key, seconds), packet: key + 1)
    }
    func show(_ key: Int, _ value: Double, _ seconds: Int64) {
      oracle.observed(
        .applied(AppliedValue(stream: "valve", key: [UInt64(key), 1], values: [value])), at: at(key, seconds))
    }
    let keys = 0..<20_000
    for second in [0, 1] as [Int64] {
      for key in keys {
        try deliver(key, second)
        show(key, 0.5, second)
      }
    }
    for key in keys where key != 7 { show(key, 0, 3) }
    oracle.finish(at: at(0, 10))
    let safe = try #require(oracle.checks["valves.valve.safe-on-loss"])
    #expect(safe.verdict == .fail && safe.breaches == 1)
    #expect(safe.first?.packet == 8)
  }

  @Test("The declared receiver turns off any number of keys, each once, by its last value", .timeLimit(.minutes(10)))
  func manyKeysOfAReceiver() throws {
    var run = Loop(DeclaredPeer(wire, .host, over: .udp, nil), judgedBy: Oracle([stream]))
    for second in [0, 1] as [Int64] {
      for key in 0..<20_000 {
        let time = Timestamp(nanoseconds: Int64(key) * 1_000 + second * 1_000_000_000)
        let bytes = try message(UInt64(key), 1, 0.5)
        run.deliver(bytes.span.bytes, over: .udp, from: source, at: time, packet: key + 1)
      }
    }
    run.finish(at: Timestamp(nanoseconds: 10_000_000_000))
    let safe = try #require(run.oracle.checks["valves.valve.safe-on-loss"])
    #expect(safe.verdict == .pass && run.oracle.fidelity.applied == 60_000)
  }

  @Test("If each piece of a stream is a message, no message is cut")
  func pieces() throws {
    let text = DeclaredOracleTests.text.replacing(
      "port: 4000}\n", with: "port: 4000}\n  - {name: tcp, over: tcp, port: 4000, framing: none}\n")
    let wire = try ProtocolFile.read(text, file: "valves.yaml")
    let stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
    var log = RunLog(shows: [])
    log.note(.opened("a"), at: .zero)
    for index in 1...2 {
      let bytes = try message(UInt64(index), 1, 0.5)
      log.note(.delivered(bytes, packet: index, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    }
    let fidelity = StreamJudging([stream]).read(DecodedLog(log, wire)).oracle.fidelity
    #expect(fidelity.delivered == 2 && fidelity.invalid == 0)
  }

  @Test("Keys are distinguished by all of their bits, and by each of their fields")
  func keys() throws {
    let right = try judged([
      ((0x1_0001, 7, 0.5), ([0x1_0001, 7], 0.5)), ((0x0001, 7, 0.25), ([0x0001, 7], 0.25)),
      ((7, 1, 0.75), ([7, 1], 0.75)),
    ])
    #expect(try verdict(right, "latest-value-wins") == .pass)
    #expect(right.checks["valves.valve.latest-value-wins"]?.tried == 3)
    // The value of one valve shown for another: the last bits of the site are the same.
    let mixed = try judged([((0x1_0001, 7, 0.5), ([0x1_0001, 7], 0.5)), ((0x0001, 7, 0.25), ([0x1_0001, 7], 0.25))])
    #expect(try verdict(mixed, "latest-value-wins") == .fail)
  }

  @Test("A value beyond the range must be applied as the limit, on either side")
  func clamping() throws {
    let right = try judged([((1, 1, 1.5), ([1, 1], 1)), ((1, 1, -3), ([1, 1], -1))])
    #expect(try verdict(right, "latest-value-wins") == .pass)
    for (wire, shown) in [(Float(1.5), 1.5), (-3, -3), (-3, 0)] {
      let wrong = try judged([((1, 1, wire), ([1, 1], shown))])
      #expect(try verdict(wrong, "latest-value-wins") == .fail, "\(wire) shown as \(shown)")
    }
  }

  @Test("A NaN or infinity is dropped, and no receiver shows it")
  func notFinite() throws {
    for wrong in [Float.nan, .infinity, -.infinity] {
      let right = try judged([((1, 1, 0.5), ([1, 1], 0.5)), ((1, 1, wrong), nil)])
      #expect(try verdict(right, "finite") == .pass && verdict(right, "latest-value-wins") == .pass)
      let applied = try judged([((1, 1, 0.5), ([1, 1], 0.5)), ((1, 1, wrong), ([1, 1], .nan))])
      #expect(try verdict(applied, "finite") == .fail)
    }
  }

  @Test("Silence turns a value off to 0, and not to the lowest value, too early or never")
  func silence() throws {
    func judged(_ shown: [(Double, milliseconds: Int64)]) throws -> Verdict {
      var oracle = Oracle([stream])
      let bytes = try message(1, 1, 0.5)
      oracle.delivered(bytes.span.bytes, over: .udp, from: source, at: .zero, packet: 1)
      oracle.observed(.applied(AppliedValue(stream: "valve", key: [1, 1], values: [0.5])), at: .zero)
      for (value, time) in shown {
        let event = PeerEvent.applied(AppliedValue(stream: "valve", key: [1, 1], values: [value]))
        oracle.observed(event, at: Timestamp(nanoseconds: time * 1_000_000))
      }
      oracle.finish(at: Timestamp(nanoseconds: 5_000_000_000))
      let all = oracle.results.map(\.verdict)
      return all.contains(.fail) ? .fail : try verdict(oracle, "safe-on-loss")
    }
    // Receivers look at their timers from time to time: they may be a thirtieth early and a third late.
    for time in [1_934, 2_000, 2_250, 2_666] as [Int64] { #expect(try judged([(0, time)]) == .pass, "\(time) ms") }
    for time in [500, 1_900, 2_667] as [Int64] { #expect(try judged([(0, time)]) == .fail, "\(time) ms") }
    #expect(try judged([]) == .fail)
    #expect(try judged([(-1, 2_000)]) == .fail)
    // Off, and on again with nothing that came.
    #expect(try judged([(0, 2_000), (0.5, 3_000)]) == .fail)
  }

  @Test("A stream has at most as many values as are stored inline")
  func most() throws {
    func text(_ count: Int) -> String {
      let names = (0..<count).map { "v\($0)" }
      let fields = names.map { "      - {name: \($0), type: u8}" }.joined(separator: "\n")
      return """
        protocol: many
        title: Many
        source: nowhere
        carriers: [{name: udp, over: udp, port: 4000}]
        header: [{name: kind, type: u8, is: type}]
        messages:
          - name: ALL
            type: 1
            from: client
            fields:
        \(fields)
        streams:
          - {name: all, message: ALL, values: [\(names.joined(separator: ", "))]}
        """
    }
    let wire = try ProtocolFile.read(text(StreamValues.most), file: "many.yaml")
    let stream = try #require(JudgedStream(declared: wire.streams[0], by: wire))
    let bytes = [1] + (1...UInt8(StreamValues.most)).map { $0 }
    var oracle = Oracle([stream])
    oracle.delivered(bytes.span.bytes, over: .udp, from: source, at: .zero, packet: 1)
    let shown = StreamValues((1...StreamValues.most).map { Double($0) })
    oracle.observed(.applied(AppliedValue(stream: "all", values: shown)), at: .zero)
    oracle.finish(at: Timestamp(nanoseconds: 1_000_000))
    #expect(oracle.verdict() == .pass)
    let error = #expect(throws: YAMLFileError.self) {
      try ProtocolFile.read(text(StreamValues.most + 1), file: "many.yaml")
    }
    #expect("\(try #require(error))".contains("a stream applies at most 16 values, and this names 17"))
  }
}
