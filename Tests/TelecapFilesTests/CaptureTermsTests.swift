import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

/// By which protocols and ports a capture is read: its own, then what was asked for.
@Suite("The protocols and ports by which a capture is read") struct CaptureTermsTests {
  let folder: Folder
  static let port: UInt16 = 41_000

  init() throws { folder = try Folder() }

  /// A protocol of one message with one field.
  static func text(_ name: String = "toy", field: String = "number", port: UInt16 = port, id: String = "toy") -> String
  {
    """
    protocol: \(name)
    carriers: [{name: udp, over: udp, port: \(port), id: \(id)}]
    messages: [{name: STATE, from: host, fields: [{name: \(field), type: u16}]}]
    """
  }

  /// A program that knows TELE, the mouse and these.
  private func files(_ texts: String...) throws -> RecordingFiles {
    .knowing(try texts.map { try ProtocolFile.read($0, file: "x.yaml") })
  }

  /// STATE 1, 2, 3 from this port, and STATE 9 from the next one; captured with a protocol at this port.
  private func capture(at port: UInt16 = port, numbers: [String: UInt16] = [:]) throws -> String {
    var list = PacketList(interface: "test")
    for (index, value) in [1, 2, 3, 9].enumerated() {
      let from = Endpoint(PacketList.host.address, port: value == 9 ? port + 1 : port)
      try list.add(
        [UInt8(value), 0], Flow(.udp, from: from, to: PacketList.phone), at: Timestamp(nanoseconds: Int64(index)))
    }
    let files = try files(Self.text())
    let path = folder["a.telecap"]
    try files.importing(
      .packets(list), named: "a test", into: path, force: true, ports: files.readingPorts(numbers))
    return path
  }

  /// The values of a column in each STATE.
  private func values(_ column: String, _ recording: Recording, where condition: String? = nil) throws -> [CellValue] {
    var values: [CellValue] = []
    _ = try recording.withCapture { reader in
      try reader.forEachRow(of: [column], where: condition) { values.append($1[0]) }
    }
    return values
  }

  @Test("A given declaration of the same name takes precedence, and changes nothing in the capture")
  func otherDeclaration() throws {
    let path = try capture()
    let before = try [UInt8](file: path)
    let asked = try files(Self.text(field: "count")).recording(path)
    #expect(try values("count", asked) == [.integer(1), .integer(2), .integer(3)])
    #expect((1...4).filter(try asked.packets(where: "count > 1").contains) == [2, 3])
    #expect(try asked.summary().summary.types.map(\.type) == ["STATE"])
    #expect(try [UInt8](file: path) == before)
    #expect(try values("number", files().recording(path)) == [.integer(1), .integer(2), .integer(3)])
    // Nor where its own messages are to be derived.
    try files(Self.text(field: "count")).derive(path)
    #expect(try files().reader(path).declarations().last?.text == Self.text())
  }

  @Test("A protocol that the capture was not recorded with is read in addition to its own")
  func beside() throws {
    let path = try capture()
    let before = try [UInt8](file: path)
    let asked = try files(Self.text("other", field: "count", port: Self.port + 1, id: "other")).recording(path)
    #expect(asked.protocols.map(\.name) == ["tele", "mouse", "toy", "other"])
    #expect(try values("count", asked, where: "protocol = 'other'") == [.integer(9)])
    #expect(try [UInt8](file: path) == before)
    // A protocol that was not given is not looked for.
    #expect(try files().recording(path).protocols.map(\.name) == ["tele", "mouse", "toy"])
  }

  @Test("Given ports take precedence over the capture's, also for a protocol that only it has")
  func ports() throws {
    let path = try capture()
    let before = try [UInt8](file: path)
    let moved = try files().recording(path, ports: ["toy": Self.port + 1])
    #expect(try values("number", moved) == [.integer(9)])
    #expect((1...4).filter(try moved.packets(where: "1").contains) == [4])
    let summary = try moved.summary().summary
    #expect(summary.types.map(\.arrivals.count) == [1])
    // It is the same recording.
    #expect(summary.info.source == "a test" && summary.info.ended == Timestamp(nanoseconds: 7))
    #expect(summary.interfaces.map(\.interface.name) == ["test"] && summary.packets == 4)
    #expect(try [UInt8](file: path) == before)
  }

  @Test("A port moved while recording stays moved; otherwise the ports of a given file count")
  func moved() throws {
    let path = try capture(at: 42_000, numbers: ["toy": 42_000])
    #expect(try values("count", files(Self.text(field: "count")).recording(path)).count == 3)
    #expect(try values("count", files(Self.text(field: "count", port: 42_001)).recording(path)).count == 3)
    let plain = try capture()
    #expect(
      try values("count", files(Self.text(field: "count", port: Self.port + 1)).recording(plain)) == [.integer(9)])
  }

  @Test("An unknown port, and a port shared by two protocols, are errors")
  func refused() throws {
    let path = try capture()
    let unknown = #expect(throws: PortProblem.self) { try files().recording(path, ports: ["tou": 1]) }
    #expect(
      unknown.map { "\($0)" }?.hasPrefix("\(path): there is no port \"tou\"; there are tele-beacon (50001), ") == true)
    #expect(unknown.map { "\($0)" }?.hasSuffix(", toy (41000)") == true)
    // The clash is with what the capture alone knows.
    let shared = #expect(throws: PortProblem.self) { try files(Self.text("other", id: "other")).recording(path) }
    #expect(shared.map { "\($0)" } == "\(path): UDP port 41000 is that of toy and of other")
    #expect(shared?.advice == "move one with --port other=NUMBER")
    #expect(throws: PortProblem.self) { try files().recording(path, ports: ["toy": 50_000]) }
    // The second of two at a port is not looked for; the first is.
    #expect(throws: PortProblem.self) { try files().recording(path, ports: ["mouse-udp": 50_000]) }
    #expect(try files().recording(path, ports: ["tele-udp": 8_888]).ports["tele-udp"] == 8_888)
    #expect(throws: PortProblem.self) { try files().readingPorts(["mouse-udp": 50_000]) }
    // A packet to a port with broadcasts cannot be distinguished from a packet to a host there.
    for numbers in [["tele-beacon": 50_000], ["tele-udp": 50_001]] as [[String: UInt16]] {
      let own = #expect(throws: PortProblem.self) { try files().readingPorts(numbers) }
      let port = numbers.values.first ?? 0
      #expect(own.map { "\($0)" } == "UDP port \(port) is that of tele-beacon and of tele-udp")
      #expect(own?.advice == "move one with --port \(numbers.keys.first ?? "")=NUMBER")
    }
    #expect(throws: PortProblem.self) { try files().ports(["toy": 1]) }
    // Nothing would distinguish two of a port's id.
    #expect(throws: (any Error).self) { try files(Self.text("other", port: 9)).recording(path) }
  }
}
