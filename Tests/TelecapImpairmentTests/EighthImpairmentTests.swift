import TelecapImpairment
import Testing

/// An impairment that telecap does not have: one type and one row in a list are all that it needs.
private struct Hiccup: Impairment {
  var gap: Int
  var time: Interval

  static let id = ImpairmentID(200)
  static let name = "hiccup"
  /// Between loss and corrupt.
  static let place = 15
  static let isRandom = false
  static let options = [
    option("hiccup", value: "n,time", help: "Every n-th packet comes so much later: 3,20ms.", parse: Hiccup.init)
  ]

  init(parsing text: String) throws(ImpairmentSyntaxError) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let gap = Int(parts[0]), gap > 0 else {
      throw ImpairmentSyntaxError(text, "is not a hiccup", expected: "how often and how long, such as 3,20ms")
    }
    self.gap = gap
    time = try Interval(parsing: String(parts[1]))
  }

  var description: String { "\(gap),\(time)" }

  func stage(seed: UInt64) -> ImpairmentStage { .packets(Stage(hiccup: self)) }

  func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.delivered(by: Self.id), of: rates.delivered, expected: 1 / Double(gap))
  }

  private struct Stage: PacketStage {
    let hiccup: Hiccup
    var count = 0

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      count += 1
      guard count % hiccup.gap == 0 else { return }
      for copy in draft.line.due.indices { draft.line.due[copy] += hiccup.time.nanoseconds }
      draft.line.by = Hiccup.id
    }
  }
}

/// Another: it drops copies as they leave.
private struct Gate: Impairment {
  var limit: Int

  static let id = ImpairmentID(201)
  static let name = "gate"
  static let place = 80
  static let options = [option("gate", value: "n", help: "So many copies leave.", parse: Gate.init)]

  init(parsing text: String) throws(ImpairmentSyntaxError) {
    guard let limit = Int(text) else { throw ImpairmentSyntaxError(text, "is not a number", expected: "3") }
    self.limit = limit
  }

  var description: String { "\(limit)" }

  func stage(seed: UInt64) -> ImpairmentStage { .leaving(Stage(left: limit)) }

  func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.dropped(by: Self.id), of: rates.selected, expected: nil)
  }

  private struct Stage: LeavingStage {
    var left: Int

    mutating func leave(payload: Int, at time: Int64) -> Int64? {
      left -= 1
      return left < 0 ? nil : time
    }
  }
}

@Suite("An impairment is one file and one row of a list")
struct EighthImpairmentTests {
  private static let list = ImpairmentList(ImpairmentList.all.types + [Hiccup.self, Gate.self])

  private func impairments(_ text: String) throws -> Impairments { try Impairments(parsing: text, of: Self.list) }

