import Testing

/// Typing errors and hostile input: each gives an error with its position and cause, never a trap, and no key without
/// effect is ignored.
@Suite("A protocol in a file: errors in names and fields") struct FieldRefusalTests {
  @Test("A valid file has no error")
  func aRightFileHasNone() { #expect(Toy.error(1, "protocol: toy") == nil) }

  @Test(
    "An invalid or repeated name is an error",
    arguments: [
      (
        1, "protocol: tele",
        "1:11: there is a protocol \"tele\" already, and this is another: sides is "
          + "\"client tele-client, host tele-host\" here and \"client phone, host host\" there; give it another name"
      ),
      (1, "protocol: \"\"", "1:11: \"protocol\": a name is lower-case letters and digits, found \"\""),
      (3, "  - {name: tcp, over: udp, port: 4000}", "4:12: there is a transport \"tcp\" already"),
      (
        3, "  - {name: \"it's\", over: udp, port: 4000}",
        "3:12: a carrier's name is a lower-case letter, then lower-case letters, digits and -, found \"it's\""
      ),
      (
        3, "  - {name: udp, over: udp, port: 4000, id: \"a=b\"}",
        "3:44: a port's id is a lower-case letter, then lower-case letters, digits and -, found \"a=b\""
      ),
      (
        3, "  - {name: udp, over: udp, port: 4000, id: tele-udp}",
        "3:44: there is a port \"tele-udp\" already, of tele"
      ),
      (3, "  - {name: udp, over: udp, port: 4000, id: toy-tcp}", "4:12: there is a port \"toy-tcp\" already, of toy"),
      (4, "  - {name: again, over: udp, port: 4000}", "4:36: UDP port 4000 is that of \"udp\" already"),
      (3, "  - {name: udp, over: udp, port: -1}", "3:34: expected a port from 1 to 65535, found -1"),
      (
        3, "  - {name: udp, over: udp, port: 4000, framing: length16}",
        "3:49: over udp each datagram is a message: there is no framing"
      ),
      (2, "carriers: []\nxarriers:", "3:1: unknown key \"xarriers\" in protocol; did you mean \"carriers\"?"),
      (
        10, "  - {name: body, type: u8, is: type}",
        "10:12: a field of the header cannot be called \"body\": findings and captures have another \"body\""
      ),
      (
        10, "  - {name: truncated, type: u8, is: type}",
        "10:12: a field of the header cannot be called \"truncated\": findings and captures have another \"truncated\""
      ),
      (
        14, Toy.ask("{name: Label, type: text 4}"),
        "14:79: a field's name is a lower-case letter, then lower-case letters, digits and _, found \"Label\"; "
          + "did you mean \"label\"?"
      ),
      (
        14, Toy.ask("{name: 2nd, type: text 4}"),
        "14:79: a field's name is a lower-case letter, then lower-case letters, digits and _, found \"2nd\""
      ),
      (
        14, Toy.ask("{name: \"a b\", type: text 4}"),
        "14:79: a field's name is a lower-case letter, then lower-case letters, digits and _, found \"a b\"; did you mean \"a_b\"?"
      ),
      (
        14, Toy.ask("{name: é, type: text 4}"),
        "14:79: a field's name is a lower-case letter, then lower-case letters, digits and _, found \"é\""
      ),
      (
        16, "  - {name: state, type: 3, from: client}",
        "16:12: \"state\" and \"STATE\" differ only in case, which captures ignore: give it another name"
      ),
      (16, "  - {name: STATE, type: 3, from: client}", "16:12: there is a message \"STATE\" already"),
      (
        16, "  - {name: Unknown, type: 3, from: client}",
        "16:12: a message cannot be called \"Unknown\": captures use this name for payloads that are no message of the protocol"
      ),
      (
        16, "  - {name: MALFORMED, type: 3, from: client}",
        "16:12: a message cannot be called \"MALFORMED\": captures use this name for payloads that are no message of the protocol"
      ),
      (
        16, "  - {name: \"BYE'\", type: 3, from: client}",
        "16:12: a message's name is letters, digits and _, found \"BYE'\""
      ),
    ] as [(Int, String, String)])
  func names(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }

  @Test(
    "An unknown key is an error at every depth",
    arguments: [
      (3, "  - {name: udp, over: udp, prot: 4000, port: 4000}", "carrier; did you mean \"port\"?"),
      (6, "  - {name: magic, type: text 2, equal: TY, is: identity}", "field; did you mean \"equals\"?"),
      (12, "  place: [{name: slot, tpye: u8}]", "field; did you mean \"type\"?"),
      (16, "  - {name: BYE, type: 3, form: client, from: client}", "message; did you mean \"from\"?"),
      (14, Toy.ask("{name: label, type: text 4, untis: m}"), "field; did you mean \"unit\"?"),
      (17, "session: {asked-by: ASK, answerd-by: [STATE]}", "session; did you mean \"answered-by\"?"),
      (19, Toy.state("ordre: number"), "stream; did you mean \"order\"?"),
    ] as [(Int, String, String)])
  func keys(_ line: Int, _ text: String, _ expected: String) throws {
    let error = try #require(Toy.error(line, text))
    #expect(
      error.hasPrefix("\(line):") && error.contains("unknown key") && error.contains("in \(expected)"), "\(error)")
  }

