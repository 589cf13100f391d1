import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// The golden vectors of the TELE documents, made by the code in the field: bytes ↔ named fields.
@Suite struct GoldenVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let hex: String
    let dialect: Dialect
    let kind: MessageKind
    let fields: [String: FieldValue]
    let build: @Sendable () throws -> Message
    var testDescription: String { name }
  }

  static func header(_ type: UInt64, _ fields: [String: FieldValue]) -> [String: FieldValue] {
    fields.merging(["magic": .text("TELE"), "msg_type": .unsigned(type), "version": .unsigned(1)]) { $1 }
  }

  static let vectors = [
    Vector(
      name: "HAPTIC intensity 0.5", hex: "54454c4507010000003f0000", dialect: .teleUDP, kind: .haptic,
      fields: header(7, ["intensity": .float(0.5), "channel": .unsigned(0), "reserved": .unsigned(0)]),
      build: { try .haptic(intensity: 0.5) }),
    Vector(
      name: "HELLO session 0x01020304, code ABC123", hex: "54454c450101040302014142433132330000", dialect: .teleUDP,
      kind: .hello,
      fields: header(1, ["session_id": .unsigned(0x0102_0304), "code": .text("ABC123"), "reserved": .unsigned(0)]),
      build: { try .hello(sessionID: 0x0102_0304, code: "ABC123") }),
    Vector(
      name: "ACK OK, udp-v1", hex: "54454c4502010000", dialect: .teleUDP, kind: .ack,
      fields: header(2, ["status": .unsigned(0), "reserved": .unsigned(0)]), build: { .ack(.ok) }),
    Vector(
      name: "ACK OK, tcp-v1, versions 1…1", hex: "54454c450201000001010000", dialect: .teleTCP, kind: .ackTCP,
      fields: header(
        2,
        [
          "status": .unsigned(0), "reserved": .unsigned(0), "min_version": .unsigned(1), "max_version": .unsigned(1),
          "reserved2": .unsigned(0),
        ]), build: { .ackTCP(.ok) }),
    Vector(
      name: "BYE 0xdeadbeef", hex: "54454c450401efbeadde", dialect: .teleUDP, kind: .bye,
      fields: header(4, ["session_id": .unsigned(0xdead_beef)]), build: { .bye(sessionID: 0xdead_beef) }),
    Vector(
      name: "CMD recording start", hex: "54454c4505010101", dialect: .teleUDP, kind: .cmd,
      fields: header(5, ["cmd_type": .unsigned(1), "value": .unsigned(1)]), build: { .cmd(Cmd.recording, true) }),
    Vector(
      name: "HEARTBEAT 7, 3500 ms", hex: "54454c45060107000000ac0d0000", dialect: .teleBLE, kind: .heartbeat,
      fields: header(6, ["counter": .unsigned(7), "uptime_ms": .unsigned(3_500)]),
      build: { .heartbeat(counter: 7, uptimeMilliseconds: 3_500) }),
    Vector(
      name: "BEACON voodooX7 on 50000", hex: "54454c45080150c30800766f6f646f6f5837", dialect: .teleUDP, kind: .beacon,
      fields: header(
        8,
        [
          "tcp_port": .unsigned(50_000), "name_len": .unsigned(8), "reserved": .unsigned(0), "name": .text("voodooX7"),
        ]), build: { try .beacon(tcpPort: 50_000, name: "voodooX7") }),
    Vector(
      name: "CONFIG {}", hex: "54454c45090102007b7d", dialect: .teleTCP, kind: .config,
      fields: header(9, ["config_len": .unsigned(2), "config": .text("{}")]), build: { try .config("{}") }),
  ]

  @Test("The bytes decode to these fields without findings", arguments: vectors)
  func decodes(_ vector: Vector) throws {
    let (message, findings) = Message.decode(hex(vector.hex).span.bytes, as: vector.dialect)
    #expect(findings == [])
    let decoded = try #require(message)
    #expect(decoded.kind == vector.kind)
    let fields = vector.kind.layout.fields.map { ($0.name, decoded.value(of: $0.name)) }
    #expect(Dictionary(fields) { first, _ in first } == vector.fields.mapValues(Optional.some))
  }

  @Test("The sender's constructor gives these bytes", arguments: vectors)
  func encodes(_ vector: Vector) throws {
    #expect(try Hex.text(vector.build().bytes) == vector.hex)
  }

  @Test("The fields by name give these bytes", arguments: vectors)
  func encodesByName(_ vector: Vector) throws {
    #expect(try Hex.text(Message(vector.kind, fields: vector.fields).bytes) == vector.hex)
  }

  @Test("A frame of tcp-v1 is the length and the message")
  func framed() throws {
    #expect(try Hex.text(Message.haptic(intensity: 0.5).framed(as: .teleTCP)) == "0c0054454c4507010000003f0000")
  }

  @Test("POSE has the layout of the table, with unaligned floats")
  func pose() throws {
    let pose = try Message.pose(
      seq: 0x0201, timestampMicroseconds: 0x0807_0605_0403_0201, movementStart: true, position: [1, 2, 3],
      orientation: [0, 0, 0, 1])
    #expect(
      Hex.text(pose.bytes) == "54454c450301" + "0102" + "0102030405060708" + "0100" + "0000803f" + "00000040"
        + "00004040" + "000000000000000000000000" + "0000803f")
    #expect(pose.value(Pose.fields.seq) == 0x0201)
    #expect(pose.value(Pose.fields.timestamp) == 0x0807_0605_0403_0201)
    #expect(pose.value(Pose.fields.flags) == Pose.movementStart)
    #expect(pose.value(Pose.fields.z) == 3)
    #expect(pose.value(Pose.fields.qw) == 1)
  }
}