  @Test("Its options are read and printed at their position")
  func text() throws {
    let all = try impairments("--gate 5 --corrupt 1% --hiccup 3,20ms --loss 5%")
    #expect(all.description == "--loss 5% --hiccup 3,20ms --corrupt 1% --gate 5")
    #expect(try impairments(all.description) == all)
    #expect(try impairments("--hiccup 3,20ms") != impairments("--hiccup 3,21ms"))
    #expect(all[Hiccup.self]?.gap == 3 && all[Stall.self] == nil)
    #expect(try !impairments("--hiccup 3,20ms --stall 1s@3s").isRandom)
    #expect(Self.list.options.map(\.name).suffix(2) == ["hiccup", "gate"])
    #expect(throws: ImpairmentSyntaxError("x", "is not a hiccup", expected: "how often and how long, such as 3,20ms")) {
      try impairments("--hiccup x")
    }
    #expect(throws: ImpairmentSyntaxError.self) { try Impairments(parsing: "--hiccup 3,20ms") }
  }

  @Test("It changes the plan, and the other impairments decide as without it")
  func plans() throws {
    let without = plan(try impairments("--loss 20% --corrupt 20%"), count: 3000)
    let with = plan(try impairments("--loss 20% --hiccup 3,20ms --corrupt 20%"), count: 3000)
    var delivered = 0
    for (before, after) in zip(without, with) {
      var expected = before
      if before.verdict == .deliver {
        delivered += 1
        if delivered % 3 == 0 {
          expected.due[0] += 20_000_000
          expected.by = Hiccup.id
        }
      }
      #expect(after == expected)
    }
    let gated = plan(try impairments("--gate 5 --duplicate 100%"), count: 10)
    #expect(gated.map(\.due.count) == [2, 2, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(gated[5] == .drop(6, by: Gate.id))
  }

  @Test("The account lists it among the others, in order")
  func account() throws {
    let all = try impairments("--loss 100% --stall 1s@3s --hiccup 4,1ms --gate 3")
    #expect(AppliedRates().account(of: all).map(\.impairment) == ["loss", "hiccup", "stall", "gate"])
    let hiccups = try impairments("--hiccup 4,1ms --gate 9")
    var planner = Planner(hiccups, seed: 1)
    for number in 1...10 { planner.plan(PlannedPacket(number: number, time: 0, length: 1)) { _, _ in } }
    planner.finish { _, _ in }
    #expect(
      planner.rates.account(of: hiccups).map(\.description) == [
        "hiccup 4,1ms: 11.111% (1 of 9)", "gate 9: 10% (1 of 10)",
      ])
  }

  @Test("Its name is written into plans and read back")
  func file() throws {
    let header = PlanHeader(seed: 1, capture: "", impairments: try impairments("--hiccup 2,1ms --gate 2"))
    let lines = plan(header.impairments, count: 6)
    var bytes: [UInt8] = []
    PlanWriter.append(header, to: &bytes)
    for line in lines { PlanWriter.append(line, to: &bytes, naming: Self.list) }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("{\"packet\":2,\"verdict\":\"deliver\",\"by\":\"hiccup\",\"due\":[2000000]}\n"))
    #expect(text.contains("{\"packet\":6,\"verdict\":\"drop\",\"by\":\"gate\"}\n"))
    var reader = PlanReader(of: Self.list)
    var read: [PlanLine] = []
    try reader.read(bytes.span.bytes) { read.append($0) }
    try reader.finish { read.append($0) }
    #expect(read == lines && reader.header == header)
    var stranger = PlanReader()
    #expect(throws: PlanSyntaxError.self) { try stranger.read(bytes.span.bytes) { _ in } }
  }
}

@Suite("The list of impairments")
struct ImpairmentListTests {
  @Test("The numbers, names and positions of impairments in plans never change")
  func rows() {
    let rows = ImpairmentList.all.inOrder.map { "\($0.id.number) \($0.name) \($0.place)" }
    #expect(
      rows == [
        "1 loss 10", "9 set 12", "8 hostile 14", "2 corrupt 20", "3 duplicate 30", "4 delay 40", "5 reorder 50",
        "6 rate 60", "7 stall 70",
      ])
    for type in ImpairmentList.all.types {
      #expect(ImpairmentList.all.id(named: type.name) == type.id && ImpairmentList.all.name(of: type.id) == type.name)
    }
    #expect(ImpairmentList.all.id(named: "los") == nil && ImpairmentList.all.name(of: ImpairmentID(200)) == nil)
  }

  @Test("Help shows the options in its own order")
  func options() {
    #expect(
      ImpairmentList.all.options.map(\.name) == [
        "loss", "loss-model", "delay", "jitter", "distribution", "keep-order", "reorder", "duplicate", "corrupt",
        "hostile", "set", "rate", "stall",
      ])
  }

  @Test(
    "Options that exclude or require each other are an error",
    arguments: [
      (["loss", "loss-model"], "give --loss or --loss-model, not both"), (["loss"], nil),
      (["distribution", "delay"], "--distribution requires --jitter"), (["distribution", "jitter"], nil),
      (["keep-order"], "--keep-order requires --delay or --jitter"), (["keep-order", "delay"], nil),
    ] as [([String], String?)])
  func conflicts(_ given: [String], _ problem: String?) {
    let found = ImpairmentList.all.types.compactMap { type in
      type.conflict(among: Set(given).intersection(type.options.map(\.name)))
    }
    #expect(found == (problem.map { [$0] } ?? []))
  }

  @Test("The option --loss rejects a loss model, but a file may give one for it")
  func typed() throws {
    let loss = try #require(ImpairmentList.all.options.first { $0.name == "loss" })
    #expect(throws: ImpairmentSyntaxError("gemodel:1%", "is a loss model", expected: "--loss-model gemodel:1%")) {
      try loss.check("gemodel:1%")
    }
    try loss.check("5%,25%")
    #expect(try Impairments("--loss gemodel:1%") == Impairments("--loss-model gemodel:1%"))
  }
}