  @Test(
    "A part that contains itself, and an impossible size or offset, are errors",
    arguments: [
      (12, "  place: [{part: place}]", "12:18: the part \"place\" contains itself: \"place\" → \"place\""),
      (
        12, "  place: [{part: other}]\n  other: [{name: slot, type: u8}, {part: place}]",
        "13:42: the part \"place\" contains itself: \"place\" → \"other\" → \"place\""
      ),
      (12, "  place: []", "12:10: the part \"place\" has no fields"),
      (14, Toy.ask("{part: place, at: 14}"), "14:90: \"at\" has no effect next to \"part\", which is used alone"),
      (
        14, Toy.ask("{part: place, name: label}"), "14:92: \"name\" has no effect next to \"part\", which is used alone"
      ),
      (14, Toy.ask("{part: plaec}"), "14:79: there is no part \"plaec\"; did you mean \"place\"?"),
      (
        14, Toy.ask((0..<64).map { "{name: t\($0), type: text 1024}" }.joined(separator: ", ")),
        "14:1959: \"t63\" ends at byte 65550 of ASK; a message has at most 65507"
      ),
      (
        14, Toy.ask((0..<250).map { "{name: t\($0), type: u8}" }.joined(separator: ", ")),
        "14:5945: ASK has more than 255 fields"
      ),
    ] as [(Int, String, String)])
  func parts(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }

