import TelecapMouse
import TelecapTele
import TelecapWire
import Testing

/// The values that a correct sender may send (semantics, Clamping and what is not a number; mouse, Sender rules).
@Suite struct SenderTests {
  @Test(
    "HAPTIC intensity is clamped to 0…1",
    arguments: [
      (-0.5, 0), (-0.0, 0), (-.infinity, 0), (0, 0), (1, 1), (1.5, 1), (.greatestFiniteMagnitude, 1), (0.25, 0.25),
      (.leastNonzeroMagnitude, .leastNonzeroMagnitude), (-.leastNonzeroMagnitude, 0),
      (.leastNormalMagnitude / 2, .leastNormalMagnitude / 2), (Float(1).nextUp, 1),
      (Float(1).nextDown, Float(1).nextDown),
    ] as [(Float, Float)])
  func haptic(_ asked: Float, _ sent: Float) throws {
    let message = try Message.haptic(intensity: asked)
    #expect(message.value(Haptic.fields.intensity)?.bitPattern == sent.bitPattern, "bit for bit: never −0")
    #expect(decode(message.bytes, as: .teleUDP).findings == [])
  }

  @Test(
    "NaN and +∞ are never sent",
    arguments: [.nan, -.nan, .signalingNaN, Float(bitPattern: 0x7fc0_1234), .infinity] as [Float])
  func neverSent(_ value: Float) {
    let error = #expect(throws: WireError.self) { try Message.haptic(intensity: value) }
    #expect(error?.description == "HAPTIC.intensity: a sender never sends \(value)")
    for index in 0..<7 {
      var numbers: [Float] = [0, 0, 0, 0, 0, 0, 1]
      numbers[index] = value
      let error = #expect(throws: WireError.self) { try SenderTests.pose(numbers) }
      let name = ["x", "y", "z", "qx", "qy", "qz", "qw"][index]
      #expect(error?.description == "POSE.\(name): a sender never sends \(value)")
    }
  }

  @Test("A pose with −∞ is rejected, too")
  func negativeInfinity() {
    #expect(throws: WireError.neverSent(message: "POSE", field: "y", value: -.infinity)) {
      try SenderTests.pose([0, -.infinity, 0, 0, 0, 0, 1])
    }
  }

  private static func pose(_ n: [Float]) throws -> Message {
    try .pose(
      seq: 1, timestampMicroseconds: 1, position: [n[0], n[1], n[2]], orientation: [n[3], n[4], n[5], n[6]])
  }

  @Test(
    "A delta of a WiFi packet is clamped to −127…127 and is never −128",
    arguments: [
      (-32_768, -127), (128, 127), (-128, -127), (-127, -127), (127, 127), (0, 0), (-1, -1), (300, 127), (.min, -127),
      (.max, 127),
    ] as [(Int, Int8)])
  func delta(_ asked: Int, _ sent: Int8) {
    #expect(Message.clampedToPacket(asked) == sent)
    let packets = [
      Message.mouseMovement(deltaX: asked, deltaY: asked, buttons: 0, scroll: asked),
      Message.mouseControl(buttons: 0, deltaX: asked, deltaY: asked, scroll: asked),
    ]
    for packet in packets {
      #expect(packet.value(MousePacket.fields.deltaX) == sent)
      #expect(packet.value(MousePacket.fields.deltaY) == sent)
      #expect(packet.value(MousePacket.fields.scroll) == sent)
      #expect(!packet.bytes.contains(0x80))
      #expect(decode(packet.bytes, as: .mouse).findings == [])
    }
    let report = Message.mouseReport(deltaX: asked, deltaY: asked, buttons: 0, scroll: asked)
    #expect(report.value(MouseReport.fields.deltaX) == Int16(clamping: asked))
    #expect(report.value(MouseReport.fields.deltaY) == Int16(clamping: asked))
    #expect(report.value(MouseReport.fields.scroll) == sent)
    #expect(decode(report.bytes, as: .mouseHID).findings == [])
  }

  @Test("Reserved button bits are never sent", arguments: UInt8.min...UInt8.max)
  func buttons(_ buttons: UInt8) {
    #expect(Message.mouseMovement(deltaX: 0, deltaY: 0, buttons: buttons).bytes[1] == buttons & 7)
    #expect(Message.mouseControl(buttons: buttons).bytes[1] == buttons & 7)
    #expect(Message.mouseReport(deltaX: 0, deltaY: 0, buttons: buttons).bytes[0] == buttons & 7)
  }

  @Test(
    "A code is exactly six of A–Z and 0–9",
    arguments: ["", "ABC12", "ABC1234", "abc123", "ABC 12", "ABC12\u{e9}", "ÄBC12", "ABC1\u{0}2", "ABC12\n"])
  func badCode(_ code: String) {
    #expect(throws: WireError.badText(message: "HELLO", field: "code", text: code, rule: Hello.fields.code.row.rule)) {
      try Message.hello(sessionID: 1, code: code)
    }
  }

  @Test(
    "A beacon's name is 1 to 20 of A–Z a–z 0–9 _ -",
    arguments: [
      ("", false), ("a", true), ("A_b-9", true), ("abcdefghijklmnopqrst", true), ("abcdefghijklmnopqrstu", false),
      ("a b", false), ("ä", false), ("a.b", false),
    ])
  func beaconName(_ name: String, _ isAllowed: Bool) throws {
    if isAllowed {
      let message = try Message.beacon(tcpPort: 50_000, name: name)
      #expect(message.value(of: "name") == .text(name))
      #expect(decode(message.bytes, as: .teleUDP).findings == [])
    } else {
      let error = WireError.badText(message: "BEACON", field: "name", text: name, rule: Beacon.fields.name.row.rule)
      #expect(throws: error) { try Message.beacon(tcpPort: 50_000, name: name) }
      #expect(error.description == "BEACON.name is \"\(name)\"; it must be 1–20 of A–Z a–z 0–9 _ -")
    }
  }

  @Test("The longest CONFIG fills a frame exactly; one byte more is rejected")
  func longestConfig() throws {
    let json = "{" + String(repeating: " ", count: 65_525) + "}"
    let message = try Message.config(json)
    #expect(try message.framed(as: .teleTCP).count == 65_537)
    #expect(decode(message.bytes, as: .teleTCP).findings == [])
    let error = WireError.tooLongForFrame(bytes: 65_536)
    #expect(throws: error) { try Message.config(json + " ") }
    #expect(error.description == "a message of 65536 bytes does not fit a frame; the maximum is 65535")
  }

  @Test("CONFIG that is no JSON object is rejected")
  func badConfig() {
    #expect(
      throws: WireError.badText(message: "CONFIG", field: "config", text: "[]", rule: Config.fields.config.row.rule)
    ) {
      try Message.config("[]")
    }
  }
}
