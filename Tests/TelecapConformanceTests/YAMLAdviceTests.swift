import Testing

@testable import TelecapConformance

/// A value of another type than its key takes: the error names what to write if that is known, and never a wrong guess.
@Suite struct YAMLAdviceTests {
  private static let entry = YAMLShape(
    "entry", [YAMLKey("name", .line, "Its name."), YAMLKey("size", .integer, "Its size.")],
    foreign: ["length": "write \"size\""])
  private static let shape = YAMLShape(
    "thing",
    [
      YAMLKey("thing", .line, required: true, "What it is.", example: "lamp"), YAMLKey("flag", .flag, "A flag."),
      YAMLKey("whole", .integer, "A whole number."), YAMLKey("number", .number, "A number."),
      YAMLKey("time", .time, "A time."),
      YAMLKey("word", .oneOf(["little", "big"]), "A word.", foreign: ["le": "write little"]),
      YAMLKey("only", .oneOf(["one"]), "A word."), YAMLKey("names", .list(.line), "Names."),
      YAMLKey("pair", .list(.number), "Two numbers.", example: "[0, 1]"),
      YAMLKey("entries", .list(.mapping(entry)), "Entries.", example: "[{name: a}]"),
      YAMLKey("entry", .mapping(entry), "An entry.", example: "{name: a}"),
      YAMLKey("codes", .dictionary(.line), "Codes.", example: "{0: off}"),
    ])

  /// The error of this line below a right one, without its file.
  private func problem(_ line: String) -> String? {
    do throws(YAMLFileError) {
      _ = try YAMLValue.read("thing: x\n\(line)", file: "f", as: YAMLAdviceTests.shape)
      return nil
    } catch {
      return String(error.description.dropFirst(2))
    }
  }

  @Test(
    "The advice is a value that the key accepts",
    arguments: [
      // Flags.
      ("flag: yes", "write true"), ("flag: Off", "write false"), ("flag: True", "write true"),
      ("flag: 0", "write false"),
      ("flag: 'true'", "write true, without quotes"),
      // Whole numbers.
      ("whole: '7'", "write 7, without quotes"), ("whole: 0XfF", "write 0xfF"), ("whole: FFh", "write 0xFF"),
      ("whole: $1f", "write 0x1f"), ("whole: FF", "write 0xFF"), ("whole: 4C50", "write 0x4C50"),
      ("whole: 0b101", "write 5"),
      ("whole: 0o17", "write 15"), ("whole: 1_000", "write 1000"), ("whole: 1,000,000", "write 1000000"),
      ("whole: udp/7000", "write 7000"), ("whole: 7000 bytes", "write 7000"),
      // Numbers.
      ("number: 0,5", "write 0.5"), ("number: 60 Hz", "write 60"), ("number: -3 dB", "write -3"),
      ("number: 60/s", "write 60"),
      // Times.
      ("time: 500 ms", "write 500ms"), ("time: 0,5s", "write 0.5s"), ("time: 500", "write 500ms or 500s"),
      ("time: 2sec", "write 2s"), ("time: 5MS", "write 5ms"), ("time: 1m", "write 1min"),
      ("time: 60Hz", "write 16.667ms, the time from one to the next"),
      // Words.
      ("word: LE", "write little"), ("word: little_endian", "did you mean \"little\"?"),
      ("word: Big", "did you mean \"big\"?"),
      // Lists and mappings.
      ("names: a", "write [a]"), ("names: a, b c", "write [a, b c]"), ("names: a]", "write [a]"),
      ("whole: [7]", "write 7, which is no list"), ("whole: [7, 8]", "it has one value, which is no list"),
      ("pair: 0, 1", "write [0, 1]"), ("pair: 0..1", "for example pair: [0, 1]"),
      ("pair: 5", "for example pair: [0, 1]"),
      ("pair: [a, 1]", "for example pair: [0, 1]"),
      ("entries: {name: a}", "an entry begins with \"- \": write \"- name: …\""),
      ("entries: {a: {size: 1}}", "an entry has a name: write \"- name: a\""),
      ("entries: [a]", "for example entries: [{name: a}]"), ("entries:", "for example entries: [{name: a}]"),
      ("entry: [{name: a}]", "it is no list: write \"name\" without \"- \""),
      ("entry: a", "for example entry: {name: a}"),
      ("codes: [off, on]", "for example codes: {0: off}"),
    ] as [(String, String)])
  func advice(_ line: String, _ advice: String) throws {
    let error = try #require(problem(line))
    let key = line.prefix { $0 != ":" }
    #expect(error.contains(": \"\(key)\": expected ") && error.hasSuffix("; \(advice)"), "\(error)")
  }

  @Test(
    "An error gives no advice if the meaning is unknown",
    arguments: [
      "flag: maybe", "whole: many", "whole: bed", "whole: u8", "whole: 1-2", "whole: 5%", "whole: 1.5", "whole: 1e3",
      "number: 1/64", "number: 0 to 1", "time: soon", "time: 25h", "time: -1s", "word: middle", "whole: {a: 1}",
    ])
  func silence(_ line: String) throws {
    let error = try #require(problem(line))
    #expect(error.hasPrefix("2:") && error.contains("expected ") && !error.contains(";"), "\(error)")
  }

  @Test(
    "Errors on keys name what to write",
    arguments: [
      ("entry: {length: 4}", "2:9: unknown key \"length\" in entry; write \"size\""),
      ("entry: {Length: 4}", "2:9: unknown key \"Length\" in entry; write \"size\""),
      ("entry: {lamp: 4}", "2:9: unknown key \"lamp\" in entry; if that is its name, write \"name: lamp\""),
      ("entry: {name: a, lamp: 4}", "2:18: unknown key \"lamp\" in entry; it has name, size"),
      ("entry: {name:a}", "2:9: a space follows the colon of a key: write \"name: a\""),
      ("entry: {<<: {size: 1}}", "2:9: unknown key \"<<\" in entry; there are no merge keys: write the keys out"),
      ("entry: {size: 0,5}", "2:15: a number has a decimal point and no comma: write \"size: 0.5\""),
      (
        "entry: {name: 0, 5}",
        "2:18: a comma within braces ends the text before it; put the text in quotes: name: '0, 5'"
      ),
      ("only: two", "2:7: \"only\": expected one, found \"two\""),
    ] as [(String, String)])
  func keys(_ line: String, _ expected: String) { #expect(problem(line) == expected) }

  @Test(
    "Errors on the whole file name what to write",
    arguments: [
      ("", "1:1: the file is empty"),
      ("---", "2:1: expected a mapping (thing), found nothing; it begins with \"thing: …\""),
      ("lamp", "1:1: expected a mapping (thing), found \"lamp\"; it begins with \"thing: …\""),
      ("- thing: x", "1:1: expected a mapping (thing), found a list; it is no list: write \"thing\" without \"- \""),
      ("flag: true", "1:1: thing has no \"thing\": What it is. Write thing: lamp, for example."),
    ] as [(String, String)])
  func files(_ text: String, _ expected: String) {
    let error = #expect(throws: YAMLFileError.self) { try YAMLValue.read(text, file: "f", as: YAMLAdviceTests.shape) }
    #expect(error?.description == "f:\(expected)")
  }
}