  @Test(
    "A header field that contradicts its purpose is an error",
    arguments: [
      (
        6, "  - {name: magic, type: text 2, is: identity}",
        "14:5: \"magic\" has no value in ASK: neither \"equals\" nor \"with\" sets one"
      ),
      (
        6, "  - {name: magic, type: text 9, equals: 123456789, is: identity}",
        "6:41: \"magic\" is char[9]; a constant has at most 8 bytes"
      ),
      (
        6, "  - {name: magic, type: u8, range: [0, 1], is: identity}",
        "6:36: \"is: identity\" requires \"equals\", or \"with\" in each message, not \"range\""
      ),
      (6, "  - {name: magic, type: rest}", "6:25: a header's fields have a fixed size; \"rest\" has none"),
      (
        7, "  - {name: version, type: u8, equals: 0x1ff, is: constant}",
        "7:39: \"version\" is uint8, which holds whole numbers from 0 to 255, not 0x1ff"
      ),
      (
        7, "  - {name: version, type: i8, equals: -129, is: constant}",
        "7:39: \"version\" is int8, which holds whole numbers from -128 to 127, not -129"
      ),
      (
        7, "  - {name: version, type: u8, equals: -1, is: constant}",
        "7:39: \"version\" is uint8, which holds whole numbers from 0 to 255, not -1"
      ),
      (
        7, "  - {name: version, type: f32, equals: 1, is: constant}",
        "7:40: a constant is a whole number or text; \"version\" is float32"
      ),
      (7, "  - {name: version, type: u8, is: type}", "10:32: \"version\" is the type already: there is one"),
      (7, "  - {name: version, type: u16, is: length}", "8:35: \"version\" is the length already: there is one"),
      (7, "  - {name: version, type: u32, is: crc32}", "9:34: \"version\" is the crc32 already: there is one"),
      (
        8, "  - {name: length, type: text 2, is: length, excluding: 9}",
        "8:38: a length is u8, u16, u24, u32, u64 or bits N; \"length\" is char[2]"
      ),
      (
        8, "  - {name: length, type: i16, is: length, excluding: 9}",
        "8:35: a length is u8, u16, u24, u32, u64 or bits N; \"length\" is int16"
      ),
      (
        8, "  - {name: length, type: u16, is: length, excluding: -1}",
        "8:54: \"excluding\" is a number of bytes from 0, found -1"
      ),
      (
        8, "  - {name: length, type: u16, is: length, excluding: 11}",
        "8:54: the header has 10 bytes: 11 cannot be left out"
      ),
      (8, "  - {name: length, type: u16, excluding: 9}", "8:42: \"excluding\" requires \"is: length\""),
      (
        8, "  - {name: length, type: u16, is: length, equals: 4}",
        "8:51: \"length\" is the length of each message: \"equals\" cannot hold it"
      ),
      (9, "  - {name: crc32, type: u16, is: crc32}", "9:34: a CRC-32 is u32; \"crc32\" is uint16"),
      (
        9, "  - {name: crc32, type: u32, is: crc32, reserved: true}",
        "9:51: \"crc32\" is the crc32 of each message: \"reserved\" cannot hold it"
      ),
      (
        10, "  - {name: kind, type: f32, is: type}",
        "10:33: a type is u8, u16, u24, u32, u64, bits N, text N or text to 0; \"kind\" is float32"
      ),
      (
        10, "  - {name: kind, type: u8}",
        "14:23: no field of the header \"is: type\": no field has the number; write \"is: type\" at the one that has it"
      ),
      (
        10, "  - {name: kind, type: u8, is: typ}",
        "10:32: \"is\": expected one of identity, constant, type, length, crc32, found \"typ\"; did you mean \"type\"?"
      ),
    ] as [(Int, String, String)])
  func header(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }

