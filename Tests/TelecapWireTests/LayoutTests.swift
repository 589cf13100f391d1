import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// The tables are sound: what is declared once had better be right.
@Suite struct LayoutTests {
  @Test("The samples include every kind that can be valid")
  func samples() {
    let never: Set<MessageKind> = [.teleUnknown, .teleMalformed, .mouseMalformed]
    #expect(Set(Sample.all.map(\.kind)) == Set(MessageKind.all).subtracting(never))
    for sample in Sample.all {
      #expect(decode(sample.bytes, as: sample.dialect) == (sample.kind, []), "\(sample.testDescription)")
    }
  }

  @Test("Fields follow one another without gap or overlap", arguments: MessageKind.all)
  func offsets(_ kind: MessageKind) {
    var end = 0
    for field in kind.layout.fields {
      #expect(field.offset == end, "\(kind.name).\(field.name)")
      end += field.type.size ?? 0
    }
    #expect(kind.layout.fixedSize == end)
    #expect(kind.layout.fields.dropLast().allSatisfy { $0.type.size != nil }, "only the last may vary in size")
  }

  @Test("Sizes are those of the documents")
  func sizes() {
    let expected: [MessageKind: Int] = [
      .hello: 18, .ack: 8, .ackTCP: 12, .pose: 46, .bye: 10, .cmd: 8, .heartbeat: 14, .haptic: 12, .beacon: 10,
      .config: 8, .bleAuth: 6, .teleUnknown: 6, .teleMalformed: 0, .mouseMovement: 5, .mouseControl: 5, .mouseHID: 6,
      .mouseHIDShort: 5, .mouseMalformed: 0,
    ]
    #expect(expected.count == MessageKind.all.count)
    for kind in MessageKind.all { #expect(kind.layout.fixedSize == expected[kind], "\(kind)") }
  }

  @Test("Names are unique within a message, and can be columns", arguments: MessageKind.all)
  func names(_ kind: MessageKind) {
    let names = kind.layout.fields.map(\.name)
    #expect(Set(names).count == names.count)
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
    #expect((names + [kind.layout.table]).allSatisfy { !$0.isEmpty && $0.allSatisfy(letters.contains) })
  }

  @Test("Every message has a source and a meaning", arguments: MessageKind.all)
  func sources(_ kind: MessageKind) {
    #expect(!kind.layout.source.isEmpty)
    #expect(!kind.layout.meaning.isEmpty)
    #expect(!kind.layout.name.isEmpty)
  }

  @Test("Kinds that share a name share a table, and no others do")
  func tables() {
    let byTable = Dictionary(grouping: MessageKind.all) { $0.layout.table }
    for (table, kinds) in byTable { #expect(Set(kinds.map(\.name)).count == 1, "\(table)") }
    #expect(byTable.count == MessageKind.all.count - 2, "both ACKs and both HID reports")
  }

  @Test("Each type in the header maps to its kind and back")
  func types() {
    for type in UInt8.min...UInt8.max {
      for dialect in [Dialect.teleUDP, .teleTCP, .teleBLE] {
        let kind = decode(Array("TELE".utf8) + [type, 1], as: dialect).kind
        #expect(kind.code == ((1...9).contains(type) ? UInt64(type) : nil))
        #expect((kind == .teleUnknown) == !(1...9).contains(type))
      }
    }
    #expect(decode(hex("54454c450201"), as: .teleTCP).kind == .ackTCP)
    #expect(decode(hex("54454c450201"), as: .teleUDP).kind == .ack)
  }

  @Test("Messages have the direction and transports of the documents")
  func carriers() {
    let up: [MessageKind] = [
      .hello, .pose, .bye, .cmd, .bleAuth, .mouseMovement, .mouseControl, .mouseHID, .mouseHIDShort,
    ]
    let down: [MessageKind] = [.ack, .ackTCP, .heartbeat, .haptic, .beacon, .config]
    for kind in MessageKind.all {
      let expected: Direction = up.contains(kind) ? .clientToServer : down.contains(kind) ? .serverToClient : .unknown
      #expect(kind.layout.direction == expected, "\(kind)")
      #expect(kind.layoutDirection == expected, "\(kind)")
    }
    #expect(MessageKind.pose.layout.dialects == ["udp-v1", "tcp-v1", "ble"])
    #expect(MessageKind.cmd.layout.dialects == ["udp-v1", "tcp-v1", "ble"])
    #expect(MessageKind.haptic.layout.dialects == ["udp-v1", "tcp-v1", "ble"])
    #expect(MessageKind.hello.layout.dialects == ["udp-v1", "tcp-v1"])
    #expect(MessageKind.bye.layout.dialects == ["udp-v1", "tcp-v1"])
    #expect(MessageKind.heartbeat.layout.dialects == ["ble"])
    #expect(MessageKind.config.layout.dialects == ["tcp-v1", "ble"])
    #expect(MessageKind.beacon.layout.dialects == ["udp-v1"])
  }

  @Test("Lengths of text and parts of a quaternion are fields of the same message", arguments: MessageKind.all)
  func references(_ kind: MessageKind) {
    for field in kind.layout.fields {
      #expect((field.type == .variableText) == (field.length != nil), "\(field.name)")
      if let length = field.length?.field { #expect(kind.layout[length]?.type.size.map { $0 <= 2 } == true) }
    }
    #expect(kind.layout.unitQuaternion.allSatisfy { kind.layout[$0]?.type == .f32 })
    #expect(kind.layout.unitQuaternion == (kind == .pose ? ["qx", "qy", "qz", "qw"] : []))
  }

  @Test("Typed fields and rows have the same offsets")
  func typed() {
    #expect(Pose.fields.seq.range == 6..<8)
    #expect(Haptic.fields.intensity.range == 6..<10)
    #expect(Haptic.layout["intensity"] == Haptic.fields.intensity.row)
    #expect(Beacon.layout["name"]?.range(in: 18) == 10..<18)
    #expect(Beacon.layout["name"]?.range(in: 7) == 7..<7)
    #expect(Pose.layout["nothing"] == nil)
  }

  @Test("Rules print as in the reference")
  func rules() {
    #expect(Haptic.fields.intensity.row.rule.description == "0…1")
    #expect(MousePacket.fields.deltaX.row.rule.description == "-127…127")
    #expect(Pose.fields.flags.row.rule.description == "only bits 0x1")
    #expect(Cmd.fields.type.row.rule.description == "1 RECORDING, 2 KEEP_RECORDING")
    #expect(FieldRule.range(-0.5...1e300).description == "-0.5…1e+300")
    #expect(FieldRule.any.description == "")
    #expect(FieldRule.equal(1).description == "= 1")
    #expect(AckStatus.busy.name == "BUSY")
    #expect(AckStatus(rawValue: 9).name == "9")
  }
}
