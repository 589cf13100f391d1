import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// The mouse's WiFi packet and HID report, byte by byte.
@Suite struct MouseLayoutTests {
  @Test("A movement packet has a header, buttons, signed deltas and scroll")
  func movement() {
    let message = Message.mouseMovement(deltaX: -1, deltaY: 127, buttons: 1, scroll: -127)
    #expect(Hex.text(message.bytes) == "aa01ff7f81")
    let (kind, findings) = decode(message.bytes, as: .mouse)
    #expect(kind == .mouseMovement)
    #expect(findings == [])
    #expect(message.value(of: "header") == .unsigned(0xaa))
    #expect(message.value(of: "buttons") == .unsigned(1))
    #expect(message.value(of: "delta_x") == .signed(-1))
    #expect(message.value(of: "delta_y") == .signed(127))
    #expect(message.value(of: "scroll") == .signed(-127))
  }

  @Test("A control packet differs in its header only")
  func control() {
    let message = Message.mouseControl(buttons: 6)
    #expect(Hex.text(message.bytes) == "bb06000000")
    #expect(decode(message.bytes, as: .mouse).kind == .mouseControl)
  }

  @Test("A HID report has little-endian deltas at the odd offsets 1 and 3")
  func report() {
    let message = Message.mouseReport(deltaX: -32_768, deltaY: 0x0102, buttons: 4, scroll: 5)
    #expect(Hex.text(message.bytes) == "040080020105")
    let (kind, findings) = decode(message.bytes, as: .mouseHID)
    #expect(kind == .mouseHID)
    #expect(findings == [])
    #expect(message.value(MouseReport.fields.deltaX) == -32_768)
    #expect(message.value(MouseReport.fields.deltaY) == 0x0102)
    #expect(message.value(MouseReport.fields.scroll) == 5)
  }

  @Test("A HID report of five bytes has no scroll, and reads as 0")
  func shortReport() throws {
    let message = try #require(Message(decoding: hex("02ffff0080"), as: .mouseHID))
    #expect(message.kind == .mouseHIDShort)
    #expect(message.value(of: "delta_x") == .signed(-1))
    #expect(message.value(of: "delta_y") == .signed(-32_768))
    #expect(message.value(of: "scroll") == nil)
    #expect(Typed<MouseReport>(message)?[MouseReport.fields.scroll] == 0)
  }

  @Test("The Bluetooth UUIDs are those of the documents")
  func uuids() {
    #expect(MouseReport.service == "12345678-1234-1234-1234-123456789ABC")
    #expect(MouseReport.characteristic == "12345678-1234-1234-1234-123456789ABD")
    #expect(BLECharacteristic.service == "1C8FD138-FC18-4846-954D-E509366AEF61")
    let expected: [(BLECharacteristic, String, MessageKind)] = [
      (.auth, "63", .bleAuth), (.pose, "64", .pose), (.heartbeat, "65", .heartbeat), (.command, "66", .cmd),
      (.haptic, "67", .haptic), (.config, "68", .config),
    ]
    #expect(expected.map(\.0) == BLECharacteristic.allCases)
    for (characteristic, digits, kind) in expected {
      #expect(characteristic.uuid == "1C8FD138-FC18-4846-954D-E509366AEF" + digits)
      #expect(characteristic.kind == kind)
    }
  }
}
