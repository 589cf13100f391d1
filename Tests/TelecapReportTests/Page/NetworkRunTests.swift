import TelecapImpairment
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapReport

/// What a network did to packets, as marks and curves.
@Suite struct NetworkRunTests {
  private static let grid = TimeGrid(start: .zero, length: 1_000_000_000, columns: 1_000)
  private static let phone = Endpoint(.loopback, port: 1)
  private static let other = Endpoint(.loopback, port: 2)

  private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  /// A run of which these lines are the plan, 10 ms apart from packet 1 on.
  private static func run(_ lines: [PlanLine], _ arrivals: [(packet: Int, from: Endpoint, ms: Int64)] = [])
    -> NetworkRun
  {
    var fates = PlannedFates(grid, FieldNames(["seq", "intensity"]))
    for line in lines { fates.add(line, sentAt: Int64(line.packet) * 10_000_000) }
    var run = NetworkRun([], grid)
    for one in arrivals {
      run.delivered(one.packet, from: one.from, sentAt: time(Int64(one.packet) * 10), at: time(one.ms))
    }
    run.finish(at: grid.end, fates)
    return run
  }

  private static func words(_ run: NetworkRun, _ kind: PacketFate.Kind) -> [String] {
    run.lanes.filter { $0.kind == kind }.flatMap { lane in lane.marks.sorted.map { lane.words($0.mark) } }
  }

  @Test("Each packet is told by its number, with what became of it")
  func fates() {
    var changes = FieldChanges()
    changes.put(FieldChange(field: 1, .float(1.5)))
    let run = Self.run([
      .deliver(1, due: [10_000_000]), .drop(2, by: Loss.id), .drop(3, by: nil),
      .deliver(4, due: [40_000_000], flips: [97], changes: changes), .deliver(5, due: [50_000_000, 65_000_000]),
    ])
    #expect(Self.words(run, .lost) == ["packet 2 lost by loss", "packet 3 lost: the plan does not deliver it"])
    #expect(Self.words(run, .changed) == ["packet 4 changed: intensity becomes 1.5, bit 97 flipped"])
    #expect(Self.words(run, .duplicated) == ["packet 5 duplicated: 2 copies"])
    #expect(Self.words(run, .reordered) == [] && run.sent.count == 5)
    // The second copy is what makes it one.
    #expect(run.lanes.last?.marks.sorted.first?.column == 65)
  }

  @Test("Late is what arrives behind a packet that the same end sent after it, and no copy of the newest")
  func reordered() {
    let run = Self.run(
      [], [(1, Self.phone, 11), (3, Self.phone, 31), (2, Self.phone, 45), (3, Self.phone, 46), (2, Self.other, 50)])
    #expect(Self.words(run, .reordered) == ["packet 2 reordered: 25.00 ms after it was sent"])
    #expect(run.delay.reduced.range == 1...30)
  }

  @Test("A copy that arrives again behind a newer one is no reordered packet: its first copy came in order")
  func copies() {
    var run = NetworkRun([], Self.grid)
    for (packet, ms, isAgain) in [(1, 11, false), (2, 21, false), (1, 30, true), (3, 40, false), (2, 50, true)] {
      let sentAt = Self.time(Int64(packet) * 10)
      run.delivered(packet, from: Self.phone, sentAt: sentAt, at: Self.time(Int64(ms)), isAgain: isAgain)
    }
    run.finish(at: Self.grid.end, PlannedFates(Self.grid, .none))
    #expect(Self.words(run, .reordered) == [] && run.delay.reduced.count == 5)
  }

  @Test("In fewer columns each keeps one mark with a count, its first packet by name, and the longest delay")
  func reduced() {
    let lines = (1...90).map { PlanLine.drop($0, by: Loss.id) }
    let run = Self.run(lines, [(1, Self.phone, 500), (2, Self.phone, 501), (3, Self.phone, 900)])
      .reduced(to: TimeGrid(start: .zero, length: 1_000_000_000, columns: 2))
    #expect(
      Self.words(run, .lost) == [
        "packet 1 lost by loss, and 48 more", "packet 50 lost by loss, and 40 more",
      ])
    #expect(run.delay.reduced.range == 481...870)
    let part = Self.run(lines).reduced(to: TimeGrid(start: Self.time(200), length: 100_000_000, columns: 100))
    #expect(Self.words(part, .lost).first == "packet 20 lost by loss" && part.lanes[0].marks.count == 11)
  }

  @Test("A million packets of which each is lost, changed and doubled are no more marks than columns")
  func many() {
    var fates = PlannedFates(Self.grid, .none)
    for packet in 1...1_000_000 {
      let sentAt = Int64(packet) * 1_000
      fates.add(
        packet.isMultiple(of: 2) ? .drop(packet, by: Loss.id) : .deliver(packet, due: [sentAt, sentAt], flips: [1]),
        sentAt: sentAt)
    }
    var run = NetworkRun([], Self.grid)
    run.finish(at: Self.grid.end, fates)
    let view = NetworkRunView(run, 0, [], since: .zero)
    #expect(view.counts.map(\.total) == ["500,000", "0", "500,000", "500,000"])
    #expect(view.lanes.map(\.name) == ["lost", "changed", "duplicated"])
    #expect(view.lanes.allSatisfy { $0.marks.count == 160 && $0.data.utf8.count < 20_000 })
    #expect(view.lanes[0].marks[0].title.hasPrefix("packet 2 lost by loss, and "))
  }

  @Test("Kinds have shapes of their own, in the legend and in the lanes, and a count that is 0 is told too")
  func shapes() {
    #expect(Set(PacketFate.Kind.allCases.map(\.shape)).count == 4)
    let view = NetworkRunView(Self.run([.drop(1, by: Loss.id)]), 0, [], since: .zero) { "packets?packet=\($0)" }
    #expect(view.counts.map { "\($0.total) \($0.kind)" } == ["1 lost", "0 reordered", "0 changed", "0 duplicated"])
    #expect(view.lanes.map(\.label) == ["lost, never arrived: once"])
    #expect(view.lanes[0].marks[0].link == "packets?packet=1")
    #expect(view.lanes[0].data.contains(#""shape":"words""#))
  }

  @Test("What was sent, delivered and applied of a value are three curves of one look; movements add up")
  func curves() throws {
    let stream = try #require(DrawnStream.all(of: [Tele.wire]).first { $0.kind == .haptic })
    var track = RunTrack(stream, Self.grid)
    track.sent(StreamValues([0.25]), at: Self.time(10))
    track.sent(StreamValues([0.75]), at: Self.time(20))
    track.delivered(StreamValues([0.75]), at: Self.time(40))
    track.applied(StreamValues([0.75]), sentAt: Self.time(20), at: Self.time(40))
    track.finish(at: Self.grid.end)
    let curves = try #require(track.panels.first).curves
    #expect(curves.map(\.look) == ["sent", "delivered", "applied"] && curves.map(\.count) == [2, 1, 1])
    #expect(curves[1].path.hasPrefix("M40.5 ") && curves[1].path.hasSuffix("h0"))
    // The same in fewer columns.
    let few = track.reduced(
      by: GridMap(from: Self.grid, to: TimeGrid(start: .zero, length: 1_000_000_000, columns: 10)))
    #expect(few.panels[0].curves.map(\.span) == curves.map(\.span))
  }
}
