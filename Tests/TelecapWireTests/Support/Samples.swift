import TelecapMouse
import TelecapTele
import TelecapWire
import Testing

/// A valid message of one kind, and what may carry it.
struct Sample: Sendable, CustomTestStringConvertible {
  let message: Message
  let dialect: Dialect

  var bytes: [UInt8] { message.bytes }
  var kind: MessageKind { message.kind }
  var testDescription: String { "\(kind) over \(dialect.name)" }

  /// One for every kind that can be valid.
  static let all: [Sample] = {
    do {
      return [
        Sample(message: try .hello(sessionID: 0x0102_0304, code: "ABC123"), dialect: .teleUDP),
        Sample(message: .ack(.busy), dialect: .teleUDP),
        Sample(message: .ackTCP(.ok), dialect: .teleTCP),
        Sample(
          message: try .pose(
            seq: 513, timestampMicroseconds: 0x0102_0304_0506_0708, movementStart: true,
            position: [1.5, -2.25, .leastNonzeroMagnitude],
            orientation: [0.5, -0.5, 0.5, 0.5]), dialect: .teleUDP),
        Sample(message: .bye(sessionID: 0xdead_beef), dialect: .teleUDP),
        Sample(message: .cmd(Cmd.keepRecording, true), dialect: .teleTCP),
        Sample(message: .heartbeat(counter: 7, uptimeMilliseconds: 3_500), dialect: .teleBLE),
        Sample(message: try .haptic(intensity: 0.5), dialect: .teleUDP),
        Sample(message: try .beacon(tcpPort: 50_000, name: "voodooX7"), dialect: .teleUDP),
        Sample(message: try .config(#"{"a":[1,"ü"]}"#), dialect: .teleTCP),
        Sample(message: Message(keeping: Array("ABC123".utf8), as: .teleBLE), dialect: .teleBLE),
        Sample(message: .mouseMovement(deltaX: -3, deltaY: 127, buttons: 5, scroll: -1), dialect: .mouse),
        Sample(message: .mouseControl(buttons: 1), dialect: .mouse),
        Sample(message: .mouseReport(deltaX: -300, deltaY: 32_767, buttons: 7, scroll: 1), dialect: .mouseHID),
        Sample(message: Message(keeping: [1, 0xd4, 0xfe, 2, 0], as: .mouseHID), dialect: .mouseHID),
      ]
    } catch {
      Issue.record("a sample cannot be built: \(error)")
      return []
    }
  }()
}

/// The kind and the findings of `bytes` by the decoder.
func decode(_ bytes: [UInt8], as dialect: Dialect) -> (kind: MessageKind, findings: [Finding]) {
  var findings: [Finding] = []
  let kind = MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings)
  return (kind, findings)
}
