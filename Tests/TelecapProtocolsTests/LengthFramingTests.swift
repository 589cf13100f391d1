import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Lengths before the messages of a TCP stream, of each type, and messages that a delimiter ends.
@Suite("The frames of messages over TCP") struct LengthFramingTests {
  /// A lamp over TCP, in a big-endian file.
  private static func read(_ framing: String, padding: Int = 0) throws -> WireProtocol {
    let pad = padding > 0 ? "\n      - {name: pad, type: bytes \(padding)}" : ""
    return try ProtocolFile.read(
      """
      protocol: lamp
      byte-order: big
      carriers:
        - {name: tcp, over: tcp, port: 7000, framing: \(framing)}
      header:
        - {name: magic, type: text 2, equals: LP, is: identity}
      messages:
        - name: LEVEL
          from: client
          fields:
            - {name: number, type: u16}
            - {name: level, type: f32}\(pad)
      streams:
        - {name: level, message: LEVEL, order: number, values: [level], range: [0, 1]}

      """, file: "lamp.yaml")
  }

  private static func prefix(_ framing: String) throws -> LengthPrefix {
    guard case .length(let prefix)? = try read(framing).dialect(over: .tcp)?.framing else {
      throw WireError.tooLongForFrame(bytes: 0)
    }
    return prefix
  }

  private static func results(_ framing: String, _ system: String) async throws -> [ScenarioResult] {
    let suite = Suite.declared(by: try read(framing))
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    return try await SuiteRunner(model).run(scenarios).scenarios
  }

  @Test("The keys are the type, its byte order, and whether it counts itself")
  func keys() throws {
    #expect(try Self.prefix("length16") == .uint16(shortest: 2), "little-endian in any file")
    #expect(try Self.prefix("{length: u16}") == LengthPrefix(size: 2, byteOrder: .big, shortest: 2))
    #expect(try Self.prefix("{length: u8}") == LengthPrefix(size: 1, byteOrder: .big, shortest: 2))
    #expect(
      try Self.prefix("{length: u24, byte-order: little}") == LengthPrefix(size: 3, byteOrder: .little, shortest: 2))
    #expect(
      try Self.prefix("{length: u32, counts-itself: true}")
        == LengthPrefix(size: 4, byteOrder: .big, countsItself: true, shortest: 2))
  }

  @Test("A message that the length cannot count is refused")
  func tooLong() throws {
    _ = try Self.read("{length: u8}", padding: 247)
    _ = try Self.read("{length: u8, counts-itself: true}", padding: 246)
    for (framing, padding, most) in [("{length: u8}", 248, 255), ("{length: u8, counts-itself: true}", 247, 254)] {
      let error = try #require(throws: YAMLFileError.self) { try Self.read(framing, padding: padding) }
      #expect(error.problem == "LEVEL has \(most + 1) bytes or more, and a length of u8 can count \(most)")
      #expect(error.line == 4)
    }
  }

  private static let framings = [
    "length16", "{length: u8}", "{length: u16}", "{length: u16, counts-itself: true}", "{length: u24}",
    "{length: u32, byte-order: little}", "{length: u32, counts-itself: true}",
  ]

  @Test("The correct models pass, and those that cut the stream wrongly fail", arguments: framings)
  func suite(_ framing: String) async throws {
    for side in ["lamp-host", "lamp-client"] {
      for result in try await Self.results(framing, side) { #expect(result.verdict == .pass, "\(result.scenario.id)") }
    }
    for (fault, scenario) in [("reads-segments", "framing"), ("keeps-rest", "bad-length")] {
      let failed = try await Self.results(framing, "lamp-host+\(fault)").filter { $0.verdict == .fail }
      #expect(failed.contains { $0.scenario.id == "lamp.tcp.\(scenario).level" }, "\(fault)")
    }
  }

  @Test("The correct models of SLIP and COBS pass, and one that ignores escapes fails", arguments: ["slip", "cobs"])
  func stuffing(_ framing: String) async throws {
    for side in ["lamp-host", "lamp-client"] {
      for result in try await Self.results(framing, side) { #expect(result.verdict == .pass, "\(result.scenario.id)") }
    }
    let scenarios = try await Self.results(framing, "lamp-host").map(\.scenario.id)
    #expect(
      ["framing", "resync", "stuffing"].allSatisfy { scenarios.contains("lamp.tcp.\($0).level") }, "\(scenarios)")
    // A receiver that does not decode COBS shows no value at all, of which nothing can be judged.
    guard framing == "slip" else { return }
    let failed = try await Self.results(framing, "lamp-host+ignores-stuffing").filter { $0.verdict == .fail }
    #expect(failed.contains { $0.scenario.id == "lamp.tcp.stuffing.level" })
  }
}
