import TelecapImpairment
import TelecapRecording
import Testing

@Suite struct FieldChangeTests {
  private static let names = FieldNames(["magic", "intensity", "channel", "seq", "bytes"])

  private static func text(_ line: PlanLine) -> String {
    var text: [UInt8] = []
    PlanWriter.append(line, to: &text, names)
    return String(decoding: text.dropLast(), as: UTF8.self)
  }

  private static func read(_ line: String, impairments: String = "") throws -> PlanLine? {
    var header = PlanHeader(seed: 1, capture: "")
    header.impairments = try Impairments(parsing: impairments)
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    text += Array(line.utf8)
    var reader = PlanReader(of: .all, names)
    var found: PlanLine?
    try reader.read(text.span.bytes) { found = $0 }
    try reader.finish { found = $0 }
    return found
  }

  private static func line(_ changes: FieldChange...) -> PlanLine {
    var line = PlanLine.deliver(5, due: InlineList(20), flips: InlineList(3))
    for change in changes { line.changes.put(change) }
    return line
  }

  @Test("A line has the values that fields get, and is read back unchanged")
  func roundTrip() throws {
    let line = Self.line(
      FieldChange(field: 1, .float(Float(1).nextUp), isHostile: true),
      FieldChange(field: 2, .integer(-3), isHostile: true),
      FieldChange(field: 3, .bits(0x7fc0_0000, bytes: 4), isHostile: true))
    let text =
      #"{"packet":5,"verdict":"deliver","set":{"intensity":1.0000001,"channel":-3,"seq":"bits:7fc00000"},"due":[20],"flip":[3]}"#
    #expect(Self.text(line) == text)
    #expect(try Self.read(text).map(Self.text) == text)
  }

