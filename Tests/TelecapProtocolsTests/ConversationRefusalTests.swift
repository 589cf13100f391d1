import Testing

/// The same for what travels, and for what is made of it.
@Suite("A protocol in a file: errors in messages, sessions and streams") struct ConversationRefusalTests {
  @Test(
    "Messages that cannot be distinguished, or contradict the declaration, are errors",
    arguments: [
      (16, "  - {name: BYE, from: client}", "16:5: message \"BYE\" has no \"type\""),
      (
        16, "  - {name: BYE, type: 256, from: client}",
        "16:23: \"kind\" is uint8, which holds whole numbers from 0 to 255, not 256"
      ),
      (
        16, "  - {name: BYE, type: -1, from: client}",
        "16:23: \"kind\" is uint8, which holds whole numbers from 0 to 255, not -1"
      ),
      (
        16, "  - {name: BYE, type: 1, from: client, fields: [{name: note, type: text 8}]}",
        "16:12: BYE cannot be distinguished from ASK: give it another \"type\" or another identity in \"with\" or another "
          + "fixed size"
      ),
      (
        16, "  - {name: BYE, type: 1, from: client, fields: [{name: note, type: rest}]}",
        "16:12: BYE cannot be distinguished from ASK: give it another \"type\" or another identity in \"with\" or another "
          + "fixed size"
      ),
      (
        16, "  - {name: BYE, type: 3, from: client, with: {magic: OY}}",
        "16:54: the header's \"equals\" gives \"magic\" another value in every message"
      ),
      (
        16, "  - {name: BYE, type: 3, from: client, with: {kind: 3}}",
        "16:47: \"kind\" is the type of each message: \"with\" cannot hold it"
      ),
      (
        16, "  - {name: BYE, type: 3, from: client, with: {version: 2}}",
        "16:56: the header's \"equals\" gives \"version\" another value in every message"
      ),
      (
        16, "  - {name: BYE, type: 3, from: client, with: {versoin: 1}}",
        "16:47: there is no field of the header \"versoin\"; did you mean \"version\"?"
      ),
      (16, "  - {name: BYE, type: 3, from: client, over: []}", "16:46: \"over\" is empty"),
      (
        16, "  - {name: BYE, type: 3, from: client, over: [upd]}",
        "16:47: there is no transport \"upd\"; did you mean \"udp\"?"
      ),
    ] as [(Int, String, String)])
  func messages(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }

  @Test(
    "A session declaration without effect is an error",
    arguments: [
      (
        17, "session: {opens: with-any-message, answered-by: [STATE]}",
        "17:49: a session that any message opens has no \"answered-by\""
      ),
      (
        17, "session: {opens: with-any-message, timeout: 5s}",
        "17:45: a session that any message opens has no \"timeout\""
      ),
      (
        17, "session: {opens: with-any-message, closed-by: BYE}",
        "17:47: a session that any message opens has no \"closed-by\""
      ),
      (
        17, "session: {timeout: 5s}",
        "17:10: \"session\" has neither \"opens\" nor \"asked-by\" with \"answered-by\""
      ),
      (
        17, "session: {asked-by: STATE, answered-by: [STATE]}",
        "17:21: STATE comes from the host: the client asks for a session, and ends it"
      ),
      (17, "session: {asked-by: ASK, answered-by: [BYE]}", "17:40: BYE comes from the client: the host answers"),
      (17, "session: {asked-by: ASK, answered-by: []}", "17:39: \"answered-by\" is empty"),
      (
        17, "session: {asked-by: ASK, answered-by: [STATE], id: di}",
        "17:52: there is no field of ASK \"di\"; did you mean \"id\"?"
      ),
      (
        17, "session: {asked-by: ASK, answered-by: [STATE], id: label}",
        "17:52: \"label\" is char[4], and no unsigned number"
      ),
      (
        17, "session: {asked-by: ASK, answered-by: [STATE], closed-by: STATE}",
        "17:59: STATE comes from the host: the client asks for a session, and ends it"
      ),
      (17, "session: {asked-by: ASK, answered-by: [STATE], timeout: 0}", "17:57: expected 10ms to 86400s, found 0"),
    ] as [(Int, String, String)])
  func session(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }

