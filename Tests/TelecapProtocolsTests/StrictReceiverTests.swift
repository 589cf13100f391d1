import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// A value that breaks the rule of a field may be dropped, or applied within the range of its stream: the declaration
/// leaves it open. The receivers here are written by hand, so that none of them reads by our tables.
@Suite("Receivers that drop what breaks the declaration") struct StrictReceiverTests {
  private static let numbered = """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 9999}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: A
        type: 1
        from: client
        fields:
          - {name: n, type: u32}
          - {name: mode, type: u8, codes: {1: normal, 2: other}}
          - {name: x, type: u32, range: [0, 1000000]}
          - {name: k, type: u8, equals: 7}
          - {name: spare, type: u8, reserved: true}
    streams: [{name: a, message: A, STREAM}]
    """

  /// A receiver of these messages: what it drops, and whether it goes by the order of arrival.
  private struct Receiver {
    var drops: (Fields) -> Bool
    var isNumbered = true
    var ignoresOrder = false
    /// It applies what it drops all the same, but as this.
    var mistakes: UInt32?
    private var newest: UInt32?

    init(
      isNumbered: Bool = true, ignoresOrder: Bool = false, mistakes: UInt32? = nil, drops: @escaping (Fields) -> Bool
    ) {
      (self.drops, self.isNumbered, self.ignoresOrder, self.mistakes) = (drops, isNumbered, ignoresOrder, mistakes)
    }

    struct Fields {
      var n: UInt32
      var mode: UInt8
      var x: UInt32
      var k: UInt8
      var spare: UInt8

      /// Nil for what is no such message.
      init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes[0] == 1 else { return nil }
        func word(_ place: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) } }
        (n, mode, x, k, spare) = (word(1), bytes[5], word(6), bytes[10], bytes[11])
      }

      var isRight: Bool { [1, 2].contains(mode) && x <= 1_000_000 && k == 7 && spare == 0 }
    }

    mutating func receive(_ bytes: [UInt8]) -> AppliedValue? {
      guard let fields = Fields(bytes) else { return nil }
      let isDropped = drops(fields)
      if isDropped, mistakes == nil { return nil }
      if isNumbered {
        if !ignoresOrder, let newest, !(1..<0x8000_0000).contains(fields.n &- newest) { return nil }
        newest = fields.n
      }
      let value = isDropped ? mistakes ?? 0 : fields.x
      return AppliedValue(stream: "a", number: isNumbered ? UInt64(fields.n) : nil, values: [Double(value)])
    }
  }

  /// The verdicts of a receiver over all seeds of all scenarios.
  private static func verdicts(_ stream: String, _ receiver: Receiver) throws -> [String: Verdict] {
    let suite = Suite.declared(
      by: try ProtocolFile.read(numbered.replacing("STREAM", with: stream), file: "toy.yaml"))
    var verdicts: [String: Verdict] = [:]
    for scenario in suite.scenarios where scenario.setup.part.side == .host {
      for one in scenario.cases(seeds: 8) {
        var receiver = receiver
        let script = scenario.script(for: one)
        var log = RunLog(shows: [.tellings])
        for action in script.actions {
          guard case .send(let bytes, let carrier) = action.work else { continue }
          log.note(
            .delivered(bytes, packet: action.packet, from: action.peer, over: carrier, sentAt: action.sentAt),
            at: action.time)
          if let value = receiver.receive(bytes) { log.note(.event(.applied(value)), at: action.time) }
        }
        log.end = script.end
        let verdict = Judge.judge(log, script, of: one, in: scenario).verdict
        let id = scenario.requirement.id
        verdicts[id] = verdicts[id].map { $0.badness > verdict.badness ? $0 : verdict } ?? verdict
      }
    }
    return verdicts
  }

  private static let streams = ["order: n, values: [x]", "values: [x]"]

  @Test("A receiver that drops values outside range, codes, constants or reserved bits passes", arguments: streams)
  func strict(_ stream: String) throws {
    let isNumbered = stream.hasPrefix("order")
    let verdicts = try Self.verdicts(stream, Receiver(isNumbered: isNumbered) { !$0.isRight })
    #expect(verdicts["toy.robust.mutations"] == .pass)
    #expect(verdicts.values.allSatisfy { $0 == .pass }, "\(verdicts)")
  }

  @Test("A receiver that applies such values unchanged passes, too", arguments: streams)
  func lenient(_ stream: String) throws {
    let isNumbered = stream.hasPrefix("order")
    let verdicts = try Self.verdicts(stream, Receiver(isNumbered: isNumbered) { _ in false })
    #expect(verdicts.values.allSatisfy { $0 == .pass }, "\(verdicts)")
  }

  @Test("A receiver that drops for one rule only passes as well", arguments: streams)
  func partly(_ stream: String) throws {
    let isNumbered = stream.hasPrefix("order")
    for drops in [{ $0.mode > 2 }, { $0.k != 7 }, { $0.x > 1_000_000 }] as [(Receiver.Fields) -> Bool] {
      let verdicts = try Self.verdicts(stream, Receiver(isNumbered: isNumbered, drops: drops))
      #expect(verdicts.values.allSatisfy { $0 == .pass }, "\(verdicts)")
    }
  }

  @Test("A receiver that drops right messages, or replaces a wrong value, fails")
  func wrong() throws {
    let drops = try Self.verdicts(Self.streams[0], Receiver { $0.n % 3 == 0 })
    #expect(drops["toy.a.latest-value-wins"] == .fail)
    let plain = try Self.verdicts(Self.streams[1], Receiver(isNumbered: false, mistakes: 12_345) { !$0.isRight })
    #expect(plain["toy.robust.mutations"] == .fail, "\(plain)")
  }

  @Test("A strict receiver that ignores the order still fails")
  func order() throws {
    let verdicts = try Self.verdicts(Self.streams[0], Receiver(ignoresOrder: true) { !$0.isRight })
    #expect(verdicts["toy.a.latest-value-wins"] == .fail && verdicts["toy.a.duplicate"] == .fail)
  }
}
