// Conversations over Bluetooth, made by our own tool, and what was made of them.
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapWire

@testable import TelecapCapture

/// Frames of a link type in the order in which they are dissected, each with its time.
struct BluetoothTalk {
  var linkType = BluetoothFrameBuilder.linkType
  var frames: [(time: Timestamp, bytes: [UInt8])] = []

  mutating func add(_ frames: [[UInt8]], at milliseconds: Int64 = 0) {
    self.frames += frames.map { (Timestamp(nanoseconds: milliseconds * 1_000_000), $0) }
  }

  func dissected(ports: Ports = .standard) throws -> (seen: SeenDissection, attributes: AttributeTraffic, [Session]) {
    var dissector = Dissector(ports: ports)
    var seen = SeenDissection()
    for (place, frame) in frames.enumerated() {
      seen.frame = frame.bytes
      let header = PacketHeader(
        number: place + 1, time: frame.time, originalLength: frame.bytes.count, linkType: linkType)
      try dissector.receive(header, frame.bytes.span.bytes, to: &seen)
    }
    seen.frame = []
    try dissector.finish(to: &seen)
    return (seen, seen.unread.attributes, dissector.sessions)
  }

  static let host = IPAddress(bluetooth: 0x5cf3_7001_0203)

  /// A phone's second with a robot: its code, poses at 60 Hz, a command, HEARTBEAT at 2 Hz, HAPTIC at 20 Hz, and the link's end.
  static func teleoperation() throws -> BluetoothTalk {
    let builder = BluetoothFrameBuilder(.teleBLE)
    var talk = BluetoothTalk()
    talk.add(builder.opening(link: 0x40, to: host))
    var messages: [(Int64, Message, Bool)] = [
      (20, try .auth(code: "ABC123"), true), (40, try .config("{}"), false), (500, .cmd(1, true), true),
    ]
    for beat in 0..<3 {
      messages.append(
        (30 + 500 * Int64(beat), .heartbeat(counter: UInt32(beat), uptimeMilliseconds: UInt32(500 * beat)), false))
    }
    for number in 0..<60 {
      let values: [String: FieldValue] = [
        "seq": .unsigned(UInt64(number)), "timestamp_us": .unsigned(UInt64(number) * 16_667),
        "x": .float(Float(number) / 100), "qw": .float(1),
      ]
      messages.append((100 + Int64(number) * 1_000 / 60, try Message(.pose, fields: values), true))
    }
    for number in 0..<20 {
      messages.append((110 + 50 * Int64(number), try .haptic(intensity: Float(number) / 20), false))
    }
    for (time, message, isFromClient) in messages.sorted(by: { $0.0 < $1.0 }) {
      talk.add(builder.value(message.bytes, link: 0x40, isFromClient: isFromClient), at: time)
    }
    talk.add([builder.closing(link: 0x40)], at: 1_200)
    return talk
  }

  /// A drag: down, a circle's quarter in steps of a report, one of them without its scroll byte, up.
  static func drag() -> BluetoothTalk {
    let builder = BluetoothFrameBuilder(.mouseHID)
    var talk = BluetoothTalk()
    talk.add(builder.opening(link: 0x40, to: host))
    let steps = (0..<20).map { (10 * (20 - $0), -10 * $0) }
    var reports = [Message.mouseReport(deltaX: 0, deltaY: 0, buttons: 1).bytes]
    reports += steps.map { Message.mouseReport(deltaX: $0.0, deltaY: $0.1, buttons: 1).bytes }
    reports.append(Array(Message.mouseReport(deltaX: 300, deltaY: -2, buttons: 1).bytes.prefix(5)))
    reports.append(Message.mouseReport(deltaX: 0, deltaY: 0, buttons: 0, scroll: -1).bytes)
    for (place, report) in reports.enumerated() {
      talk.add(builder.value(report, link: 0x40, isFromClient: true), at: 10 * Int64(place + 1))
    }
    talk.add([builder.closing(link: 0x40)], at: 1_000)
    return talk
  }
}
