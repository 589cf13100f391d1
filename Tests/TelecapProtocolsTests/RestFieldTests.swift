import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Messages whose last field has no fixed size.
@Suite("Messages of any length") struct RestFieldTests {
  private static func text(_ tail: String) -> String {
    """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 9999}]
    header: [{name: magic, type: u16, equals: 0x7479, is: identity}, {name: kind, type: u8, is: type}]
    messages:
      - name: A
        type: 1
        from: client
        fields: [{name: x, type: u16}, {name: size, type: u8, range: [2, 9]}, \(tail)]
    streams: [{name: a, message: A, values: [x]}]
    """
  }

  private static func findings(_ tail: String, _ bytes: [UInt8]) throws -> [String] {
    let wire = try ProtocolFile.read(text(tail), file: "toy.yaml")
    var findings: [Finding] = []
    _ = MessageDecoder.decode(bytes.span.bytes, as: try #require(wire.dialect(over: .udp)), findings: &findings)
    return findings.map(\.rule.id)
  }

  @Test("A field of the rest takes all bytes up to the end", arguments: 0...4)
  func rest(_ count: Int) throws {
    let bytes: [UInt8] = [0x79, 0x74, 1, 5, 0, 2] + [UInt8](repeating: 7, count: count)
    #expect(try Self.findings("{name: tail, type: rest}", bytes) == [])
  }

  @Test("Bytes after a field with a length are still found, and so is a message that is too short")
  func trailing() throws {
    #expect(
      try Self.findings("{name: tail, type: bytes in size}", [0x79, 0x74, 1, 5, 0, 2, 7, 7, 7]) == ["length.trailing"])
    #expect(try Self.findings("{name: tail, type: rest}", [0x79, 0x74, 1, 5, 0]) == ["length.truncated"])
  }

  @Test(
    "A receiver that ignores the header fails, for any last field of the message",
    arguments: ["{name: tail, type: rest}", "{name: tail, type: bytes in size}", "{name: tail, type: u8}"])
  func headerUnchecked(_ tail: String) async throws {
    let suite = Suite.declared(by: try ProtocolFile.read(Self.text(tail), file: "toy.yaml"))
    for (fault, isRight) in [("", true), ("+header-unchecked", false)] {
      let model = try ModelSystem(parsing: "model:toy-host\(fault)", in: Suites([suite]))
      let results = try await SuiteRunner(model).run(suite.scenarios).scenarios
      let failed = Set(results.filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
      #expect(isRight ? failed.isEmpty : failed.contains("toy.header.magic"), "\(fault): \(failed)")
    }
  }
}
