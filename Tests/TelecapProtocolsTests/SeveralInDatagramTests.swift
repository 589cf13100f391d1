import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@testable import TelecapConformance

/// Datagrams with one message or several (`several: true`), and lengths in a header that count words.
@Suite("Several messages in a datagram") struct SeveralInDatagramTests {
  /// A lamp whose messages have a length in words of four bytes, without the first four.
  private static func lamp(
    _ carrier: String = "over: udp, port: 7000, several: true", order: String = "order: number, "
  ) throws
    -> WireProtocol
  {
    try ProtocolFile.read(
      """
      protocol: lamp
      byte-order: big
      carriers:
        - {name: net, \(carrier)}
      header:
        - {name: magic, type: u8, equals: 0x4c, is: identity}
        - {name: kind, type: u8, is: type}
        - {name: length, type: u16, is: length, words: 4, excluding: 4}
      messages:
        - name: LEVEL
          type: 1
          from: client
          fields:
            - {name: number, type: u32}
            - {name: level, type: f32}
        - name: NOTE
          type: 2
          from: client
          fields: [{name: text, type: rest}]
      streams:
        - {name: level, message: LEVEL, \(order)values: [level], range: [0, 1]}
      """, file: "lamp.yaml")
  }

  private static func level(_ number: UInt64, _ level: Float, _ owner: WireProtocol) throws -> [UInt8] {
    let kind = try #require(owner["LEVEL"])
    return try Message(kind, fields: ["number": .unsigned(number), "level": .float(level)]).bytes
  }

  /// The messages of a datagram: the name of each, its size, and the rules that it breaks.
  private static func messages(_ datagram: [UInt8], _ owner: WireProtocol) -> [String] {
    var found: [String] = []
    owner.dialects[0].eachMessage(of: datagram.span.bytes) { part in
      let (_, findings) = Message.decode(part, as: owner.dialects[0])
      var all: [Finding] = []
      let kind = MessageDecoder.decode(part, as: owner.dialects[0], findings: &all)
      found.append(([kind.name, "\(part.byteCount)"] + findings.map(\.rule.id)).joined(separator: " "))
    }
    return found
  }

  @Test("Each message ends where its own length says")
  func cut() throws {
    let owner = try Self.lamp()
    let (one, two) = (try Self.level(1, 0.5, owner), try Self.level(2, 1, owner))
    let note: [UInt8] = [0x4c, 2, 0, 1] + Array("abcd".utf8)
    #expect(Self.messages(one, owner) == ["LEVEL 12"])
    #expect(Self.messages(one + note + two, owner) == ["LEVEL 12", "NOTE 8", "LEVEL 12"])
    #expect(Self.messages([], owner) == ["MALFORMED 0 length.truncated"])
  }

  @Test("Bytes that begin no message are one message, the last, which is not valid")
  func foreign() throws {
    let owner = try Self.lamp()
    let one = try Self.level(1, 0.5, owner)
    #expect(Self.messages(one + [1, 2, 3, 4, 5], owner) == ["LEVEL 12", "MALFORMED 5 header.magic"])
    // A length of 65,535 words is more than any datagram has.
    #expect(Self.messages(one + [0x4c, 1, 0xff, 0xff], owner) == ["LEVEL 12", "LEVEL 4 header.length"])
    // Types that nobody declared show their size too.
    #expect(Self.messages([0x4c, 9, 0, 0] + one, owner) == ["UNKNOWN 4 header.type", "LEVEL 12"])
  }

  @Test("Wherever a datagram is cut, the messages before are read, and no byte is lost")
  func truncated() throws {
    let owner = try Self.lamp()
    let whole = try (1...3).flatMap { try Self.level($0, 0.5, owner) }
    for count in 1..<whole.count {
      let cut = Array(whole.prefix(count))
      var read: [UInt8] = []
      owner.dialects[0].eachMessage(of: cut.span.bytes) { part in part.withUnsafeBytes { read += Array($0) } }
      #expect(read == cut)
      let valid = Self.messages(cut, owner).count { $0 == "LEVEL 12" }
      #expect(valid == count / 12)
    }
  }

  @Test("A length in words is written, rounded up, and read", arguments: [(0, 0), (1, 1), (3, 1), (4, 1), (5, 2)])
  func words(_ bytes: Int, _ words: UInt64) throws {
    let kind = try #require(try Self.lamp()["NOTE"])
    let message = try Message(kind, fields: ["text": .bytes([UInt8](repeating: 65, count: bytes))])
    #expect(message.value(of: "length") == .unsigned(words))
  }