  @Test(
    "An invalid or repeated stream declaration is an error",
    arguments: [
      (
        19, "  - {name: state, message: STATE, order: number}\n  - {name: state, message: STATE, values: [x]}",
        "20:12: there is a stream \"state\" already"
      ),
      (
        19, "  - {name: header, message: STATE, order: number}",
        "19:12: a stream cannot be called \"header\": requirements of every protocol are"
      ),
      (
        19, "  - {name: robust, message: STATE, order: number}",
        "19:12: a stream cannot be called \"robust\": requirements of every protocol are"
      ),
      (
        19, "  - {name: a.b, message: STATE, order: number}",
        "19:12: a stream's name is a lower-case letter, then lower-case letters, digits and -, found \"a.b\""
      ),
      (
        19, "  - {name: state, message: STAET, order: number}",
        "19:28: there is no message \"STAET\"; did you mean \"STATE\"?"
      ),
      (19, Toy.state("order: x"), "19:42: \"x\" is float32, and no unsigned number"),
      (19, Toy.state("order: y"), "19:42: \"y\" is int16, and no unsigned number"),
      (19, Toy.state("order: crc32"), "19:42: \"crc32\" is the crc32 of each message: a stream cannot use it"),
      (19, Toy.state("order: numbr"), "19:42: there is no field of STATE \"numbr\"; did you mean \"number\"?"),
      (19, Toy.state("order: number, key: [x]"), "19:56: \"x\" is float32, and no unsigned number"),
      (
        19, Toy.state("order: number, key: [slot, slot]"),
        "19:62: \"slot\" is in the stream twice: a field is its order, of its key or a value"
      ),
      (
        19, Toy.state("order: number, key: [number]"),
        "19:56: \"number\" is in the stream twice: a field is its order, of its key or a value"
      ),
      (
        19, Toy.state("order: number, key: [slot, state, version, kind]"),
        "19:69: \"version\" is the constant of each message: a stream cannot use it"
      ),
      (19, Toy.state("values: [magic]"), "19:44: \"magic\" is char[2], and no number"),
      (
        19, Toy.state("values: [x, x]"),
        "19:47: \"x\" is in the stream twice: a field is its order, of its key or a value"
      ),
      (
        19, Toy.state("key: [slot]"),
        "19:5: the stream does not define which STATE is applied: add \"order\" or \"values\""
      ),
      (
        19, Toy.state("order: number, range: [0, 1]"),
        "19:57: \"range\" is about applied values, and there are no \"values\""
      ),
      (
        19, Toy.state("order: number, silence: 1s"),
        "19:59: \"silence\" is about applied values, and there are no \"values\""
      ),
      (19, Toy.state("values: [x], range: [1, 0]"), "19:55: range is [smallest, largest]: write [0, 1]"),
      (19, Toy.state("values: [x], range: [.nan, .nan]"), "19:55: range is [smallest, largest], both finite"),
      (
        19, Toy.state("values: [x], range: 1"),
        "19:55: \"range\": expected a list, each entry a number, found \"1\"; for example range: [0, 1]"
      ),
      (19, Toy.state("values: [x], silence: 0"), "19:57: expected 1ms to 3600s, found 0"),
      (19, Toy.state("values: [x], silence: 3601s"), "19:57: expected 1ms to 3600s, found 3601s"),
      (
        19, Toy.state("values: [x], silence: 25h"),
        "19:57: \"silence\": expected a time with its unit, such as 20ms or 1.5s, found \"25h\""
      ),
    ] as [(Int, String, String)])
  func streams(_ line: Int, _ text: String, _ expected: String) {
    #expect(Toy.error(line, text) == expected)
  }
}
