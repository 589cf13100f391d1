import TelecapImpairment
import TelecapLoop
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@Suite struct MessageChangerTests {
  private let haptic: Message
  private let pose: Message

  init() throws {
    haptic = try Message.haptic(intensity: 0.5)
    pose = try Message.pose(
      seq: 65_535, timestampMicroseconds: 7, position: [1, 2, 3], orientation: [0, 0, 0, 1])
  }

  private static func changer(_ words: String) throws -> MessageChanger {
    try MessageChanger([Tele.wire, Mouse.wire], Impairments(parsing: words))
  }

  private static func wish(hostile draw: UInt64? = nil, sets: UInt8 = 0) -> RequestedChanges {
    var wish = RequestedChanges()
    (wish.hostile, wish.sets) = (draw, sets)
    return wish
  }

  /// Every change that may be drawn for a message, with the bytes that it makes.
  private static func drawn(_ message: Message, _ dialect: Dialect) throws -> [(
    name: String, value: String, bytes: [UInt8]
  )] {
    let changer = try changer("--hostile 100%")
    var drawn: [(name: String, value: String, bytes: [UInt8])] = []
    for step in 0..<4_096 {
      let wish = wish(hostile: UInt64(step) << 52)
      let changes = changer.changes(wish, of: message.bytes.span.bytes, as: dialect)
      #expect(changes.count == 1 && changes[0].isHostile)
      let name = try #require(changer.names.name(of: changes[0].field))
      let value = changes[0].value.description
      guard drawn.last.map({ $0.name != name || $0.value != value }) ?? true else { continue }
      var bytes = message.bytes
      try changer.apply(changes, to: &bytes, as: dialect)
      #expect(bytes != message.bytes, "\(name) \(value) changes nothing")
      drawn.append((name, value, bytes))
    }
    return drawn
  }

  @Test("A field that only the other side sends is an error; one of both or of unknown sides is none")
  func sides() throws {
    func check(_ words: String, _ sides: Set<Side>) throws {
      try MessageChanger.check(Impairments(parsing: words), of: [Tele.wire], sentBy: sides)
    }
    let words = "set intensity=2 changes nothing: HAPTIC has this field, which goes the other way"
    #expect(throws: FieldProblem(words)) { try check("--set intensity=2", [.client]) }
    #expect(throws: FieldProblem.self) { try check("--set seq=2", [.host]) }
    for sides in [[.host], [.client, .host]] as [Set<Side>] { try check("--set intensity=2", sides) }
    try check("--set version=2", [.client])
  }

  @Test("Fuzzing a haptic strength covers its limits, NaN and the largest numbers")
  func haptics() throws {
    let drawn = try Self.drawn(haptic, .teleUDP)
    let strengths = Set(drawn.filter { $0.name == "intensity" }.map(\.value))
    #expect(
      strengths.isSuperset(of: [
        "0.0", "-0.0", "-1e-45", "1e-45", "1.0", "1.0000001", "0.99999994", "1.5", "-0.5", "bits:7fc00000",
        "bits:7f800000",
        "bits:ff800000", "3.4028235e+38",
      ]))
    let fields = Set(drawn.map(\.name))
    #expect(fields == ["magic", "msg_type", "version", "intensity", "channel", "reserved", "bytes"])
    let sizes = drawn.filter { $0.name == "bytes" }
    #expect(sizes.map(\.bytes.count).sorted() == [6, 11, 13])
    #expect(drawn.filter { $0.name != "bytes" }.allSatisfy { $0.bytes.count == 12 })
  }

  @Test("Fuzzing a pose's seq covers the next number and half its range, in its own width")
  func sequence() throws {
    let drawn = try Self.drawn(pose, .teleUDP)
    #expect(
      Set(drawn.filter { $0.name == "seq" }.map(\.value)) == ["0", "65534", "16383", "32766", "32767", "32768"])
    #expect(Set(drawn.map(\.name)).isSuperset(of: ["x", "y", "z", "qx", "qy", "qz", "qw", "timestamp_us", "flags"]))
    #expect(drawn.contains { $0.name == "qw" && $0.value == "-1.0" })
  }

  @Test("A change affects its own field and no other byte")
  func ownBytes() throws {
    for one in try Self.drawn(pose, .teleUDP) where one.name != "bytes" {
      let range = try #require(MessageKind.pose.layout[one.name]).range(in: 46)
      for place in 0..<46 where !range.contains(place) {
        #expect(one.bytes[place] == pose.bytes[place], "\(one.name) \(one.value)")
      }
    }
  }

  @Test(
    "A set field contains the bytes of the given value",
    arguments: [
      ("intensity=1.5", [UInt8]([0, 0, 0xc0, 0x3f])), ("intensity=nan", [0, 0, 0xc0, 0x7f]),
      ("intensity=-inf", [0, 0, 0x80, 0xff]), ("intensity=2", [0, 0, 0, 0x40]),
      ("intensity=bits:7fa00001", [1, 0, 0xa0, 0x7f]), ("intensity=-0.0", [0, 0, 0, 0x80]),
    ])
  func set(_ text: String, _ expected: [UInt8]) throws {
    let changer = try Self.changer("--set \(text)")
    let (haptic, pose) = (haptic.bytes, pose.bytes)
    let changes = changer.changes(Self.wish(sets: 1), of: haptic.span.bytes, as: .teleUDP)
    var bytes = haptic
    try changer.apply(changes, to: &bytes, as: .teleUDP)
    #expect(Array(bytes[6..<10]) == expected)
    let none = changer.changes(Self.wish(sets: 1), of: pose.span.bytes, as: .teleUDP)
    #expect(none.isEmpty)
  }

  @Test("Text is set as text, and shorter text is padded")
  func text() throws {
    let hello = try Message.hello(sessionID: 1, code: "ABC123")
    let changer = try Self.changer("--set code=ZZ9")
    var bytes = hello.bytes
    try changer.apply(changer.changes(Self.wish(sets: 1), of: bytes.span.bytes, as: .teleUDP), to: &bytes, as: .teleUDP)
    #expect(Message(keeping: bytes, as: .teleUDP).value(of: "code") == .text("ZZ9"))
  }

  @Test(
    "A value that its field cannot hold is an error before anything is sent",
    arguments: [
      ("intensty=1", #"no message here has a field "intensty"; did you mean "intensity"?"#),
      ("channel=256", "HAPTIC.channel is uint8: it cannot hold 256"),
      ("channel=1.5", "HAPTIC.channel is uint8: it cannot hold 1.5"),
      ("channel=bits:0001", "HAPTIC.channel is uint8: it cannot hold bits:0001"),
      (
        "intensity=high",
        #""high" is no value of HAPTIC.intensity: expected a number such as 1.5, nan or bits:7fc00000"#
      ),
      ("code=TOOLONG", "HELLO.code is char[6]: it cannot be set to TOOLONG"),
      ("bytes=0", "a message has 1 to 65507 bytes, not 0"),
    ])
  func refused(_ text: String, _ words: String) {
    #expect {
      try Self.changer("--set \(text)")
    } throws: { "\($0)" == words }
  }

  @Test("Unknown messages stay unchanged, and a plan that changes a missing field gets an error")
  func notUnderstood() throws {
    let changer = try Self.changer("--hostile 100% --set intensity=1")
    let noise: [UInt8] = [1, 2, 3]
    for message in [noise, Array("TELX".utf8)] {
      let changes = changer.changes(Self.wish(hostile: 0, sets: 1), of: message.span.bytes, as: .teleUDP)
      #expect(changes.isEmpty)
    }
    var changes = FieldChanges()
    changes.put(FieldChange(field: try #require(changer.names.number(of: "intensity")), .integer(1)))
    var bytes = pose.bytes
    #expect(throws: FieldProblem(#"it holds POSE, which has no field "intensity""#)) {
      try changer.apply(changes, to: &bytes, as: .teleUDP)
    }
  }
}
