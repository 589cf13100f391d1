import Testing

/// The checker is tried on lines that are wrong in just the way it looks for.
@Suite struct LiteralPlacesTests {
  @Test(
    "A literal offset is found",
    arguments: [
      ("if bytes[4] == 7 {", "1: bytes[4]"), ("let a = 1\nmessage[0x0c] = 1", "2: message[0x0c]"),
      ("let b = packet.payload[12..<16]", "1: payload[12..<16]"), ("for b in payload[12...] {", "1: payload[12...]"),
      ("return body.dropFirst(12)", "1: body.dropFirst(12)"), ("span.extracting(0..<4)", "1: span.extracting(0..<4)"),
      ("header.extracting(first: 12)", "1: header.extracting(first: 12)"),
    ])
  func found(_ source: String, _ expected: String) throws {
    #expect(try LiteralPlaces.found(in: source) == [expected])
  }

  @Test(
    "An offset from a table or a reader is allowed",
    arguments: [
      "bytes[offset]", "message[Pose.fields.qw]", "// bytes[4] == 7", "words[0]", "parts[1]", "bytes[at..<end]",
      "payload.prefix(limit)", "let bytes: [UInt8]",
    ])
  func notFound(_ source: String) throws {
    #expect(try LiteralPlaces.found(in: source) == [])
  }
}
