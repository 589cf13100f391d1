import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// Properties of every value, tested on many.
@Suite struct PropertyTests {
  @Test(
    "A receiver decodes every message that a sender builds, without findings", arguments: 1...8 as ClosedRange<UInt64>)
  func senderToReceiver(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let (built, dialect) = try PropertyTests.message(&random)
      let (message, findings) = Message.decode(built.bytes.span.bytes, as: dialect)
      #expect(findings == [], "\(built.kind) \(Hex.text(built.bytes))")
      #expect(message == built)
      let fields = built.kind.layout.fields.compactMap { field in built.value(of: field.name).map { (field.name, $0) } }
      #expect(fields.count == built.kind.layout.fields.count)
      #expect(try Message(built.kind, fields: Dictionary(fields) { first, _ in first }) == built)
    }
  }

  @Test("A message that was built has the same numbers when read", arguments: 1...4 as ClosedRange<UInt64>)
  func numbers(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let (seq, time) = (UInt16(truncatingIfNeeded: random.next()), random.next())
      let position = SIMD3<Float>.random(in: -1e6...1e6, using: &random)
      let pose = try Message.pose(
        seq: seq, timestampMicroseconds: time, position: position, orientation: [0, 0, 0, 1])
      #expect(pose.value(Pose.fields.seq) == seq)
      #expect(pose.value(Pose.fields.timestamp) == time)
      #expect(
        [Pose.fields.x, Pose.fields.y, Pose.fields.z].map { pose.value($0) } == [position.x, position.y, position.z])
      let intensity = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard let haptic = try? Message.haptic(intensity: intensity) else {
        #expect(intensity.isNaN || intensity == .infinity)
        continue
      }
      let sent = try #require(haptic.value(Haptic.fields.intensity))
      #expect(sent >= 0 && sent <= 1 && sent.sign == .plus)
      #expect(!(0...1).contains(intensity) || sent == intensity)
    }
  }

  @Test("Decoding depends on the bytes alone: a second decoder gives the same result")
  func pure() {
    var random = SplitMix64(seed: 77)
    for _ in 0..<2_000 {
      let bytes = Array("TELE".utf8) + [UInt8.random(in: 0...10, using: &random), 1] + random.bytes(40)
      var findings: [Finding] = [Finding(.silence, 0..<0)]
      let kind = MessageDecoder.decode(bytes.span.bytes, as: .teleUDP, findings: &findings)
      #expect(findings.first == Finding(.silence, 0..<0), "what was found before stays")
      #expect(decode(bytes, as: .teleUDP) == (kind, Array(findings.dropFirst())))
      let checked = MessageDecoder.check(bytes.span.bytes, as: .teleUDP)
      #expect(checked.kind == kind)
      #expect(checked.error == findings.dropFirst().first { $0.severity == .error }?.rule, "a receiver sees the error")
    }
  }

  private static func message(_ random: inout SplitMix64) throws -> (Message, Dialect) {
    let bits = random.next()
    let (small, large) = (UInt8(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 8))
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      let code = random.string(of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 6...6)
      return (try .hello(sessionID: large, code: code), .teleUDP)
    case 1: return (.ack(AckStatus(rawValue: small % 4)), .teleUDP)
    case 2: return (.ackTCP(AckStatus(rawValue: small % 4), minVersion: small, maxVersion: 255), .teleTCP)
    case 3:
      let axis = Int.random(in: 0..<4, using: &random)
      var orientation = SIMD4<Float>(repeating: 0)
      orientation[axis] = bits.isMultiple(of: 2) ? 1 : -1
      return (
        try .pose(
          seq: UInt16(truncatingIfNeeded: bits), timestampMicroseconds: random.next(), movementStart: small > 99,
          position: .random(in: -9...9, using: &random), orientation: orientation), .teleUDP
      )
    case 4: return (.bye(sessionID: large), .teleTCP)
    case 5: return (.cmd(1 + small % 2, small > 99), .teleBLE)
    case 6: return (.heartbeat(counter: large, uptimeMilliseconds: ~large), .teleBLE)
    case 7: return (try .haptic(intensity: .random(in: -1...2, using: &random)), .teleUDP)
    case 8:
      let name = random.string(of: "abcXYZ019_-", 1...20)
      return (try .beacon(tcpPort: UInt16(truncatingIfNeeded: bits), name: name), .teleUDP)
    case 9: return (try .config(#"{"\#(random.string(of: "aü€😀 ", 0...30))":\#(bits)}"#), .teleTCP)
    case 10:
      return (
        .mouseMovement(deltaX: Int(Int32(bitPattern: large)), deltaY: Int(small), buttons: small, scroll: -Int(small)),
        .mouse
      )
    default:
      return (
        .mouseReport(deltaX: Int(Int32(bitPattern: large)), deltaY: -Int(small), buttons: small, scroll: Int(small)),
        .mouseHID
      )
    }
  }
}
