import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// A file with transports of every kind, of which a test changes one line.
private enum Lamp {
  static let uuid = "0000ab01-0000-1000-8000-00805f9b34fb"

  static let lines = [
    "protocol: lamp",
    "sides: {client: remote, host: bulb}",
    "exact: true",
    "carriers:",
    "  - name: net",
    "    ports: [{over: udp, port: 7000}, {over: tcp, port: 7001}, {over: udp, port: 7002, id: lamp-all, broadcast: true}]",
    "    framing: fixed",
    "  - name: link",
    "    over: ble",
    "    characteristics: {\(uuid): KEY, 0000ab02-0000-1000-8000-00805f9b34fb: LIT}",
    "header: [{name: kind, type: u8, is: type, unknown: malformed}]",
    "messages:",
    "  - {name: ASK, type: 1, from: client, over: [net], fields: [{name: id, type: u16}]}",
    "  - {name: LIT, type: 2, from: host, fields: [{name: state, type: u16}], both-ways-over: tcp, usually-over: udp}",
    "  - {name: KEY, bare: true, from: client, over: [link], fields: [{name: key, type: text 4, characters: A-Z}]}",
    "session: {asked-by: ASK, answered-by: [LIT], id: id, accepts: {state: 1}, timeout: 2s, instead: {asked-by: KEY, shown-by: LIT, interval: 1s}}",
  ]

  static func read(_ line: Int? = nil, _ text: String = "") throws(YAMLFileError) -> WireProtocol {
    var lines = lines
    if let line { lines[line - 1] = text }
    return try ProtocolFile.read(lines.joined(separator: "\n"), file: "lamp.yaml")
  }

  /// The error if line `line` is `text`: `line:column: problem`.
  static func error(_ line: Int, _ text: String) -> String? {
    do throws(YAMLFileError) {
      _ = try read(line, text)
      return nil
    } catch {
      return String(error.description.dropFirst("lamp.yaml:".count))
    }
  }

  static func net(_ ports: String) -> String { "    ports: \(ports)" }
}

@Suite("A protocol in a file: sides, ports, Bluetooth and messages without a header") struct CarrierWordsTests {
  @Test("A valid file declares sides, ports, transports and messages")
  func aRightFileDeclaresThem() throws {
    let lamp = try Lamp.read()
    #expect(Role(lamp, .client).name == "remote" && Role(lamp, .host).name == "bulb")
    #expect(lamp.rules.client == "remote")
    #expect(lamp.ports.map(\.id) == ["lamp-udp", "lamp-tcp", "lamp-all"])
    #expect(lamp.ports.map(\.end) == [.host, .host, .listener])
    let net = lamp.dialect("net")
    #expect(net.framing == .fixed(size: 3, heads: [1, 2]) && net.transport == "UDP, TCP")
    let link = lamp.dialect("link")
    #expect(link.bare == "KEY" && link.characteristics.map(\.message) == ["KEY", "LIT"])
    #expect(lamp.dialect(over: .ble) == link && lamp.unknown == nil)
    let lit = try #require(lamp["LIT"])
    #expect(lit.layout.returnsOver == .tcp && lit.layout.usually == .udp)
    let asking = try #require(lamp.asking)
    #expect(asking.accepts?.field == "state" && asking.accepts?.value == 1)
    #expect(asking.instead?.message == "KEY" && asking.instead?.life == "LIT" && asking.instead?.every == 1_000_000_000)
  }

