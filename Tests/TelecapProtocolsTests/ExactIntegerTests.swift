import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapText
import TelecapWire
import Testing

/// Whole numbers of 64 bits, signed and unsigned, from the wire and from what programs print: none passes through a double.
@Suite("Integers of 64 bits") struct ExactIntegerTests {
  private static let text = """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 9999}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: A
        type: 1
        from: client
        fields:
          - {name: slot, type: u64}
          - {name: n, type: u64}
          - {name: x, type: u64, range: [9223372036854775808, 18446744073709551615]}
          - {name: y, type: i64, range: [-9223372036854775808, -9007199254740994]}
    streams: [{name: a, message: A, order: n, key: [slot], values: [x, y]}]
    """

  /// How a program prints what it applied.
  private enum Form: String, CaseIterable {
    case json, pattern, python, texts
  }

  /// The verdicts of a receiver that prints what it applied in this form, its values changed by `change`.
  private static func verdicts(
    _ form: Form, fault: String = "", change: (AppliedValue, Int) -> String = { value, place in value.written(place) }
  ) throws -> [String: Verdict] {
    let suite = Suite.declared(by: try ProtocolFile.read(text, file: "toy.yaml"))
    let suites = Suites([suite])
    let model = try ModelSystem(parsing: "model:toy-host\(fault)", in: suites)
    let line = form == .pattern ? ", line: \"^a (?<slot>\\\\S+) (?<n>\\\\S+) (?<x>\\\\S+) (?<y>\\\\S+)$\"" : ""
    let file = try SystemFile(
      "role: toy-host\ncommand: [a]\naddresses: {udp: free}\nshows:\n  events: [{is: applied, stream: a\(line)}]\n",
      file: "s.yaml", suites: suites)
    var verdicts: [String: Verdict] = [:]
    for scenario in suite.scenarios where scenario.setup.part.side == .host {
      let script = scenario.script(for: Case())
      let told = try model.runNow(script)
      var log = told
      (log.shows, log.entries) = (file.aspects, [])
      var observations = EventDecoder(rules: file.rules, peers: told.peers, file.part.role?.owner)
      for entry in told.entries {
        switch entry.what {
        case .event(.applied(let value)):
          let words = [
            "\(value.key[0])", "\(value.number ?? 0)", change(value, 0), change(value, 1),
          ]
          for event in observations.events(printed: printed(words, form).utf8) {
            log.note(.event(event), at: entry.time)
          }
        default: log.entries.append(entry)
        }
      }
      log.mapping = observations.mapping
      let verdict = Judge.judge(log, script, of: Case(), in: scenario).verdict
      let id = scenario.requirement.id
      verdicts[id] = verdicts[id].map { $0.badness > verdict.badness ? $0 : verdict } ?? verdict
    }
    return verdicts
  }

  private static func printed(_ words: [String], _ form: Form) -> String {
    switch form {
    case .json: #"{"slot": \#(words[0]), "n": \#(words[1]), "x": \#(words[2]), "y": \#(words[3])}"#
    case .pattern: "a " + words.joined(separator: " ")
    case .python: "{'slot': \(words[0]), 'n': \(words[1]), 'x': np.uint64(\(words[2])), 'y': \(words[3])}"
    case .texts: #"{"slot": "\#(words[0])", "n": "\#(words[1])", "x": "\#(words[2])", "y": "\#(words[3])"}"#
    }
  }

  @Test(
    "An integer of 64 bits is compared exactly, in any notation",
    arguments: ["json", "pattern", "python", "texts"])
  func exactIntegers(_ form: String) throws {
    let verdicts = try Self.verdicts(try #require(Form(rawValue: form)))
    #expect(!verdicts.isEmpty && verdicts.values.allSatisfy { $0 == .pass }, "\(verdicts)")
  }

  @Test("A value that differs only in its last digit fails", arguments: ["json", "pattern"])
  func lastDigit(_ form: String) throws {
    let verdicts = try Self.verdicts(try #require(Form(rawValue: form))) { value, place in
      let whole = value.values.whole(at: place)
      return place == 0 ? "\((whole?.unsigned ?? 0) ^ 1)" : value.written(place)
    }
    #expect(verdicts["toy.a.values"] == .fail, "\(verdicts)")
  }

  @Test("A receiver that treats the largest number as older fails with 64 bits, too")
  func wrapIsOld() throws {
    #expect(try Self.verdicts(.json, fault: "+wrap-is-old")["toy.a.latest-value-wins"] == .fail)
  }

  @Test("A program that computes in doubles may round as a double does")
  func doubles() throws {
    let verdicts = try Self.verdicts(.json) { value, place in
      let whole = value.values.whole(at: place)
      let nearest = Double(whole?.magnitude ?? 0)
      return (whole?.isNegative == true ? "-" : "") + (UInt64(exactly: nearest).map { "\($0)" } ?? "\(nearest)")
    }
    #expect(verdicts["toy.a.values"] == .pass, "\(verdicts)")
  }

  @Test("The log of a run has every digit of the applied values")
  func logged() {
    let values = StreamValues(numbers: [.whole(WholeNumber(UInt64.max)), .whole(WholeNumber(Int64.min)), .real(1e300)])
    let event = PeerEvent.applied(AppliedValue(stream: "a", key: [.max - 1], number: .max - 2, values: values))
    #expect(
      event.jsonLine(at: .zero) == """
        {"time_ns":0,"event":"applied","stream":"a","key":18446744073709551614,"number":18446744073709551613,\
        "value_0":18446744073709551615,"value_1":-9223372036854775808,"value_2":1e+300}
        """)
  }
}

extension AppliedValue {
  /// A value as a right program writes it.
  fileprivate func written(_ place: Int) -> String {
    values.whole(at: place).map { "\($0)" } ?? "\(values[place])"
  }
}
