import TelecapConformance
import TelecapImpairment
import TelecapLoop
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Datagrams with bundles of OSC (`several: osc-bundle`), in the protocol VMC.
@Suite("Bundles of OSC") struct OSCBundleTests {
  /// Facts: the bundle that python-osc 1.10.2 builds of BLEND, BLEND_APPLY and TIME.
  private static let published = """
    2362756e646c65000000000000000001000000202f564d432f4578742f426c656e642f56616c00002c7366004a6f79003f4000000000001c2f564d\
    432f4578742f426c656e642f4170706c79000000002c000000000000142f564d432f4578742f5400002c66000041480000
    """

  private static func vmc() throws -> WireProtocol { try ProtocolVectorTests.declared("vmc") }

  private static func names(_ datagram: [UInt8], _ owner: WireProtocol) -> [String] {
    var names: [String] = []
    owner.dialects[0].eachMessage(of: datagram.span.bytes) { part in
      let (kind, error) = MessageDecoder.check(part, as: owner.dialects[0])
      names.append(kind.name + (error.map { " \($0.id)" } ?? ""))
    }
    return names
  }

  private static func time(_ seconds: Float, _ owner: WireProtocol) throws -> [UInt8] {
    try Message(#require(owner["TIME"]), fields: ["time": .float(seconds)]).bytes
  }

  /// A bundle with these elements, each after its size.
  private static func bundle(_ elements: [UInt8]...) -> [UInt8] {
    elements.reduce(into: Array("#bundle".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]) { bundle, element in
      bundle += [0, 0, UInt8(element.count >> 8), UInt8(element.count & 0xff)] + element
    }
  }

  @Test("The messages of a bundle are read in their order, and a message without a bundle too")
  func read() throws {
    let owner = try Self.vmc()
    let packet = try #require(Hex.bytes(Self.published))
    #expect(Self.names(packet, owner) == ["BLEND", "BLEND_APPLY", "TIME"])
    let time = try Self.time(12.5, owner)
    #expect(Self.names(time, owner) == ["TIME"])
    #expect(Self.names(Self.bundle(Self.bundle(time, time), time), owner) == ["TIME", "TIME", "TIME"])
    // A bundle without elements has no message.
    #expect(Self.names(Self.bundle(), owner) == [])
    #expect(owner.dialects[0].joined([time, time]) == Self.bundle(time, time))
  }

  @Test("Wherever a bundle is cut, no message after the cut is read, and an element that is not whole is not valid")
  func cut() throws {
    let owner = try Self.vmc()
    let packet = try #require(Hex.bytes(Self.published))
    // The messages end at these bytes.
    let ends = [52, 84, 108]
    for count in 1..<packet.count {
      let names = Self.names(Array(packet.prefix(count)), owner)
      #expect(names.count { !$0.contains(" ") } == ends.count { $0 <= count }, "\(count) bytes: \(names)")
    }
  }

  @Test("A size that no element has ends its bundle", arguments: [0, 21, 0xffff_ffff] as [UInt32])
  func wrongSize(_ size: UInt32) throws {
    let owner = try Self.vmc()
    let time = try Self.time(1, owner)
    var packet = Self.bundle(time, time)
    packet.replaceSubrange(40..<44, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * $0)) })
    #expect(Self.names(packet, owner) == ["TIME", "UNKNOWN header.type"])
  }

  @Test("Bundles in one another end after sixteen")
  func deep() throws {
    let owner = try Self.vmc()
    let time = try Self.time(1, owner)
    let packet = (0..<16).reduce(time) { packet, _ in Self.bundle(packet) }
    #expect(Self.names(packet, owner) == ["TIME"])
    #expect(Self.names(Self.bundle(packet), owner) == ["UNKNOWN header.type"])
  }

  @Test("A message of another size changes the sizes of the bundles around it")
  func replaced() throws {
    let owner = try Self.vmc()
    let (time, blend) = (try Self.time(1, owner), Message(empty: try #require(owner["ROOT"])).bytes)
    let dialect = owner.dialects[0]
    let packet = Self.bundle(Self.bundle(time, time), time)
    var ranges: [Range<Int>] = []
    dialect.eachMessageRange(of: packet.span.bytes) { ranges.append($0) }
    #expect(
      ranges.map { dialect.replacing($0, of: packet, with: blend) } == [
        Self.bundle(Self.bundle(blend, time), time), Self.bundle(Self.bundle(time, blend), time),
        Self.bundle(Self.bundle(time, time), blend),
      ])
    #expect(dialect.replacing(0..<time.count, of: time, with: blend) == blend)
  }

  /// A request for the first field to set.
  private static let first = {
    var wish = RequestedChanges()
    wish.sets = 1
    return wish
  }()

  @Test("A field is set in the first message of a bundle that has it")
  func set() throws {
    let owner = try Self.vmc()
    let changer = try MessageChanger([owner], Impairments(parsing: "--set value=0.25"))
    let packet = try #require(Hex.bytes(Self.published))
    // An address that nobody declared, before the others.
    let unknown = Self.bundle(Array("/x\u{0}\u{0}".utf8), packet)
    for (datagram, values) in [
      (packet, [0.25, nil, nil]), (Array(packet[20..<52]), [0.25]), (unknown, [nil, 0.25, nil, nil]),
    ]
      as [([UInt8], [Float?])]
    {
      var bytes = datagram
      let changes = changer.changes(Self.first, of: bytes.span.bytes, as: owner.dialects[0])
      try changer.apply(changes, to: &bytes, as: owner.dialects[0])
      var set: [FieldValue?] = []
      owner.dialects[0].eachMessage(of: bytes.span.bytes) { part in
        set.append(Message.decode(part, as: owner.dialects[0]).message?.value(of: "value"))
      }
      #expect(set == values.map { $0.map { .float($0) } })
    }
    // The first message has no such field.
    let time = try MessageChanger([owner], Impairments(parsing: "--set time=2"))
    var bytes = packet
    let changes = time.changes(Self.first, of: bytes.span.bytes, as: owner.dialects[0])
    try time.apply(changes, to: &bytes, as: owner.dialects[0])
    #expect(bytes.suffix(4) == [0x40, 0, 0, 0] && bytes.dropLast(4) == packet.dropLast(4))
  }

  @Test("A receiver that reads only the first message of a bundle fails")
  func suite() async throws {
    let suite = Suite.declared(by: try Self.vmc())
    for (system, failures) in [
      ("marionette", []), ("marionette+reads-first", ["vmc.udp.several"]),
    ] as [(String, Set<String>)] {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      let failed = Set(results.filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
      #expect(failed.subtracting(["vmc.robust.mutations"]) == failures, "\(system)")
    }
  }
}
