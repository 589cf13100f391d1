import TelecapImpairment
import TelecapRecording
import Testing

/// A saved plan is carried out exactly, or an error names the line that cannot be.
@Suite struct SavedPlanTests {
  private static let header = PlanHeader(seed: 7, capture: "0123")

  /// A plan of these lines, handed over in pieces of so many bytes.
  private static func plan(_ lines: [PlanLine], pieces size: Int = 7) throws -> SavedPlan {
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    for line in lines { PlanWriter.append(line, to: &text) }
    return try plan(text: text, pieces: size)
  }

  private static func plan(text: [UInt8], pieces size: Int = 7) throws -> SavedPlan {
    var rest = text[...]
    return try SavedPlan("worse.plan") {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      return piece
    }
  }

  private static func delivery(_ packet: Int, _ due: Int64...) -> PlanLine {
    var line = PlanLine.drop(packet, by: nil)
    line.verdict = .deliver
    for time in due { line.due.append(time) }
    return line
  }

  private static func unit(_ packet: Int, _ carrier: Carrier = .udp) -> ReplayUnit {
    ReplayUnit(packet: packet, time: Timestamp(nanoseconds: Int64(packet) * 10), flow: 0, carrier: carrier)
  }

  /// Plans these units by a plan of these lines.
  private static func run(_ units: [ReplayUnit], by lines: [PlanLine], pieces: Int = 7) throws -> [PlanLine] {
    var planner = UnitPlanner(
      header, Timeline(speed: .recorded), file: try plan(lines, pieces: pieces), selection: { _ in true })
    var planned: [PlanLine] = []
    for unit in units {
      let time = planner.runTime(of: unit)
      try planner.plan(unit, at: time, length: 8) { line, _ in planned.append(line) }
    }
    try planner.finish { line, _ in planned.append(line) }
    return planned
  }

  @Test("The header is read before any packet, for pieces of any size", arguments: [1, 2, 50, 10_000])
  func header(_ size: Int) throws {
    let plan = try Self.plan([Self.delivery(1, 5)], pieces: size)
    #expect(plan.header == Self.header)
  }

  @Test("Each packet gets its line, and a packet whose line was deleted is dropped", arguments: [1, 3, 10_000])
  func lines(_ size: Int) throws {
    let lines = [Self.delivery(1, 5), Self.delivery(3, 8, 9)]
    let planned = try Self.run([1, 2, 3].map { Self.unit($0) }, by: lines, pieces: size)
    #expect(planned == [lines[0], .drop(2, by: nil), lines[1]])
  }

  @Test("A line for a packet that is not replayed is an error, in the middle and at the end")
  func stray() throws {
    let lines = [Self.delivery(2, 5), Self.delivery(4, 8)]
    #expect(throws: SavedPlanError.stray(plan: "worse.plan", packet: 2)) {
      try Self.run([Self.unit(1), Self.unit(3)], by: lines)
    }
    #expect(throws: SavedPlanError.stray(plan: "worse.plan", packet: 4)) { try Self.run([Self.unit(2)], by: lines) }
  }

  @Test("A segment of a stream may be delayed, and never overtakes the one before it")
  func streams() throws {
    let lines = [Self.delivery(1, 50), Self.delivery(2, 20), Self.delivery(3, 60)]
    let planned = try Self.run([1, 2, 3].map { Self.unit($0, .tcp) }, by: lines)
    #expect(planned.map { Array($0.due) } == [[50], [50], [60]])
  }

  @Test("A segment of a stream cannot be dropped, duplicated or changed")
  func changedStreams() throws {
    var flipped = Self.delivery(1, 5)
    flipped.flips.append(3)
    for line in [.drop(1, by: nil), Self.delivery(1, 5, 6), flipped] {
      #expect(throws: SavedPlanError.streamChanged(packet: 1)) {
        try Self.run([Self.unit(1, .tcp)], by: [line])
      }
    }
    #expect(throws: SavedPlanError.streamChanged(packet: 1)) { try Self.run([Self.unit(1, .tcp)], by: []) }
  }

  @Test("An error in a plan names its line and column")
  func syntax() throws {
    let error = #expect(throws: SavedPlanError.self) { _ = try Self.plan(text: Array("{\"seed\":1}\n".utf8)).header }
    #expect(error?.description.hasPrefix("worse.plan: line 1, column") == true)
    let empty = #expect(throws: SavedPlanError.self) { _ = try Self.plan(text: []).header }
    #expect(empty?.description == "worse.plan: line 1, column 1: a plan begins with its header")
  }

  @Test("The error for a plan of other packets names them and what to do")
  func otherPackets() throws {
    let plan = try Self.plan([])
    let digest = CaptureDigest()
    do throws(SavedPlanError) {
      try plan.check(digest, of: "session.pcapng")
      Issue.record("it was taken")
    } catch {
      #expect(error == .otherPackets(plan: "worse.plan", made: "0123", digest, recording: "session.pcapng"))
      #expect("\(error)" == "worse.plan: made for other packets (digest 0123; these are \(digest))")
      #expect(error.advice.hasSuffix("make a new one with telecap plan session.pcapng -o worse.plan"))
    }
  }
}

/// A plan that is made and one that is read again come to the same.
@Suite struct UnitPlannerTests {
  @Test("A plan that was carried out gives the same lines, text and fingerprint again")
  func again() throws {
    let header = PlanHeader(
      seed: 3, capture: "", impairments: try Impairments(parsing: "--loss 20% --delay 5ms --jitter 2ms --duplicate 10%")
    )
    let units = (1...300).map {
      ReplayUnit(packet: $0, time: Timestamp(nanoseconds: Int64($0) * 1_000_000), flow: 0, carrier: .udp)
    }
    func run(_ file: consuming SavedPlan?) throws -> (lines: [PlanLine], text: [UInt8], digest: CaptureDigest) {
      var planner = UnitPlanner(header, Timeline(speed: .recorded), file: file, selection: { _ in true })
      var (lines, text): ([PlanLine], [UInt8]) = ([], [])
      for unit in units {
        let time = planner.runTime(of: unit)
        try planner.plan(unit, at: time, length: 46) { line, _ in lines.append(line) }
        if unit.packet % 50 == 0 { planner.takeText { text += $0 } }
      }
      try planner.finish { line, _ in lines.append(line) }
      planner.takeText { text += $0 }
      return (lines, text, planner.digest())
    }
    let made = try run(nil)
    var rest = made.text[...]
    let saved = try SavedPlan("again.plan") {
      let piece = rest.prefix(1_000)
      rest = rest.dropFirst(1_000)
      return piece
    }
    let read = try run(saved)
    #expect(made.lines.count == 300)
    #expect(read.lines == made.lines)
    #expect(read.text == made.text)
    #expect(read.digest == made.digest)
  }
}
