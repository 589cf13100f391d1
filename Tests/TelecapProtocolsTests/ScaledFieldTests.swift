import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("Numbers of 24 bits, of their own byte order, and scaled ones") struct ScaledFieldTests {
  /// A camera's position, in the manner of FreeD.
  private static let text = """
    protocol: cam
    byte-order: big
    carriers: [{name: udp, over: udp, port: 40400}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: POSE
        type: 0xd1
        from: client
        fields:
          - {name: camera, type: u8}
          - {name: pan, type: i24, scale: 1/32768, unit: °, range: [-180, 180]}
          - {name: zoom, type: u24}
          - {name: number, type: u16, byte-order: little}
          - {name: heat, type: i16, scale: 0.1, offset: -40, unit: °C}
    streams:
      - {name: pose, message: POSE, order: number, values: [pan, zoom, heat]}
    """

  private static let bytes: [UInt8] = [0xd1, 5, 0xff, 0x40, 0, 1, 2, 3, 0x34, 0x12, 0x02, 0x8f]

  private static func read(_ text: String = text) throws -> WireProtocol {
    try ProtocolFile.read(text, file: "cam.yaml")
  }

  @Test("Scaled values are decoded, with the raw numbers next to them")
  func decoded() throws {
    let owner = try Self.read()
    let message = try #require(Message.decode(Self.bytes.span.bytes, as: owner.dialects[0]).message)
    #expect(message.value(of: "pan") == .double(-1.5))
    #expect(message.value(of: "zoom") == .unsigned(0x010203))
    #expect(message.value(of: "number") == .unsigned(0x1234))
    #expect(message.value(of: "heat") == .double(25.5))
    let raw = message.kind.layout["pan"]?.raw
    #expect(raw?.name == "pan_raw" && raw?.value(in: Self.bytes.span.bytes) == .signed(-49_152))
  }

  @Test("Scaled values are encoded to the nearest raw number")
  func encoded() throws {
    let kind = try #require(try Self.read()["POSE"])
    let fields: [String: FieldValue] = [
      "camera": .unsigned(5), "pan": .double(-1.500001), "zoom": .unsigned(0x010203), "number": .unsigned(0x1234),
      "heat": .double(25.54),
    ]
    #expect(try Message(kind, fields: fields).bytes == Self.bytes)
    for (name, most, least) in [("pan", 8_388_607.0 / 32_768, -256.0), ("heat", 3_236.7, -3_316.8)] {
      for value in [most, least] {
        let written = try Message(kind, fields: [name: .double(value)]).value(of: name)
        #expect(written == .double(value), "\(name) \(value)")
      }
      for value in [most + 0.1, least - 0.1, .nan, .infinity] {
        #expect(throws: WireError.self, "\(name) \(value)") { try Message(kind, fields: [name: .double(value)]) }
      }
    }
    #expect(throws: WireError.self) { try Message(kind, fields: ["zoom": .unsigned(0x100_0000)]) }
  }

  @Test("A value beyond its range is found, and one at the limit is not")
  func range() throws {
    let owner = try Self.read()
    func found(_ raw: Int64) throws -> [String] {
      var message = Message(empty: try #require(owner["POSE"]))
      message.put(bits: UInt64(bitPattern: raw), try #require(message.kind.layout["pan"]))
      return Message.decode(message.bytes.span.bytes, as: owner.dialects[0]).findings.map { "\($0)" }
    }
    for border in [180 * 32_768, -180 * 32_768] as [Int64] { #expect(try found(border) == []) }
    #expect(try found(180 * 32_768 + 1) == ["pan is 180.00003051757812; it must be in -180…180"])
    #expect(try found(-180 * 32_768 - 1) == ["pan is -180.00003051757812; it must be in -180…180"])
  }

  @Test("The right receiver passes, and one that swaps fields fails")
  func applied() async throws {
    let suite = Suite.declared(by: try Self.read())
    for (system, isRight) in [("cam-host", true), ("cam-host+confuses-values", false), ("cam-client", true)] {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      #expect(!results.isEmpty && results.allSatisfy { $0.verdict == .pass } == isRight, "\(system)")
    }
  }

  @Test("A scenario gives the value, and one that the field cannot hold is rejected")
  func scenario() throws {
    let owner = try Self.read()
    let suites = Suites([.declared(by: owner)])
    func sent(_ fields: String) throws -> Message? {
      let text = """
        # A pose.
        requirement: cam.pose.values
        role: cam-host
        steps:
          - {at: 300ms, from: a, send: POSE, with: \(fields)}
        """
      let scenario = try Scenario(text, path: "cam/pose/values/one.yaml", file: "one.yaml", suites: suites)
      guard case .send(let messages, _)? = scenario.steps.last?.work else { return nil }
      return messages.first.map { Message(keeping: $0, as: owner.dialects[0]) }
    }
    let message = try sent("{pan: -1.5, heat: 25.53, zoom: 16777215}")
    #expect(message?.value(of: "pan") == .double(-1.5) && message?.value(of: "heat") == .double(25.5))
    #expect(message?.value(of: "zoom") == .unsigned(0xff_ffff))
    #expect(throws: YAMLFileError.self) { try sent("{pan: 256}") }
    #expect(throws: YAMLFileError.self) { try sent("{zoom: 16777216}") }
  }

  @Test("Every change of a fuzzer stays within the field")
  func hostile() throws {
    let kind = try #require(try Self.read()["POSE"])
    let row = try #require(kind.layout["pan"])
    let changes = kind.hostileChanges.filter { $0.field == row }.map(\.change)
    for bits in [180 * 32_768 + 1, 0x7f_ffff, 0x80_0000] as [UInt64] { #expect(changes.contains(.bits(bits))) }
    #expect(changes.allSatisfy { if case .bits(let bits) = $0 { bits <= 0xff_ffff } else { true } })
  }

  @Test(
    "An impossible scaled field is an error with its line and column",
    arguments: [
      (
        "{name: pan, type: f32, scale: 2}",
        "\"scale\" and \"offset\" are for whole numbers of at most 32 bits; \"pan\" is float32"
      ),
      (
        "{name: pan, type: u64, offset: 2}",
        "\"scale\" and \"offset\" are for whole numbers of at most 32 bits; \"pan\" is uint64; the byte where a field begins is \"at\""
      ),
      (
        "{name: pan, type: u16, scale: 0}",
        "expected a number other than 0, or a fraction such as 1/64, found \"0\""
      ),
      (
        "{name: pan, type: u16, scale: 1/0}",
        "expected a number other than 0, or a fraction such as 1/64, found \"1/0\""
      ),
      (
        "{name: pan, type: u32, scale: 1e305}",
        "the largest values of \"pan\" are no finite numbers: its scale is too large"
      ),
      (
        "{name: pan, type: u16, scale: 2, codes: {1: on}}",
        "\"codes\" is about the number of the wire, and \"pan\" is scaled"
      ),
      (
        "{name: pan, type: u8, scale: 2, range: [0, 511]}",
        "\"pan\" is uint8, which holds values from 0.0 to 510.0, not 511"
      ),
      (
        "{name: pan, type: u8, scale: 2, range: [1, 1.5]}",
        "no number on the wire gives a value in this range: one step of \"pan\" is larger"
      ),
      (
        "{name: pan, type: u8, byte-order: little}",
        "\"byte-order\" is for numbers of several bytes; \"pan\" is uint8"
      ),
      (
        "{name: pan, type: u48}",
        "there is no type \"u48\"; write \"bits 48\""
      ),
    ])
  func refused(_ field: String, _ problem: String) throws {
    let line = "{name: pan, type: i24, scale: 1/32768, unit: °, range: [-180, 180]}"
    let error = #expect(throws: YAMLFileError.self) { try Self.read(Self.text.replacing(line, with: field)) }
    #expect(error?.problem == problem)
    #expect(error?.line == 11)
  }

  @Test("A field named like the raw column of a scaled field is an error")
  func columns() throws {
    for other in [
      "{name: pan_raw, type: u8}, {name: pan, type: u8, scale: 2}",
      "{name: pan, type: u8, scale: 2}, {name: pan_raw, type: u8}",
    ] {
      let text = Self.text.replacing("{name: camera, type: u8}", with: "{part: two}")
        .replacing("pan, type: i24", with: "tilt, type: i24").replacing("values: [pan,", with: "values: [")
        .replacing("messages:", with: "parts: {two: [\(other)]}\nmessages:")
      let error = #expect(throws: YAMLFileError.self) { try Self.read(text) }
      #expect(error?.problem.contains("\"pan_raw\" is there already") == true, "\(error?.problem ?? "")")
    }
  }

  @Test("A scaled order, key, length or type is an error")
  func counts() throws {
    let scaled = Self.text.replacing("type: u16, byte-order: little", with: "type: u16, scale: 2")
    let error = #expect(throws: YAMLFileError.self) { try Self.read(scaled) }
    #expect(error?.problem == "\"number\" is uint16, scaled, and no unsigned number")
    let length = Self.text.replacing("\"", with: "").replacing(
      "streams:", with: "      - {name: rest, type: bytes in heat}\nstreams:")
    #expect(throws: YAMLFileError.self) { try Self.read(length) }
  }
}
