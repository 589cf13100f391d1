import TelecapImpairment
import TelecapRecording
import TelecapTestSupport
import Testing

/// Reads a plan in pieces of so many bytes.
func read(_ text: [UInt8], pieces: Int = .max) throws -> (header: PlanHeader?, lines: [PlanLine]) {
  var reader = PlanReader()
  var lines: [PlanLine] = []
  var rest = text[...]
  while !rest.isEmpty {
    let piece = rest.prefix(pieces)
    try reader.read(piece.span.bytes) { lines.append($0) }
    rest = rest.dropFirst(pieces)
  }
  try reader.finish { lines.append($0) }
  return (reader.header, lines)
}

@Suite("Plans as text")
struct PlanTextTests {
  static let header = """
    {"format":"telecap-plan","version":1,"seed":7,"capture":"cbf29ce484222325","where":"type = 'POSE' AND \\"x\\" > 1",\
    "impairments":"--loss 5%","speed":"1x"}

    """

  @Test("Each line has this form")
  func form() throws {
    var bytes: [UInt8] = []
    PlanWriter.append(
      PlanHeader(
        seed: 7, capture: CaptureDigest().description, selection: "type = 'POSE' AND \"x\" > 1",
        impairments: try Impairments("--loss 5%")), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.header)
    bytes = []
    let hurried = PlanHeader(seed: 1, capture: "", speed: try Speed(parsing: "2x"), maxGap: .milliseconds(1_500))
    PlanWriter.append(hurried, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\"speed\":\"2x\",\"max_gap\":\"1.5s\"}\n"))
    #expect(try read(bytes).header == hurried)
    bytes = []
    PlanWriter.append(.drop(12, by: .loss), to: &bytes)
    PlanWriter.append(.deliver(13, due: [216_666_667]), to: &bytes)
    PlanWriter.append(.deliver(14, due: [0, .max], flips: [97], by: .reorder), to: &bytes)
    PlanWriter.append(.drop(15, by: nil), to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"packet":12,"verdict":"drop","by":"loss"}
        {"packet":13,"verdict":"deliver","due":[216666667]}
        {"packet":14,"verdict":"deliver","by":"reorder","due":[0,9223372036854775807],"flip":[97]}
        {"packet":15,"verdict":"drop"}

        """)
  }

  @Test("A line may have the maximum number of times and bits, of any size")
  func long() throws {
    for count in 1...4 {
      let due = (0..<count).map { Int64.max - Int64($0) }
      let flips = (0..<count).map { UInt32.max - UInt32($0) }
      var bytes: [UInt8] = []
      var line = PlanLine.deliver(.max, due: [])
      for time in due { line.due.append(time) }
      for bit in flips { line.flips.append(bit) }
      PlanWriter.append(line, to: &bytes)
      func list<Number>(_ numbers: [Number]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == "{\"packet\":9223372036854775807,\"verdict\":\"deliver\",\"due\":[\(list(due))],\"flip\":[\(list(flips))]}\n"
      )
    }
  }

  @Test("A written plan is read back unchanged, in pieces of any size", arguments: [1, 7, 4096])
  func roundTrip(_ pieces: Int) throws {
    let impairments = try Impairments(
      "--loss 5%,20% --duplicate 5% --corrupt 5% --delay 20ms --jitter 9ms --reorder 5%")
    let header = PlanHeader(
      seed: .max, capture: "00ff", selection: "tab\tquote\"back\\line\nµ", impairments: impairments, speed: .max)
    let lines = plan(impairments, count: 2000)
    var bytes: [UInt8] = []
    PlanWriter.append(header, to: &bytes)
    for line in lines { PlanWriter.append(line, to: &bytes) }
    let back = try read(bytes, pieces: pieces)
    #expect(back.header == header)
    #expect(back.lines == lines)
  }

  @Test("A plan that was edited by hand is read")
  func edits() throws {
    let text =
      Self.header + """
        \r
         { "due" : [ 30 , 10,20 ] ,"verdict":"deliver", "packet": 2, "flip": [1,2] }\r

