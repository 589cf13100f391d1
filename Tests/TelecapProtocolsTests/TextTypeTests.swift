import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Messages whose type is a text, as the addresses of OSC are, and texts that are always the same.
@Suite("Types that are texts") struct TextTypeTests {
  /// Two messages of one address, which their tags discriminate, and one without tags.
  private static func dial(_ header: String = "type: text to 0, padded-to: 4") throws(YAMLFileError) -> WireProtocol {
    try ProtocolFile.read(
      """
      protocol: dial
      byte-order: big
      carriers:
        - {name: udp, over: udp, port: 7000}
      header:
        - {name: address, \(header), is: type}
      messages:
        - name: TURN
          type: /dial
          from: client
          fields:
            - {name: tags, type: text to 0, padded-to: 4, equals: ',f'}
            - {name: angle, type: f32}
        - name: NAMED_TURN
          type: /dial
          from: client
          fields:
            - {name: tags, type: text to 0, padded-to: 4, equals: ',sf'}
            - {name: name, type: text to 0, padded-to: 4}
            - {name: angle, type: f32}
        - {name: PUSH, type: /dial/push, from: client}
      streams:
        - {name: angle, message: TURN, values: [angle]}
      """, file: "dial.yaml")
  }

  /// The name of the message, and the rules that it breaks.
  private static func read(_ bytes: [UInt8], _ owner: WireProtocol) -> String {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes.span.bytes, as: owner.dialects[0], findings: &findings)
    return ([kind.name] + findings.map(\.rule.id)).joined(separator: " ")
  }

  /// Texts of OSC: each with at least one 0, padded to four bytes.
  private static func osc(_ texts: String..., then rest: [UInt8] = []) -> [UInt8] {
    texts.flatMap { Array($0.utf8) + [UInt8](repeating: 0, count: 4 - $0.utf8.count % 4) } + rest
  }

  private static let half: [UInt8] = [0x3f, 0, 0, 0]

  @Test("The address and the tags that follow it show which message it is")
  func discriminated() throws {
    let owner = try Self.dial()
    #expect(Self.read(Self.osc("/dial", ",f", then: Self.half), owner) == "TURN")
    #expect(Self.read(Self.osc("/dial", ",sf", "left", then: Self.half), owner) == "NAMED_TURN")
    #expect(Self.read(Self.osc("/dial/push"), owner) == "PUSH")
    let others = [
      Self.osc("/dial", ",i", then: Self.half), Self.osc("/dia", ",f", then: Self.half), Self.osc("/dials"),
      Self.osc("/dial/pus"), Self.osc(",f"),
    ]
    for bytes in others { #expect(Self.read(bytes, owner) == "UNKNOWN header.type", "\(Hex.text(bytes))") }
    #expect(Self.read([0x2f, 0, 0], owner) == "MALFORMED length.truncated")
  }

  /// Receivers read a text up to its first 0: other bytes after it are a finding, and no other message.
  @Test("Bytes in place of the zeros that pad a text are a finding")
  func padding() throws {
    let owner = try Self.dial()
    let right = Self.osc("/dial", ",f", then: Self.half)
    let found = (0..<12).map { place in
      var bytes = right
      bytes[place] ^= 0x20
      return Self.read(bytes, owner)
    }
    let unknown = [String](repeating: "UNKNOWN header.type", count: 6)
    #expect(
      found == unknown + ["TURN value.bad-text", "TURN value.bad-text"] + unknown.prefix(3) + ["TURN value.bad-text"])
  }

  @Test("A message that is cut anywhere is not valid, and one byte more is a finding")
  func cut() throws {
    let owner = try Self.dial()
    let whole = Self.osc("/dial", ",sf", "left", then: Self.half)
    for count in 0..<whole.count {
      #expect(Message(decoding: whole.prefix(count), as: owner.dialects[0]) == nil, "\(count) bytes")
    }
    #expect(Self.read(whole + [0], owner) == "NAMED_TURN length.trailing")
  }

  @Test("Messages are built with their texts, and read again")
  func built() throws {
    let owner = try Self.dial()
    let kind = try #require(owner["NAMED_TURN"])
    let message = try Message(kind, fields: ["name": .text("left"), "angle": .float(0.5)])
    #expect(message.bytes == Self.osc("/dial", ",sf", "left", then: Self.half))
    #expect(message.value(of: "address") == .text("/dial") && message.value(of: "tags") == .text(",sf"))
    for kind in owner.messages.prefix(3) { #expect(Self.read(Message(empty: kind).bytes, owner) == kind.name) }
    // An unknown message shows its address, and the rest of its bytes.
    let unknown = Message(keeping: Self.osc("/knob", ",i", then: Self.half), as: owner.dialects[0])
    #expect(unknown.value(of: "address") == .text("/knob"))
    #expect(unknown.value(of: "body") == .bytes(Self.osc(",i", then: Self.half)))
  }

  @Test("A type of a fixed size is a text too", arguments: [4, 12])
  func fixedSize(_ size: Int) throws {
    let owner = try ProtocolFile.read(
      """
      protocol: verbs
      carriers: [{name: udp, over: udp, port: 7000}, {name: tcp, over: tcp, port: 7000, framing: none}]
      header: [{name: magic, type: u8, equals: 7, is: identity}, {name: verb, type: text \(size), is: type}]
      messages:
        - {name: MOVE, type: MOVE, from: client, fields: [{name: x, type: i16}]}
        - {name: END, type: END, from: client}
      """, file: "verbs.yaml")
    let padding = [UInt8](repeating: 0, count: size - 4)
    let move: [UInt8] = [7] + Array("MOVE".utf8) + padding + [1, 0]
    let end: [UInt8] = [7] + Array("END".utf8) + [0] + padding
    #expect(Self.read(move, owner) == "MOVE" && Self.read(end, owner) == "END")
    #expect(Self.read([8] + move.dropFirst(), owner) == "MALFORMED header.magic")
    #expect(Self.read([7] + Array("STOP".utf8) + padding, owner) == "UNKNOWN header.type")
    // Over a stream each shows its size.
    var framer = MessageFramer(owner.dialects[1])
    var sizes: [Int] = []
    let stream = end + move + end
    for byte in stream { framer.receive([byte].span.bytes) { sizes.append($1.byteCount) } }
    #expect(sizes == [end.count, move.count, end.count])
  }

  @Test(
    "Models of such a protocol pass its suite, and one that reads any address fails",
    arguments: [("dial-host", []), ("dial-host+header-unchecked", ["dial.header.address"])] as [(String, Set<String>)])
  func suite(_ system: String, _ failures: Set<String>) async throws {
    let suite = Suite.declared(by: try Self.dial())
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    let failed = Set(results.filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
    #expect(failed.isSuperset(of: failures) && failed.isEmpty == failures.isEmpty, "\(failed)")
  }

  /// The text of a message may end in the middle of a segment: what is there can begin several messages.
  @Test("Over a stream without frames, messages are read in pieces of any size", arguments: 1...13)
  func pieces(_ size: Int) throws {
    let owner = try ProtocolFile.read(
      """
      protocol: knobs
      byte-order: big
      carriers: [{name: tcp, over: tcp, port: 7000, framing: none}]
      header: [{name: address, type: text to 0, padded-to: 4, is: type}]
      messages:
        - {name: TURN, type: /dial, from: client, fields: [{name: angle, type: f32}]}
        - {name: PUSH, type: /dial/push, from: client}
        - {name: NAME, type: /dia, from: client, fields: [{name: name, type: text to 0, padded-to: 4}]}
      """, file: "knobs.yaml")
    let messages = [
      Self.osc("/dial", then: Self.half), Self.osc("/dial/push"), Self.osc("/dia", "left"), Self.osc("/dial/push"),
    ]
    let stream = messages.flatMap(\.self)
    var (framer, read): (MessageFramer, [[UInt8]]) = (MessageFramer(owner.dialects[0]), [])
    for start in stride(from: 0, to: stream.count, by: size) {
      framer.receive(Array(stream[start..<min(stream.count, start + size)]).span.bytes) { event, frame in
        #expect(event == .message)
        read.append(frame.array)
      }
    }
    #expect(read == messages)
    // Nothing shows yet which message it is: it is not a whole one.
    framer.receive(Array(stream.prefix(4)).span.bytes) { _, _ in Issue.record("no message is whole") }
    framer.finish { event, _ in #expect(event == .incomplete(needed: 8, had: 4)) }
    #expect(messages.map { Self.read($0, owner) } == ["TURN", "PUSH", "NAME", "PUSH"])
  }

  @Test("A message without a header is not taken for one whose type is a text")
  func bare() throws {
    let owner = try ProtocolFile.read(
      """
      protocol: knobs
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: address, type: text to 0, padded-to: 4, is: type}]
      messages:
        - {name: TURN, type: /a, from: client, fields: [{name: angle, type: u32}]}
        - {name: PING, bare: true, from: client, fields: [{name: time, type: u64}]}
      """, file: "knobs.yaml")
    #expect(Self.read(Self.osc("/a", then: [1, 2, 3, 4]), owner) == "TURN")
    #expect(Self.read(Self.osc("/b", then: [1, 2, 3, 4]), owner) == "PING")
  }

  @Test("A long constant text is written also where its field may be missing, and in a payload whose zeros are cut")
  func conditional() throws {
    let owner = try ProtocolFile.read(
      """
      protocol: knobs
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: kind, type: u8, is: type}, {name: flags, type: u8}]
      parts:
        greeting: [{name: text, type: text 12, equals: 'HELLO WORLD!'}, {name: last, type: u8}]
      messages:
        - name: GREET
          type: 1
          from: client
          fields: [{name: text, type: text 12, equals: 'HELLO WORLD!', when: {field: flags, bits: 1}}]
        - {name: CUT, type: 2, from: client, fields: [{name: n, type: u8}, {part: greeting, cut-zeros: n}]}
        - name: OPTIONAL
          type: 3
          from: client
          fields: [{name: text, type: text 12, equals: 'HELLO WORLD!', optional: true}, {name: x, type: u8, optional: true}]
      """, file: "knobs.yaml")
    let text = Array("HELLO WORLD!".utf8)
    let greet = try Message(#require(owner["GREET"]), fields: ["flags": .unsigned(1)])
    #expect(greet.bytes == [1, 1] + text && Self.read(greet.bytes, owner) == "GREET")
    #expect(Message(empty: try #require(owner["CUT"])).bytes == [2, 0, 12] + text)
    let optional = try Message(#require(owner["OPTIONAL"]), fields: ["x": .unsigned(5)])
    #expect(optional.bytes == [3, 0] + text + [5])
  }

  @Test("Texts of more than 255 bytes are checked whole", arguments: [255, 256, 300, 1_024])
  func long(_ size: Int) throws {
    let text = String(repeating: "AB", count: size).prefix(size)
    let owner = try ProtocolFile.read(
      """
      protocol: knobs
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - {name: SAME, type: 1, from: client, fields: [{name: text, type: text \(size), equals: \(text)}]}
        - {name: LETTERS, type: 2, from: client, fields: [{name: text, type: text \(size), characters: A-B}]}
      """, file: "knobs.yaml")
    for kind: UInt8 in [1, 2] {
      let right = [kind] + Array(text.utf8)
      #expect(Self.read(right, owner) == (kind == 1 ? "SAME" : "LETTERS"))
      for place in [1, size] {
        var wrong = right
        wrong[place] = UInt8(ascii: "C")
        #expect(Self.read(wrong, owner).hasSuffix(" value.bad-text"), "\(kind), byte \(place)")
      }
    }
  }

  // MARK: - Mistakes

  private static func problem(_ text: String) -> String {
    do throws(YAMLFileError) {
      _ = try ProtocolFile.read(text, file: "a.yaml")
      return "no error"
    } catch {
      return "\(error.line): \(error.problem)"
    }
  }

  /// A file whose header and messages are these lines.
  private static func file(_ header: String, _ messages: String...) -> String {
    (["protocol: a", "carriers: [{name: udp, over: udp, port: 7000}]", "header: [\(header)]", "messages:"]
      + messages.map { "  - {\($0), from: client}" }).joined(separator: "\n")
  }

  @Test("Mistakes are refused with what to write")
  func mistakes() {
    let address = "{name: address, type: text to 0, is: type}"
    #expect(Self.problem(Self.file(address, "name: A")) == #"5: message "A" has no "type""#)
    #expect(Self.problem(Self.file(address, "name: A, type: ''")).contains("cannot be"))
    #expect(
      Self.problem(Self.file("{name: verb, type: text 4, is: type}", "name: A, type: START"))
        == #"5: "verb" is char[4], which cannot be "START"; it has 5 bytes: write "type: text 5""#)
    #expect(
      Self.problem(Self.file(address, "name: A, type: /a", "name: B, type: /a")).hasPrefix(
        "6: B cannot be distinguished from A"))
    #expect(
      Self.problem(Self.file("{name: verb, type: text 4, is: type, characters: A-Z}", "name: A, type: MOVE"))
        == #"3: "verb" is the type of each message: "characters" cannot hold it"#)
    // Of two texts one begins the other.
    let tags = "fields: [{name: tags, type: text to 0, equals: ',f'}]"
    #expect(
      Self.problem(Self.file(address, "name: A, type: /a", "name: B, type: /a, \(tags)")).hasPrefix(
        "6: B cannot be distinguished from A"))
    #expect(
      Self.problem(Self.file("{name: magic, type: text to 0, equals: LONGMAGIC, is: identity}", "name: A"))
        == #"3: "magic" has 10 bytes with its zeros; such a constant of the header has at most 8 bytes"#)
    #expect(
      Self.problem(
        Self.file(address, "name: A, type: /a, fields: [{name: t, type: text to 0, equals: x, characters: a-z}]"))
        == #"5: "t" has two rules: equals and characters"#)
    #expect(
      Self.problem(
        Self.file(
          "{name: sum, type: u8, check: {algorithm: sum, from: address, to: address}}, " + address, "name: A, type: /a")
      )
        == #"3: "address" has another size in each message: a checksum ends before it, or at the "end""#)
    #expect(
      Self.problem(Self.file(address + ", {name: flags, type: u8}", "name: A, type: /a"))
        == #"3: "address" has another size in each message: it is the last field of the header"#)
    #expect(
      Self.problem(Self.file("{name: kind, type: f32, is: type}", "name: A, type: 1"))
        == #"3: a type is u8, u16, u24, u32, u64, bits N, text N or text to 0; "kind" is float32"#)
    #expect(
      Self.problem(
        Self.file(
          address,
          "name: A, type: /a, fields: [{name: n, type: text to 0}, {name: t, type: text to 0, equals: x}]"))
        == #"5: a field before "t" has no fixed size, so its zeros cannot be counted here: write "text N""#)
    #expect(
      Self.problem(Self.file("{name: kind, type: u8, is: type}", "name: A, type: /a")).contains("cannot be \"/a\""))
    #expect(
      Self.problem(
        Self.file(address, "name: A, type: /a, fields: [{name: t, type: text 12, equals: short}]")
      ).contains("cannot be \"short\""))
  }
}