  @Test(
    "A payload is decoded by the messages of its transport",
    arguments: [
      ("net", [1, 2, 3], "ASK", nil), ("net", [1, 2], "ASK", "length.truncated"),
      ("net", [], "MALFORMED", "length.truncated"),
      ("net", [1, 2, 3, 4], "ASK", "length.too-long"), ("net", [9, 2, 3], "MALFORMED", "header.type"),
      ("link", [65, 66, 67, 68], "KEY", nil), ("link", [2, 1, 0], "LIT", nil),
      ("link", [1, 2, 3], "ASK", "message.transport"),
      ("link", [65, 66, 67, 97], "KEY", "value.bad-text"), ("link", [65, 66, 67], "MALFORMED", "header.type"),
    ] as [(String, [UInt8], String, String?)])
  func payloads(_ carrier: String, _ bytes: [UInt8], _ name: String, _ rule: String?) throws {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes.span.bytes, as: try Lamp.read().dialect(carrier), findings: &findings)
    #expect(kind.name == name && findings.map(\.rule.id) == [rule].compactMap(\.self))
  }

  @Test("A stream of fixed packets resynchronises at the next first byte")
  func aStreamOfFixedPacketsIsFoundAgainAtTheNextFirstByte() throws {
    var framer = MessageFramer(try Lamp.read().dialect("net"))
    var events: [FrameEvent] = []
    let bytes: [UInt8] = [1, 0, 0, 7, 7, 2, 1, 0]
    framer.receive(bytes.span.bytes) { event, _ in events.append(event) }
    #expect(events == [.message, .skipped(2), .message])
  }

  @Test(
    "An impossible declaration is an error with its line and column",
    arguments: [
      (2, "sides: {client: remote}", "2:8: sides has no \"host\": The side that listens: host."),
      (2, "sides: {client: remote, host: remote}", "2:31: there is a side \"remote\" already, of lamp"),
      (2, "sides: {client: phone, host: bulb}", "2:17: there is a side \"phone\" already, of tele"),
      (
        2, "sides: {client: Remote, host: bulb}",
        "2:17: a side's name is a lower-case letter, then lower-case letters, digits and -, found \"Remote\"; did you mean \"remote\"?"
      ),
      (6, Lamp.net("[]"), "6:12: \"ports\" is empty"),
      (6, Lamp.net("[{over: udp}]"), "6:13: port has no \"port\": Its number."),
      (6, Lamp.net("[{over: ble, port: 1}]"), "6:20: \"over\": expected one of udp, tcp, found \"ble\""),
      (6, Lamp.net("[{over: tcp, port: 1, broadcast: true}]"), "6:45: only datagrams are broadcast: over udp"),
      (
        6, Lamp.net("[{over: udp, port: 1}, {over: udp, port: 2}]"),
        "6:35: there is a port \"lamp-udp\" already, of lamp"
      ),
      (6, Lamp.net("[{over: udp, port: 1}]"), "7:14: over udp each datagram is a message: there is no framing"),
      (
        6, "    over: udp\n    ports: [{over: tcp, port: 1}]",
        "6:11: \"over\" has no effect next to \"ports\": each entry of \"ports\" has its own"
      ),
      (6, "    meaning: nothing", "5:5: transport \"net\" has neither \"over\" nor \"ports\""),
      (6, "    over: tcp", "5:5: transport \"net\" has no \"port\""),
      (
        14, "  - {name: LIT, type: 2, from: host, fields: [{name: state, type: u8}]}",
        "7:14: \"fixed\" is for messages of one size: ASK has 3 bytes, and LIT 2"
      ),
      (
        14, "  - {name: LIT, type: 2, from: host, fields: [{name: state, type: u16}, {name: more, type: rest}]}",
        "7:14: \"fixed\" is for messages of one size: ASK has 3 bytes, and LIT no fixed size"
      ),
      (
        11, "header: [{name: any, type: u8}, {name: kind, type: u8, is: type}]",
        "7:14: nothing shows where ASK begins: with \"fixed\" the first field is the type or a constant"
      ),
      (9, "    over: udp\n    port: 1", "11:22: \"characteristics\" requires \"over: ble\""),
      (9, "    over: ble\n    port: 1", "10:11: over ble there are no ports: \"port\" has no effect"),
      (
        10, "    title: nothing",
        "8:5: over ble name the message of each characteristic: characteristics: {UUID: MESSAGE}"
      ),
      (
        10, "    characteristics: {ab01: KEY}",
        "10:23: a characteristic is a UUID, such as 12345678-1234-1234-1234-123456789ABD, found \"ab01\""
      ),
      (
        10, "    characteristics: {\(Lamp.uuid): ASK}",
        "10:61: there is no message over link \"ASK\"; there are LIT, KEY"
      ),
      (
        10, "    characteristics: {\(Lamp.uuid): KEY, \(Lamp.uuid.uppercased()): LIT}",
        "10:66: the characteristic \(Lamp.uuid.uppercased()) carries a message already"
      ),
      (
        10, "    characteristics: {1c8fd138-fc18-4846-954d-e509366aef63: KEY}",
        "10:22: the characteristic 1c8fd138-fc18-4846-954d-e509366aef63 is one of tele already"
      ),
      (11, "header: [{name: kind, type: u8, unknown: malformed}]", "11:42: \"unknown\" requires \"is: type\""),
      (
        15, "  - {name: KEY, bare: true, type: 3, from: client, over: [link]}",
        "15:35: \"type\" is about the header, and a bare message has none"
      ),
      (
        15, "  - {name: KEY, bare: true, from: client, over: [link], fields: [{name: key, type: rest}]}",
        "15:23: over link, only its size distinguishes KEY from messages with a header, and it has no fixed size"
      ),
      (
        15,
        "  - {name: KEY, bare: true, from: client, over: [link]}\n  - {name: PIN, bare: true, from: client, over: [link], fields: [{name: pin, type: u8}]}",
        "16:23: over link, PIN cannot be distinguished from KEY: only one message may have no header, unless none has one"
      ),
      (
        14,
        "  - {name: LIT, type: 2, from: host, both-ways-over: udp, usually-over: sctp, fields: [{name: state, type: u16}]}",
        "14:73: \"usually-over\": expected one of udp, tcp, ble, found \"sctp\""
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], accepts: {stat: 1}}",
        "16:56: there is no field of LIT \"stat\"; did you mean \"state\"?"
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], accepts: {state: 65536}}",
        "16:63: \"state\" is uint16, which holds whole numbers from 0 to 65535, not 65536"
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], code: id}", "16:52: \"id\" is uint16, and no text"
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], instead: {asked-by: ASK, shown-by: LIT, interval: 1s}}",
        "16:55: \"instead\" requires a transport over ble that carries ASK and LIT, but not ASK"
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], instead: {asked-by: KEY, shown-by: LIT}}",
        "16:55: instead has no \"interval\": The time from one of these to the next, 1ms to 3600s."
      ),
      (
        16, "session: {asked-by: ASK, answered-by: [LIT], outside: [LIT], needed-by: [LIT]}",
        "16:74: LIT is outside sessions: it needs none"
      ),
    ] as [(Int, String, String)])
  func errors(_ line: Int, _ text: String, _ expected: String) { #expect(Lamp.error(line, text) == expected) }

  @Test("A protocol over Bluetooth alone is rejected: nothing identifies it in a recording")
  func aProtocolOverBluetoothAloneIsRefused() {
    let text = """
      protocol: lamp
      carriers: [{name: link, over: ble, characteristics: {\(Lamp.uuid): ON}}]
      messages: [{name: ON, from: client}]
      """
    #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "lamp.yaml") }
  }
}
