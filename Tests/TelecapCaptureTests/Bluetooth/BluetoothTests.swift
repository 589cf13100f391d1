import Foundation
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// From frames of Bluetooth to messages.
@Suite struct BluetoothTests {
  @Test("A conversation becomes messages in a session")
  func aConversationBecomesMessagesInASession() throws {
    let (seen, attributes, sessions) = try BluetoothTalk.teleoperation().dissected()
    let counts = Dictionary(grouping: seen.kinds) { $0.name }.mapValues(\.count)
    #expect(counts == ["AUTH": 1, "CONFIG": 1, "CMD": 1, "HEARTBEAT": 3, "POSE": 60, "HAPTIC": 20])
    #expect(seen.findings == [] && seen.misplaced == [])
    #expect(seen.messages.allSatisfy { $0.direction == $0.kind.layoutDirection })
    let session = try #require(sessions.first)
    #expect(sessions.count == 1 && session.carrier == .ble && session.opened == Timestamp(nanoseconds: 30_000_000))
    #expect(session.server.description == "[5c:f3:70:01:02:03]:64")
    // The session begins with the first HEARTBEAT: AUTH came before.
    #expect(seen.messages.filter { $0.session == 0 }.map(\.kind) == [.bleAuth])
    #expect(
      attributes.rows.map { [Int($0.handle), $0.count, $0.unknown] } == [
        [0x11, 1, 0], [0x13, 60, 0], [0x17, 1, 0], [0x15, 3, 0], [0x19, 20, 0], [0x1b, 1, 0],
      ])
    #expect(attributes.note == nil)
  }

  @Test("Silence of the host ends the session")
  func aSilenceOfTheHostEndsTheSession() throws {
    let builder = BluetoothFrameBuilder(.teleBLE)
    for (gap, count) in [(3_000, 1), (3_001, 2)] as [(Int64, Int)] {
      var talk = BluetoothTalk()
      talk.add(builder.opening(link: 1, to: BluetoothTalk.host))
      for time in [0, gap] {
        let beat = Message.heartbeat(counter: 0, uptimeMilliseconds: 0).bytes
        talk.add(builder.value(beat, link: 1, isFromClient: false), at: 10 + time)
      }
      #expect(try talk.dissected().2.count == count, "\(gap) ms")
    }
  }

  @Test("Mouse reports are decoded in both forms")
  func reportsOfAMouseInBothForms() throws {
    let (seen, _, _) = try BluetoothTalk.drag().dissected()
    #expect(seen.messages.count == 23 && seen.findings == [])
    #expect(Set(seen.kinds) == [.mouseHID, .mouseHIDShort])
    #expect(seen.messages.filter { $0.kind == .mouseHIDShort }.map(\.bytes) == [[1, 0x2c, 1, 0xfe, 0xff]])
  }

  /// Every frame cut at every byte: what is cut is damaged or goes on waiting, and nothing traps.
  @Test("No truncation traps or misplaces a message")
  func everyTruncation() throws {
    let whole = try BluetoothTalk.teleoperation()
    for place in whole.frames.indices.prefix(40) {
      for count in 0..<whole.frames[place].bytes.count {
        var talk = whole
        talk.frames = Array(whole.frames.prefix(41))
        talk.frames[place].bytes = Array(whole.frames[place].bytes.prefix(count))
        let seen = try talk.dissected().seen
        #expect(seen.misplaced == [])
      }
    }
  }

  @Test("Without discovery the handle of a message can be given as an option")
  func withoutDiscoveryAPersonSaysWhoseAHandleIs() throws {
    var talk = try BluetoothTalk.teleoperation()
    talk.frames.removeAll { $0.time == .zero }
    let (seen, attributes, _) = try talk.dissected()
    #expect(seen.messages == [])
    #expect(
      attributes.note?.contains("0x0013 (60 writes), 0x0019 (20 notifications), 0x0015 (3 notifications)") == true)
    let pose = try #require(BLECharacteristic.allCases.first { $0.kind == .pose })
    let named = try talk.dissected(ports: Ports.standard.with([Ports.attributePrefix + pose.uuid.lowercased(): 0x13]))
    #expect(named.seen.messages.count == 60 && Set(named.seen.kinds) == [.pose])
    // Stored with the ports of a capture.
    let ports = Ports.standard.with([Ports.attributePrefix + pose.uuid.lowercased(): 0x13])
    #expect(Ports.standard.with(ports.numbers) == ports)
  }

  @Test("Find Information maps handles, too")
  func findInformationNamesHandlesToo() throws {
    let uuid = try #require(Hex.bytes("1C8FD138FC184846954DE509366AEF64")).reversed()
    var talk = BluetoothTalk()
    let information: [UInt8] = [0x05, 2, 0x22, 0] + uuid
    let pose = try Message(.pose, fields: ["seq": .unsigned(1), "qw": .float(1)]).bytes
    talk.add([Self.acl(information, sent: false), Self.acl([0x12, 0x22, 0] + pose, sent: true)])
    #expect(try talk.dissected().seen.kinds == [.pose])
    // The handles of the other end are others: what the far end writes is the near end's attribute.
    talk.frames[1].bytes = Self.acl([0x12, 0x22, 0] + pose, sent: false)
    #expect(try talk.dissected().seen.kinds == [])
  }

  /// If no message is decoded, the note lists the discovered characteristics; descriptors are none.
  @Test("A capture without messages lists the characteristics that were discovered")
  func whatWasDiscoveredIsTold() throws {
    let uuid = try #require(Hex.bytes("0000FFF000001000800000805F9B34FC")).reversed()
    var talk = BluetoothTalk()
    let information: [UInt8] = [0x05, 1, 0x21, 0, 0x00, 0x2a, 0x23, 0, 0x02, 0x29]
    talk.add([Self.acl(information, sent: false), Self.acl([0x05, 2, 0x22, 0] + uuid, sent: false)])
    let unread = try talk.dissected().seen.unread
    let told = "characteristics that were discovered: 0x0021 2a00, 0x0022 0000fff0-0000-1000-8000-00805f9b34fc"
    #expect(unread.notes(messages: 0).contains(told) && !unread.notes(messages: 1).contains(told))
  }

  @Test("Notifications of several values and signed writes are decoded")
  func notificationsOfSeveralValuesAndSignedWrites() throws {
    let haptic = try Message.haptic(intensity: 0.5).bytes
    let ports = Ports.standard.with(
      Dictionary(
        uniqueKeysWithValues: BLECharacteristic.allCases.map {
          (Ports.attributePrefix + $0.uuid.lowercased(), UInt16($0.rawValue))
        }))
    var talk = BluetoothTalk()
    let two = [0x67, 0, 12, 0] + haptic + [0x67, 0, 12, 0] + haptic
    talk.add([
      Self.acl([0x23] + two, sent: false), Self.acl([0x1d, 0x67, 0] + haptic, sent: false),
      Self.acl([0xd2, 0x66, 0] + Message.cmd(1, true).bytes + [UInt8](repeating: 7, count: 12), sent: true),
    ])
    let (seen, attributes, _) = try talk.dissected(ports: ports)
    #expect(seen.kinds == [.haptic, .haptic, .haptic, .cmd])
    #expect(attributes.rows.map(\.kind) == [.write, .notification, .indication])
  }

  /// A pose is longer than a packet of the smallest size: it is written in parts, which count once they are executed.
  @Test(
    "A long value is written in parts, and counts when it is executed",
    arguments: [
      ([(0, 18), (18, 36), (36, 46)], 1, [.pose]), ([(0, 18), (18, 36), (36, 46)], 0, []),
      ([(0, 18), (36, 46)], 1, [.pose]),
    ] as [([(Int, Int)], UInt8, [MessageKind])])
  func aLongValueIsWrittenInParts(_ parts: [(Int, Int)], _ flags: UInt8, _ expected: [MessageKind]) throws {
    let ports = Ports.standard.with([Ports.attributePrefix + BLECharacteristic.pose.uuid.lowercased(): 0x22])
    let pose = try Message(.pose, fields: ["seq": .unsigned(1), "qw": .float(1)]).bytes
    var talk = BluetoothTalk()
    talk.add(parts.map { Self.acl([0x16, 0x22, 0, UInt8($0.0), 0] + pose[$0.0..<$0.1], sent: true) })
    talk.add([Self.acl([0x18, flags], sent: true), Self.acl([0x18, 1], sent: true)])
    let seen = try talk.dissected(ports: ports).seen
    #expect(seen.kinds == expected)
    // After a gap nothing is read, and the bytes before it are too few.
    #expect(seen.findings.map(\.rule) == (parts.count == 2 ? [.truncated] : []))
  }

  // MARK: - Link types

  /// An ATT packet whole in one ACL packet.
  static func acl(_ attribute: [UInt8], sent: Bool) -> [UInt8] {
    let count = UInt16(attribute.count)
    var list = ByteList()
    list.add([0, 0, 0, sent ? 0 : 1, 2])
    list.add(UInt16(0x40) | (sent ? 0 : 2 << 12), count + 4, count, UInt16(4))
    return list.bytes + attribute
  }

  /// The same conversation without the direction, as Linux's monitor hears it, and with both L2CAP pieces of an ACL packet.
  @Test("Other link types give the same messages", arguments: [LinkType.bluetoothH4, LinkType.bluetoothMonitor])
  func otherFormsOfTheSameTraffic(_ linkType: UInt16) throws {
    var talk = try BluetoothTalk.teleoperation()
    talk.linkType = linkType
    for place in talk.frames.indices {
      let bytes = talk.frames[place].bytes
      let opcode: UInt8 = bytes[4] == 4 ? 3 : bytes[3] == 0 ? 4 : 5
      let head: [UInt8] = linkType == LinkType.bluetoothH4 ? [bytes[4]] : [0, 0, 0, opcode]
      talk.frames[place].bytes = head + bytes.dropFirst(5)
    }
    let (seen, _, sessions) = try talk.dissected()
    #expect(seen.messages.count == 86 && seen.findings == [] && sessions.count == 1)
  }

  /// A link in the air: it begins with CONNECT_IND; a packet that is sent again counts once, though another one came between.
  @Test(
    "Packets captured over the air give the same messages",
    arguments: [LinkType.bluetoothLowEnergy, LinkType.bluetoothLowEnergyWithRadio])
  func inTheAir(_ linkType: UInt16) throws {
    let hasRadio = linkType == LinkType.bluetoothLowEnergyWithRadio
    func air(_ access: UInt32, _ head: UInt8, _ payload: [UInt8], from: UInt16) -> [UInt8] {
      var list = ByteList()
      if hasRadio {
        list.add([0, 0, 0, 0])
        list.add(UInt32(0))
        list.add(from << 7)
      }
      list.add(access)
      list.add([head, UInt8(payload.count)] + payload + [1, 2, 3])
      return list.bytes
    }
    let link: UInt32 = 0x5065_5d2a
    var connect = ByteList()
    connect.add([1, 0, 0, 0, 0, 0xc0] + [2, 0, 0, 0, 0, 0xc0])
    connect.add(link)
    let uuid = try #require(Hex.bytes("1C8FD138FC184846954DE509366AEF64"))
    let pose = try Message(.pose, fields: ["seq": .unsigned(1), "qw": .float(1)]).bytes
    let information: [UInt8] = [20, 0, 4, 0, 0x05, 2, 0x22, 0] + uuid.reversed()
    let write: [UInt8] = [UInt8(pose.count + 3), 0, 4, 0, 0x52, 0x22, 0] + pose
    var talk = BluetoothTalk(linkType: linkType)
    let first = Array(write.prefix(27))
    talk.add([
      air(0x8e89_bed6, 5, connect.bytes + [UInt8](repeating: 0, count: 18), from: 0),
      air(link, 2, information, from: 3), air(link, 2, first, from: 2), air(link, 0b1001, [], from: 3),
      air(link, 2, first, from: 2), air(link, 0b1001, Array(write.dropFirst(27)), from: 2),
      air(link, 0b1001, Array(write.dropFirst(27)), from: 2),
    ])
    let (seen, attributes, _) = try talk.dissected()
    #expect(seen.kinds == [.pose] && seen.findings == [])
    #expect(attributes.rows.map(\.count) == [1])
  }

  @Test("A fragment without its first one is ignored")
  func aPieceWithoutItsBeginningIsPassedOver() throws {
    var talk = try BluetoothTalk.teleoperation()
    // The first piece of the first pose is not in the recording.
    let first = try #require(talk.frames.firstIndex { $0.bytes.count == 36 && $0.bytes[5] == 0x40 && $0.bytes[6] == 0 })
    talk.frames.remove(at: first)
    #expect(try talk.dissected().seen.messages.count == 85)
  }

  @Test("A packet with the last sequence bit and bytes is a retransmission; with another bit it is new")
  func aPacketThatIsSentAgain() {
    var reassembler = L2CAPReassembler()
    func emitted(_ bytes: [UInt8], _ sequence: Bool?) -> Int {
      var count = 0
      let piece = BluetoothFrame.Piece(isFirst: true, sequence: sequence)
      reassembler.receive(bytes.span.bytes, piece) { _, _ in count += 1 }
      return count
    }
    let (one, other): ([UInt8], [UInt8]) = ([1, 0, 4, 0, 7], [1, 0, 4, 0, 8])
    #expect(emitted(one, false) == 1)
    #expect(emitted(one, false) == 0)
    #expect(emitted(one, true) == 1)
    #expect(emitted(other, true) == 1)
    #expect(emitted(other + [0], true) == 1)
    // A controller has sorted that out.
    #expect(emitted(other, nil) == 1 && emitted(other, nil) == 1)
  }

  // MARK: - Our captures

  /// `Captures/tele-ble.pcapng` and `mouse-hid.pcapng` are these conversations; `TELECAP_RECORD=1` writes them.
  @Test("The captures are these conversations", arguments: ["tele-ble", "mouse-hid"])
  func theCapturesAreTheseConversations(_ name: String) throws {
    let talk = name == "tele-ble" ? try BluetoothTalk.teleoperation() : BluetoothTalk.drag()
    let folder = try Folder()
    var writer = try PcapngWriter(path: folder["new.pcapng"], tool: "telecap", comment: "made from the models")
    try writer.add(Interface(name: "bluetooth0", linkType: talk.linkType))
    for (place, frame) in talk.frames.enumerated() {
      let header = PacketHeader(
        number: place + 1, time: frame.time, originalLength: frame.bytes.count, linkType: talk.linkType)
      try writer.write(header, frame.bytes.span.bytes)
    }
    try writer.finish()
    let file = Project.file("Captures/\(name).pcapng")
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try Data(contentsOf: URL(filePath: folder["new.pcapng"])).write(to: file)
      Issue.record("\(name).pcapng was written: dissect it into \(name).json, and run the test again")
    }
    #expect(try Data(contentsOf: URL(filePath: folder["new.pcapng"])) == Data(contentsOf: file))
  }
}