  @Test("A compound packet of RTCP is read whole")
  func compound() throws {
    let owner = try ProtocolVectorTests.declared("rtcp")
    // Facts: pion/rtcp, packet_test.go, realPacket.
    let packet = try #require(
      Hex.bytes(
        """
        81c90007902f9e2ebc5e9a4000000000000046e10000011109f3643200024a7981ca000c902f9e2e01267b39633030656239322d316166622d\
        396434392d613437642d3931663634656565363966357d0000000081cb0001902f9e2e81ce0002902f9e2e902f9e2e85cd0002902f9e2e902f9e\
        2e80cc00034baae1ab4e414d4541424344
        """))
    #expect(Self.messages(packet, owner) == ["RR 32", "SDES 52", "BYE 8", "PSFB 12", "RTPFB 12", "APP 16"])
  }

  /// A message of an unknown type has the fields of the header too, but nothing in it is changed; and the plan of a set and a
  /// hostile change is that of one message.
  @Test("A field is set in the first known message that has it, and a hostile change is in the same one")
  func changed() throws {
    let owner = try ProtocolFile.read(
      """
      protocol: lamp
      carriers: [{name: udp, over: udp, port: 7000, several: true}]
      header:
        - {name: kind, type: u8, is: type}
        - {name: length, type: u8, is: length}
        - {name: number, type: u8}
      messages:
        - {name: LEVEL, type: 1, from: client, fields: [{name: level, type: u8}]}
        - {name: COLOR, type: 2, from: client, fields: [{name: color, type: u8}]}
      """, file: "lamp.yaml")
    let dialect = owner.dialects[0]
    let datagram: [UInt8] = [9, 4, 7, 0, 1, 4, 7, 0, 2, 4, 7, 0]
    func changed(_ words: String, hostile: UInt64? = nil) throws -> [UInt8] {
      let changer = try MessageChanger([owner], Impairments(parsing: words))
      var wish = RequestedChanges()
      (wish.sets, wish.hostile) = (1, hostile)
      var bytes = datagram
      try changer.apply(changer.changes(wish, of: bytes.span.bytes, as: dialect), to: &bytes, as: dialect)
      return bytes
    }
    #expect(try changed("--set number=5") == [9, 4, 7, 0, 1, 4, 5, 0, 2, 4, 7, 0])
    #expect(try changed("--set color=5") == [9, 4, 7, 0, 1, 4, 7, 0, 2, 4, 7, 5])
    for draw in stride(from: 0, to: UInt64.max - (1 << 58), by: 1 << 58) {
      let bytes = try changed("--set color=5 --hostile 100%", hostile: draw)
      // Of the three, only the last one is another.
      #expect(bytes.prefix(8) == datagram.prefix(8) && bytes != datagram, "\(draw): \(bytes)")
    }
  }

  // MARK: - The suite

  private static func failures(_ system: String) async throws -> Set<String> {
    let suite = Suite.declared(by: try lamp())
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    #expect(scenarios.contains { $0.requirement.id == "lamp.udp.several" })
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    return Set(results.filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
  }

  @Test("The right model passes, and one that reads only the first message fails")
  func suite() async throws {
    #expect(try await Self.failures("lamp-host") == [])
    // Mutated messages may form a datagram of several.
    #expect(
      try await Self.failures("lamp-host+reads-first").subtracting(["lamp.robust.mutations"]) == ["lamp.udp.several"])
  }

  @Test(
    "Where a datagram has an invalid message, a receiver may read the others or drop all",
    arguments: [true, false], ["", "order: number, "])
  func besideInvalid(_ reads: Bool, _ order: String) throws {
    let owner = try Self.lamp(order: order)
    let stream = try #require(JudgedStream(declared: owner.streams[0], by: owner))
    let peer = Endpoint(.loopback, port: 1)
    /// The verdict on a receiver that shows the first message, and the second where `reads`.
    func verdict(_ datagram: [UInt8]) throws -> Verdict {
      var oracle = Oracle([stream])
      var now = Timestamp.zero
      for (number, bytes) in [(UInt64(1), try Self.level(1, 0.5, owner)), (2, datagram)] {
        oracle.delivered(bytes.span.bytes, over: .udp, from: peer, at: now, packet: Int(number))
        if reads || number == 1 {
          let shown = order.isEmpty ? nil : number
          oracle.observed(
            .applied(AppliedValue(stream: "level", number: shown, values: [Double(number) / 2])), at: now)
        }
        now = now.advanced(byNanoseconds: 1_000_000)
      }
      oracle.finish(at: now)
      return oracle.verdict()
    }
    #expect(try verdict(Self.level(2, 1, owner) + [0x4c, 1, 0, 9]) == .pass)
    #expect(try verdict(Self.level(2, 1, owner)) == (reads ? .pass : .fail))
  }

  // MARK: - Mistakes

  @Test(
    "A file that cannot have several messages in a datagram is refused",
    arguments: [
      ("over: tcp, port: 7000, several: true", "\"several\" is about datagrams: it requires a port over udp"),
      ("over: udp, port: 7000, compound: true", "several"),
    ])
  func mistakes(_ carrier: String, _ words: String) throws {
    let error = try #require(throws: YAMLFileError.self) { try Self.lamp(carrier) }
    #expect(error.line == 4 && error.description.contains(words), "\(error)")
  }

  @Test("A message of a size that its length in words cannot count is refused")
  func notInWords() throws {
    let text = """
      protocol: lamp
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: kind, type: u16, is: type}, {name: length, type: u16, is: length, words: 4, excluding: 4}]
      messages:
        - {name: LEVEL, type: 1, from: client, fields: [{name: level, type: TYPE}]}
      """
    _ = try ProtocolFile.read(text.replacing("TYPE", with: "f32"), file: "lamp.yaml")
    let error = try #require(throws: YAMLFileError.self) {
      try ProtocolFile.read(text.replacing("TYPE", with: "u24"), file: "lamp.yaml")
    }
    #expect(error.line == 5)
    #expect(
      error.problem == #"LEVEL has 7 bytes, of which "length" counts 3: these are no whole words of 4 bytes"#,
      "\(error)")
  }

  @Test("Where no message shows its size, several cannot be told apart")
  func withoutSizes() throws {
    let error = try #require(throws: YAMLFileError.self) {
      try ProtocolFile.read(
        """
        protocol: notes
        carriers:
          - {name: udp, over: udp, port: 7000, several: true}
        header: [{name: kind, type: u8, is: type}]
        messages:
          - {name: NOTE, type: 1, from: client, fields: [{name: text, type: rest}]}
        """, file: "notes.yaml")
    }
    #expect(error.line == 3 && error.problem.hasPrefix("no message over udp shows its size"), "\(error)")
  }
}