        {"packet":3,"verdict":"deliver","due":5}
        {"packet":9,"verdict":"drop","by":"\\u006coss","due":[4],"flip":[3]}
        """
    #expect(
      try read(Array(text.utf8)).lines == [
        .deliver(2, due: [10, 20, 30], flips: [1, 2]), .deliver(3, due: [5]), .drop(9, by: .loss),
      ])
  }

  @Test(
    "An error names the line, the column and what is expected",
    arguments: [
      (#"{"packet":1,"verdit":"drop"}"#, #"line 2, column 13: unknown key "verdit"; did you mean "verdict"?"#),
      (#"{"packet":1,"verdict":"dorp"}"#, #"line 2, column 23: "dorp" is not a verdict; expected "deliver" or "drop""#),
      (
        #"{"packet":1,"verdict":"drop","by":"los"}"#,
        #"line 2, column 35: "los" is not an impairment; did you mean "loss"?"#
      ),
      (#"{"packet":1.5,"verdict":"drop"}"#, "line 2, column 11: expected a packet's number, a whole number"),
      (#"{"packet":-1}"#, "line 2, column 11: expected a packet's number, a whole number"),
      (#"{"packet":1"#, "line 2, column 12: expected a comma or }"),
      (#"{"packet" 1}"#, #"line 2, column 11: after the key "packet" expected :"#),
      (
        #"{"packet":1,"verdict":"deliver"}"#,
        #"line 2, column 1: a delivered packet needs "due", such as "due":[216666667]"#
      ),
      (
        #"{"packet":1,"verdict":"deliver","due":[]}"#,
        #"line 2, column 1: a delivered packet needs "due", such as "due":[216666667]"#
      ),
      (#"{"packet":1,"verdict":"deliver","due":[1,2,3,4,5]}"#, "line 2, column 48: a packet has at most 4 of these"),
      (#"{"packet":1,"verdict":"deliver","due":[1 2]}"#, "line 2, column 42: expected a comma or ]"),
      (
        #"{"packet":1,"verdict":"deliver","due":[9223372036854775808]}"#,
        "line 2, column 40: a due time in ns is at most 9223372036854775807"
      ),
      (#"{"verdict":"drop"}"#, #"line 2, column 1: expected the key "packet""#),
      (#"{"packet":1,"packet":2}"#, #"line 2, column 13: the key "packet" is there twice"#),
      (
        "{\"packet\":5,\"verdict\":\"drop\"}\n{\"packet\":5,\"verdict\":\"drop\"}",
        "line 3, column 11: packet 5 follows packet 5; packet numbers must increase"
      ),
      (#"{"packet":1,"verdict":"drop"} x"#, "line 2, column 31: expected nothing after the object"),
      (#"{"packet":1,"verdict":"drop}"#, "line 2, column 23: this string has no closing quote"),
      (#"[1]"#, "line 2, column 1: a line of a plan begins with {"),
    ])
  func errors(_ line: String, _ sentence: String) {
    #expect(message { try read(Array((Self.header + line).utf8)) } == sentence)
  }

  @Test(
    "An invalid header is an error",
    arguments: [
      ("", "line 1, column 1: a plan begins with its header"),
      (#"{"packet":1,"verdict":"drop"}"#, #"line 1, column 2: unknown key "packet"; did you mean "format"?"#),
      (#"{"format":"telecap-plan","version":2,"seed":1}"#, "line 1, column 36: this plan is of version 2; expected 1"),
      (#"{"format":"plan"}"#, #"line 1, column 11: "plan" is not the format of a plan; expected "telecap-plan""#),
      (#"{"format":"telecap-plan","version":1}"#, #"line 1, column 1: expected the key "seed""#),
      (
        #"{"format":"telecap-plan","version":1,"seed":1,"speed":"fast"}"#,
        #"line 1, column 55: "fast" is not a speed; expected a factor from 0.000001x to 1000000x, such as 2x or 0.5x, or max"#
      ),
    ])
  func headers(_ line: String, _ sentence: String) {
    #expect(message { try read(Array(line.utf8)) } == sentence)
  }

  @Test("No bytes make the reader trap")
  func noise() {
    var random = SplitMix64(seed: 1)
    let alphabet = Array(#"{}[]",:\u0129deliver.packt- "#.utf8) + [0, 0xff, 10]
    for _ in 0..<20_000 {
      var bytes = Array(Self.header.utf8)
      for _ in 0..<24 { bytes.append(alphabet[Int(random.next() >> 33) % alphabet.count]) }
      if let result = try? read(bytes) { #expect(result.header != nil) }
    }
  }

  private func message(_ body: () throws -> (header: PlanHeader?, lines: [PlanLine])) -> String {
    do {
      _ = try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
