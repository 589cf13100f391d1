import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// The neutral values that a protocol file declares.
@Suite struct NeutralTests {
  private static let lamp = """
    protocol: lamp
    carriers: [{name: udp, over: udp, port: 7000}]
    header:
      - {name: magic, type: text 2, equals: LP, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: DIM, type: 1, from: client, fields: [{name: number, type: u8}, {name: bulb, type: u8}, {name: level, type: f32}]}
      - {name: ASK, type: 2, from: client, fields: [{name: id, type: u16}]}
      - {name: YES, type: 3, from: host}
      - {name: END, type: 4, from: client, fields: [{name: id, type: u16}]}
    session: {asked-by: ASK, answered-by: [YES], id: id, closed-by: END}
    streams: [{name: level, message: DIM, order: number, key: [bulb], values: [level], neutral: {level: 0}}]
    """

  private static func dim(_ number: UInt8, _ bulb: UInt8, _ level: Float) -> [UInt8] {
    [0x4c, 0x50, 1, number, bulb] + withUnsafeBytes(of: level.bitPattern.littleEndian) { Array($0) }
  }

  @Test("Each key is set to neutral with the number after its newest, which wraps; then the session ends")
  func keys() throws {
    let wire = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    var teardown = Teardown(wire.dialect("udp"), over: .udp)
    let ask: [UInt8] = [0x4c, 0x50, 2, 9, 0]
    for bytes in [
      ask, Self.dim(254, 1, 0.5), Self.dim(255, 1, 0.7), Self.dim(253, 1, 0), Self.dim(4, 2, 1), Self.dim(7, 3, 0),
    ] {
      teardown.sent(bytes.span.bytes)
    }
    #expect(teardown.owed().map(\.bytes) == [Self.dim(0, 1, 0), Self.dim(5, 2, 0), [0x4c, 0x50, 4, 9, 0]])
  }

  @Test(
    "Numbers restart with another session and a repeated replay, and not within a session",
    arguments: [([0x4c, 0x50, 2, 8, 0], true), ([0x4c, 0x50, 2, 9, 0], false)] as [([UInt8], Bool)])
  func nextSession(ask: [UInt8], isOther: Bool) throws {
    let wire = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    var teardown = Teardown(wire.dialect("udp"), over: .udp)
    func send(_ all: [[UInt8]]) { for bytes in all { teardown.sent(bytes.span.bytes) } }
    send([[0x4c, 0x50, 2, 9, 0], Self.dim(100, 1, 0.5), Self.dim(101, 1, 0), ask, Self.dim(3, 1, 0.7)])
    let end = [0x4c, 0x50, 4, ask[3], 0]
    #expect(teardown.owed().map(\.bytes) == (isOther ? [Self.dim(4, 1, 0), end] : [end]))
    // A stale number of the new session is stale.
    send([Self.dim(2, 1, 0)])
    #expect(teardown.owed().count == (isOther ? 2 : 1))
    send([Self.dim(104, 1, 0)])
    #expect(teardown.owed().map(\.bytes) == [end])
    teardown.restart()
    send([Self.dim(50, 1, 0.5)])
    #expect(teardown.owed().map(\.bytes) == [Self.dim(51, 1, 0), end])
  }

  @Test("Numbers may restart when the same session id is used again")
  func sameSessionAgain() throws {
    let wire = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    var teardown = Teardown(wire.dialect("udp"), over: .udp)
    let (ask, end): ([UInt8], [UInt8]) = ([0x4c, 0x50, 2, 9, 0], [0x4c, 0x50, 4, 9, 0])
    for bytes in [ask, Self.dim(101, 1, 0), end, ask, Self.dim(3, 1, 0.7)] { teardown.sent(bytes.span.bytes) }
    #expect(teardown.owed().map(\.bytes) == [Self.dim(4, 1, 0), end])
  }

  @Test("At most 256 keys of noise are followed, and the others are counted")
  func noise() throws {
    let wire = try ProtocolFile.read(
      Self.lamp.replacing("name: bulb, type: u8", with: "name: bulb, type: u16"), file: "lamp.yaml")
    var teardown = Teardown(wire.dialect("udp"), over: .udp)
    for key in 0..<300 {
      teardown.sent(([0x4c, 0x50, 1, 0, UInt8(key & 255), UInt8(key >> 8), 0, 0, 0, 0x3f] as [UInt8]).span.bytes)
    }
    #expect(teardown.owed().count == 256 && teardown.dropped == 44)
  }

  @Test("A protocol without neutral values and without a teardown has nothing to send at the end")
  func nothing() throws {
    let text = Self.lamp.replacing(", neutral: {level: 0}", with: "").replacing(", closed-by: END", with: "")
    let wire = try ProtocolFile.read(text, file: "lamp.yaml")
    #expect(!Teardown.isDeclared(for: Role(wire, .client)) && !Teardown.isDeclared(for: Role(wire, .host)))
    let whole = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    #expect(Teardown.isDeclared(for: Role(whole, .client)) && !Teardown.isDeclared(for: Role(whole, .host)))
  }

  @Test(
    "An impossible neutral value is an error of the file",
    arguments: [
      ("{level: x}", "a number"), ("{lvel: 0}", "DIM has no number \"lvel\""),
      ("{number: 0}", "it has no neutral value"),
      ("{bulb: 0}", "it has no neutral value"), ("{type: 0}", "it has no neutral value"), ("{level: 1e300}", "level"),
    ])
  func mistakes(_ value: String, _ words: String) {
    let text = Self.lamp.replacing("neutral: {level: 0}", with: "neutral: \(value)")
    let error = #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "lamp.yaml") }
    #expect(error.map { "\($0)".contains(words) } ?? false, "\(String(describing: error))")
  }
}