  @Test(
    "Values keep their bits: shortest decimals, signed zeros, leading zeros of bits",
    arguments: [
      "0.1", "1.0000001", "-0.0", "1e-45", "3.4028235e+38", "65535", "-128", #""bits:00ff""#,
      #""bits:7ff8000000000000""#,
    ])
  func values(_ value: String) throws {
    let line = try #require(
      try Self.read(#"{"packet":1,"verdict":"deliver","set":{"intensity":"# + value + #"},"due":[0]}"#))
    let again = try #require(try Self.read(Self.text(line)))
    #expect(again.changes.first?.value == line.changes.first?.value)
    if case .double(let number)? = line.changes.first?.value { #expect(number.description == "\(Double(value) ?? 9)") }
  }

  @Test("The options in a plan's header show which of them changed a field")
  func origin() throws {
    let line = #"{"packet":1,"verdict":"deliver","set":{"intensity":1.5,"seq":3},"due":[0]}"#
    let changes = try #require(try Self.read(line, impairments: "--set intensity=1.5 --hostile 1%")).changes
    #expect(changes.map(\.isHostile) == [false, true])
  }

  @Test(
    "An error in a changed field names its line and column",
    arguments: [
      (#"{"intensty":1}"#, #"line 2, column 40: no message here has a field "intensty"; did you mean "intensity"?"#),
      (#"{"seq":1,"seq":2}"#, #"line 2, column 48: the field "seq" is there twice"#),
      (#"{"seq":"high"}"#, #"line 2, column 46: expected a number, or bits such as "bits:7fc00000""#),
      (#"{"seq":"bits:7fc"}"#, #"line 2, column 46: expected a number, or bits such as "bits:7fc00000""#),
      (#"{"seq":1e999}"#, "line 2, column 46: this number is larger than any field holds"),
      (#"{"seq":true}"#, #"line 2, column 46: expected a number, or bits such as "bits:7fc00000""#),
      (
        #"{"magic":0,"intensity":0,"channel":0,"seq":0,"bytes":1}"#,
        "line 2, column 84: a message has at most 4 fields changed"
      ),
      (#"["seq"]"#, "line 2, column 39: what fields become begins with {"),
    ])
  func mistakes(_ set: String, _ error: String) {
    #expect {
      try Self.read(#"{"packet":1,"verdict":"deliver","set":"# + set + #","due":[0]}"#)
    } throws: { "\($0)" == error }
  }

  @Test("The option --set is printed as it was given, and may be given more than once")
  func asking() throws {
    var impairments = try Impairments(parsing: "--set intensity=1.5@20% --hostile 10%")
    #expect(impairments.description == "--set intensity=1.5@20% --hostile 10%" && impairments.changesFields)
    let option = try #require(ImpairmentList.all.options.first { $0.name == "set" })
    #expect(option.repeats)
    try impairments.set(option, to: "channel=3,intensity=bits:7fc00000@0.5")
    #expect(impairments.description == "--set channel=3,intensity=bits:7fc00000@50% --hostile 10%")
    #expect(try Impairments(parsing: impairments.description) == impairments)
  }

  @Test(
    "A --set value that is no field and value is rejected",
    arguments: [
      "intensity", "=1", "intensity=", "intensity=1@", "intensity=1@120%", "a=1,b=2,c=3,d=4", "a=1,,b=2",
      "a=1@0", "a=1@0%", "a=1,b=2,a=1",
    ])
  func refused(_ text: String) {
    #expect(throws: ImpairmentSyntaxError.self) { try SetFields(parsing: text) }
  }

  @Test("Field changes are drawn for selected packets that are not lost, by draws of their own")
  func wishes() throws {
    func changed(_ words: String) throws -> [Int: [FieldChange]] {
      var planner = Planner(try Impairments(parsing: words), seed: 3)
      var changed: [Int: [FieldChange]] = [:]
      for number in 1...10_000 {
        let packet = PlannedPacket(number: number, time: Int64(number), length: 12, isSelected: number > 100)
        planner.plan(
          packet,
          changing: { wish in
            var changes = FieldChanges()
            if wish.sets & 1 == 1 { changes.put(FieldChange(field: 1, .integer(1))) }
            if let draw = wish.hostile { changes.put(FieldChange(field: 3, .bits(draw, bytes: 8), isHostile: true)) }
            return changes
          },
          decided: { _ in },
          emit: { line, _ in if !line.changes.isEmpty { changed[line.packet] = Array(line.changes) } })
      }
      let rates = planner.rates.account(of: planner.impairments)
      #expect(
        rates.filter { ["set", "hostile"].contains($0.impairment) }.allSatisfy { $0.total == planner.rates.delivered })
      return changed
    }
    let hostile = try changed("--hostile 10%")
    #expect((900...1_100).contains(hostile.count) && hostile.keys.min() ?? 0 > 100)
    let lossy = try changed("--hostile 10% --loss 50% --corrupt 5%")
    #expect(lossy.allSatisfy { hostile[$0.key] == $0.value } && (400...600).contains(lossy.count))
    let both = try changed("--hostile 10% --set seq=1")
    #expect(both.count == 9_900 && both.values.filter { $0.count == 2 }.count == hostile.count)
    #expect(try changed("--loss 5%").isEmpty)
  }

  @Test("No field is changed in a stream, even by an edited plan")
  func streams() throws {
    let unit = ReplayUnit(packet: 1, time: .zero, flow: 0, carrier: .tcp)
    var text = Array(#"{"packet":1,"verdict":"deliver","set":{"seq":1},"due":[0]}"#.utf8)[...]
    var head: [UInt8] = []
    PlanWriter.append(PlanHeader(seed: 1, capture: ""), to: &head)
    text = (head + text)[...]
    let plan = try SavedPlan("worse.plan", Self.names) {
      defer { text = [] }
      return text
    }
    let header = plan.header
    var planner = UnitPlanner(header, Timeline(speed: .recorded), file: plan, Self.names, selection: { _ in true })
    #expect(throws: SavedPlanError.streamChanged(packet: 1)) { try planner.plan(unit, at: 0, length: 8) { _, _ in } }
  }
}