  @Test(
    "A field with an invalid type or contradictory keys is an error",
    arguments: [
      (14, Toy.ask("{name: label, type: u8, is: constant, equals: 1}"), "14:100: \"is\" is for fields of the header"),
      (14, Toy.ask("{name: label, type: u8, excluding: 1}"), "14:107: \"excluding\" requires \"is: length\""),
      (
        14, Toy.ask("{name: label, type: text 0}"),
        "14:92: \"text 0\": a field has 1 to 1024 bytes"
      ),
      (
        14, Toy.ask("{name: label, type: text}"),
        "14:92: \"text\" has no size: write \"text N\" with 1 to 1024 bytes, or \"text in FIELD\" with the number that counts them"
      ),
      (
        14, Toy.ask("{name: label, type: text 1025}"),
        "14:92: \"text 1025\": a field has 1 to 1024 bytes; write several fields, or \"rest\" for the last"
      ),
      (
        14, Toy.ask("{name: x, type: f32}, {name: label, type: text in x}"),
        "14:114: there is no number \"x\" before it; there are version, length, crc32, kind, id"
      ),
      (
        14, Toy.ask("{name: label, type: u8, at: -1}"),
        "14:100: \"label\" begins at 14, after the field before it, and not at -1"
      ),
      (
        14, Toy.ask("{name: label, type: u8, equals: 256}"),
        "14:104: \"label\" is uint8, which holds whole numbers from 0 to 255, not 256"
      ),
      (14, Toy.ask("{name: label, type: u8, equals: one}"), "14:104: \"label\" is uint8, which cannot be \"one\""),
      (
        14, Toy.ask("{name: label, type: f64, equals: 1.5}"),
        "14:105: a constant is a whole number or text; \"label\" is float64"
      ),
      (
        14, Toy.ask("{name: label, type: bytes 2, equals: ab}"),
        "14:109: \"label\" is uint8[2], which cannot be \"ab\"; write \"type: text 2\""
      ),
      (
        14, Toy.ask("{name: label, type: text 4, reserved: true}"),
        "14:110: \"reserved\" is for numbers; \"label\" is char[4]"
      ),
      (14, Toy.ask("{name: label, type: u8, finite: true}"), "14:104: \"finite\" is for floats; \"label\" is uint8"),
      (
        14, Toy.ask("{name: label, type: f32, bits: 1}"),
        "14:103: \"bits\" is for whole numbers; \"label\" is float32"
      ),
      (
        14, Toy.ask("{name: label, type: f32, codes: {0: none}}"),
        "14:104: \"codes\" is for whole numbers; \"label\" is float32"
      ),
      (14, Toy.ask("{name: label, type: u8, bits: -1}"), "14:102: \"label\" is uint8, which has no bits -1"),
      (14, Toy.ask("{name: label, type: u8, bits: 0x100}"), "14:102: \"label\" is uint8, which has no bits 0x100"),
      (14, Toy.ask("{name: label, type: u8, codes: {}}"), "14:103: \"codes\" is empty"),
      (
        14, Toy.ask("{name: label, type: u8, codes: {256: much}}"),
        "14:104: \"label\" is uint8, which holds whole numbers from 0 to 255, not 256"
      ),
      (14, Toy.ask("{name: label, type: u8, codes: {-1: less}}"), "14:104: a code is a number from 0, found \"-1\""),
      (14, Toy.ask("{name: label, type: u8, codes: {1: one, 0x1: uno}}"), "14:112: the code 1 is \"one\" already"),
      (14, Toy.ask("{name: label, type: u8, range: [2, 1]}"), "14:103: range is [smallest, largest]: write [1, 2]"),
      (
        14, Toy.ask("{name: label, type: u8, range: [1]}"),
        "14:103: range is two numbers, [smallest, largest], found 1"
      ),
      (
        14, Toy.ask("{name: label, type: u8, range: [0, 256]}"),
        "14:107: \"label\" is uint8, which holds whole numbers from 0 to 255, not 256"
      ),
      (
        14, Toy.ask("{name: label, type: u8, range: [0, 1.5]}"),
        "14:107: \"label\" is uint8, which holds whole numbers from 0 to 255, not 1.5"
      ),
      (
        14, Toy.ask("{name: label, type: u64, range: [0, 9007199254740993]}"),
        "14:108: a bound is a double, which cannot be 9007199254740993; write the nearest, 9007199254740992"
      ),
      (
        14, Toy.ask("{name: label, type: i64, range: [-9223372036854775807, 0]}"),
        "14:105: a bound is a double, which cannot be -9223372036854775807; write the nearest, -9223372036854775808"
      ),
      (14, Toy.ask("{name: label, type: f64, range: [0, .inf]}"), "14:104: range is [smallest, largest], both finite"),
      (
        14, Toy.ask("{name: label, type: f64, range: [.nan, .nan]}"),
        "14:104: range is [smallest, largest], both finite"
      ),
      (
        14, Toy.ask("{name: label, type: f32, range: [0, 1e300]}"),
        "14:108: \"label\" is float32, which cannot be \"1e300\""
      ),
      (
        14, Toy.ask("{name: label, type: u8, range: [0, 1], bits: 1}"),
        "14:103: \"label\" has two rules: bits and range"
      ),
    ] as [(Int, String, String)])
  func fields(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }
}
