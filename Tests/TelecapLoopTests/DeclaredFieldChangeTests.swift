import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapWire
import Testing

/// Changes of fields that only a protocol of a file has.
@Suite("A changed field that is scaled, has 24 bits or holds a checksum") struct DeclaredFieldChangeTests {
  private static let wire = WireProtocol(
    "cam", title: "A camera",
    messages: [
      Layout(
        "POSE", table: "cam_pose", header: [],
        rows: [
          FieldRow(name: "pan", type: .i24, offset: 0, byteOrder: .big, scale: Scale(factor: 1.0 / 32_768)),
          FieldRow(name: "zoom", type: .u24, offset: 3),
          FieldRow(
            name: "sum", type: .u8, offset: 6, check: Checksum(ChecksumAlgorithm(.sum, bits: 8), from: 0, to: 6)),
          FieldRow(name: "low", type: .bits(BitSlice(count: 3, shift: 0)), offset: 7, byteOrder: .little),
          FieldRow(name: "high", type: .bits(BitSlice(count: 13, shift: 3)), offset: 7, byteOrder: .little),
        ], "", from: .clientToServer, over: ["udp"], source: "")
    ],
    malformed: Layout(
      "MALFORMED", table: "cam_malformed", header: [], rows: [FieldRow(name: "body", type: .rest, offset: 0)], "",
      from: .unknown, over: [], source: ""),
    dialects: [DialectDeclaration("udp", over: "UDP")],
    ports: [PortRow("cam", .udp, 40_400, dialect: "udp", help: "")], recognition: ["udp": Recognition(header: 7)])

  private static let bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 1, 0x0d, 0]

  private static func changed(_ words: String) throws -> [UInt8] {
    let changer = try MessageChanger([wire], Impairments(parsing: "--set \(words)"))
    var wish = RequestedChanges()
    wish.sets = 1
    var changed = bytes
    let changes = changer.changes(wish, of: bytes.span.bytes, as: wire.dialects[0])
    try changer.apply(changes, to: &changed, as: wire.dialects[0])
    return changed
  }

  @Test(
    "A set scaled field gets its value, and the checksum follows",
    arguments: [
      ("pan=-1.5", [0xff, 0x40, 0, 1, 0, 0, 0x40, 0x0d, 0]), ("pan=2", [1, 0, 0, 1, 0, 0, 2, 0x0d, 0]),
      ("pan=bits:ff4000", [0xff, 0x40, 0, 1, 0, 0, 0x40, 0x0d, 0]), ("zoom=66051", [0, 0, 0, 3, 2, 1, 6, 0x0d, 0]),
      ("sum=9", [0, 0, 0, 1, 0, 0, 9, 0x0d, 0]), ("low=2", [0, 0, 0, 1, 0, 0, 1, 0x0a, 0]),
      ("high=8191", [0, 0, 0, 1, 0, 0, 1, 0xfd, 0xff]), ("high=bits:0002", [0, 0, 0, 1, 0, 0, 1, 0x15, 0]),
    ] as [(String, [UInt8])])
  func set(_ words: String, _ expected: [UInt8]) throws {
    #expect(try Self.changed(words) == expected)
  }

  @Test(
    "A value that such a field cannot hold is rejected",
    arguments: ["pan=256", "pan=-256.1", "pan=nan", "zoom=16777216", "zoom=-1", "low=8", "high=8192", "high=bits:2000"])
  func refused(_ words: String) {
    #expect(throws: FieldProblem.self) { try Self.changed(words) }
  }

  @Test("A plan stores the raw number, for any rounding")
  func plan() throws {
    let changer = try MessageChanger([Self.wire], Impairments(parsing: "--hostile 100%"))
    for step in 0..<512 {
      var wish = RequestedChanges()
      wish.hostile = UInt64(step) << 55
      let changes = changer.changes(wish, of: Self.bytes.span.bytes, as: Self.wire.dialects[0])
      var bytes = Self.bytes
      try changer.apply(changes, to: &bytes, as: Self.wire.dialects[0])
      #expect(bytes != Self.bytes)
      for change in changes where changer.names.name(of: change.field) == "pan" {
        guard case .bits(let bits, bytes: 3) = change.value else {
          Issue.record("\(change.value)")
          continue
        }
        #expect(bits <= 0xff_ffff)
      }
    }
  }
}
