import TelecapImpairment
import Testing

@Suite("Reorder holds a packet until exactly N packets of the flow have passed")
struct ReorderTests {
  @Test(
    "The gap is exact, at recorded times and when all times are 0", arguments: [1, 2, 3, 7], [1_000_000, 0] as [Int64])
  func gap(_ gap: Int, step: Int64) throws {
    let lines = plan(try Impairments("--reorder 5%,\(gap)"), count: 5000, step: step)
    let held = Set(lines.filter { $0.by == .reorder }.map(\.packet))
    #expect(held.count > 150)
    let order = deliveries(lines).map(\.packet)
    #expect(order.sorted() == Array(1...5000))
    var expected: [Int] = []
    var waiting: [(packet: Int, left: Int)] = []
    for packet in 1...5000 {
      if held.contains(packet) {
        waiting.append((packet, gap))
        continue
      }
      expected.append(packet)
      for index in waiting.indices { waiting[index].left -= 1 }
      expected += waiting.filter { $0.left == 0 }.map(\.packet)
      waiting.removeAll { $0.left == 0 }
    }
    #expect(order == expected + waiting.map(\.packet))
  }

  @Test("A held packet leaves 1 ns after the N-th, and other flows do not count")
  func otherFlows() throws {
    let lines = plan(try Impairments("--reorder 5%,2"), count: 4000, flows: 2)
    for line in lines where line.by == .reorder {
      let followers = lines.filter { $0.packet > line.packet && $0.packet % 2 == line.packet % 2 && $0.by == nil }
      guard followers.count >= 2 else { continue }
      #expect(line.due[0] > followers[1].due[0] && line.due[0] <= followers[1].due[0] + 5)
    }
  }

  @Test("At the end held packets leave after the last packet, in order")
  func end() throws {
    let lines = plan(try Impairments("--reorder 100%"), count: 10)
    #expect(deliveries(lines).map(\.packet) == Array(1...10))
    #expect(lines.allSatisfy { $0.due[0] == 9_000_000 })
  }

  @Test("No packet is held for more than ten seconds of run time")
  func longest() throws {
    let lines = plan(try Impairments("--reorder 100%"), count: 100, step: 1_000_000_000)
    for line in lines.prefix(80) { #expect(line.due[0] == Int64(line.packet - 1) * 1_000_000_000 + 10_000_000_000) }
  }

  @Test("Packets that are not selected overtake too")
  func unselected() throws {
    let lines = plan(try Impairments("--reorder 100%"), count: 10, step: 0, selected: { $0 == 3 })
    #expect(deliveries(lines).map(\.packet) == [1, 2, 4, 3, 5, 6, 7, 8, 9, 10])
  }
}

@Suite("Rate is a link with a queue")
struct RateTests {
  @Test("A busy link has exactly its rate: the n-th packet is through after n times its bits")
  func throughput() throws {
    let lines = plan(try Impairments("--rate 64kbit,1000000"), count: 5000, step: 1000, length: 100)
    for line in lines {
      let exact = Double(line.packet) * 128 * 8 / 64_000
      #expect(abs(Double(line.due[0]) / 1e9 - exact) < 2e-9)
    }
    let odd = plan(try Impairments("--rate 3bit,1000000"), count: 1000, step: 1000, length: 0)
    #expect(odd[999].due[0] == 1000 * 224 * 1_000_000_000 / 3 + 1)
  }

  @Test("An idle link adds only the packet's own time, with 28 bytes of headers")
  func idle() throws {
    let lines = plan(try Impairments("--rate 1mbit"), count: 100, step: 1_000_000, length: 72)
    #expect(lines.allSatisfy { $0.due[0] == Int64($0.packet - 1) * 1_000_000 + 800_000 })
  }

  @Test("A packet is dropped if N packets are in the queue, until one has left")
  func tailDrop() throws {
    // 100 bytes take 1 ms at 800 kbit/s; packets come every 0.5 ms, so half of them find no room in the end.
    let lines = plan(try Impairments("--rate 800kbit,3"), count: 2000, step: 500_000, length: 72)
    #expect(lines.prefix(5).map(\.verdict) == [.deliver, .deliver, .deliver, .deliver, .deliver])
    let dropped = lines.filter { $0.verdict == .drop }
    #expect(dropped.allSatisfy { $0.by == .rate })
    #expect(abs(dropped.count - 1000) <= 5)
    let burst = plan(try Impairments("--rate 800kbit,3"), count: 10, step: 0, length: 72)
    #expect(burst.map(\.verdict) == Array(repeating: .deliver, count: 3) + Array(repeating: .drop, count: 7))
    #expect(burst.prefix(3).map { $0.due[0] } == [1_000_000, 2_000_000, 3_000_000])
  }

  @Test("The link gets packets in their order after jitter")
  func afterJitter() throws {
    let options = "--delay 20ms --jitter 10ms"
    let before = deliveries(plan(try Impairments(options), count: 500)).map(\.packet)
    let after = deliveries(plan(try Impairments("\(options) --rate 10mbit"), count: 500)).map(\.packet)
    #expect(before == after)
  }
}

@Suite("Stall lets nothing leave, then everything")
struct StallTests {
  @Test("Nothing leaves during a stall, and all waiting packets leave at its end in order")
  func inside() throws {
    let options = "--delay 30ms --jitter 30ms --duplicate 10% --reorder 10%,2"
    let without = deliveries(plan(try Impairments(options), count: 20_000))
    let with = deliveries(plan(try Impairments("\(options) --stall 500ms@5s"), count: 20_000))
    for delivery in with where delivery.due >= 5_000_000_000 { #expect(delivery.due % 5_000_000_000 >= 500_000_000) }
    #expect(with.map(\.packet) == without.map(\.packet))
    #expect(with.count { (5_500_000_000..<5_500_010_000).contains($0.due) } > 500)
  }

  @Test("Times outside a stall stay unchanged")
  func outside() throws {
    for line in plan(try Impairments("--stall 500ms@5s"), count: 12_000) {
      let time = Int64(line.packet - 1) * 1_000_000
      let stalled = time >= 5_000_000_000 && time % 5_000_000_000 < 500_000_000
      #expect(line.due[0] == (stalled ? time - time % 5_000_000_000 + 500_000_000 : time))
    }
  }
}

@Suite("A schedule sorts the deliveries of a plan")
struct ScheduleTests {
  static let options = [
    "", "--loss 10%", "--delay 20ms --jitter 15ms", "--delay 5ms --jitter 15ms --distribution pareto --duplicate 20%",
    "--reorder 20%,3",
    "--loss 5% --delay 20ms --jitter 10ms --duplicate 5% --reorder 5%,2 --rate 500kbit --stall 50ms@300ms",
  ]

  @Test(
    "Every delivery comes once, in order, and never before its packet's time", arguments: options,
    [0, 1000, 1_000_000] as [Int64])
  func sorted(_ options: String, step: Int64) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var planner = Planner(try Impairments(options), seed: seed)
      var schedule = Schedule()
      var lines: [PlanLine] = []
      var delivered: [Delivery] = []
      let take = { (line: PlanLine, time: Int64) in
        lines.append(line)
        schedule.add(line, sentAt: time) { delivered.append($0) }
      }
      for number in 1...2000 {
        let packet = PlannedPacket(
          number: number, time: Int64(number - 1) * step, flow: UInt32(number % 2), length: 40,
          isSelected: number % 5 > 0)
        planner.plan(packet, emit: take)
      }
      planner.finish(emit: take)
      schedule.finish { delivered.append($0) }
      #expect(schedule.count == 0)
      #expect(lines.map(\.packet) == Array(1...2000))
      #expect(delivered == deliveries(lines))
      #expect(delivered.allSatisfy { $0.due >= Int64($0.packet - 1) * step })
    }
  }

  @Test("The schedule keeps the packets in flight and no more")
  func bounded() throws {
    var planner = Planner(try Impairments("--delay 20ms --jitter 10ms --duplicate 50%"), seed: 1)
    var schedule = Schedule()
    var most = 0
    for number in 1...50_000 {
      planner.plan(PlannedPacket(number: number, time: Int64(number) * 1_000_000, length: 40)) { line, time in
        schedule.add(line, sentAt: time) { _ in }
      }
      most = max(most, schedule.count)
    }
    #expect(most <= 60)
    #expect(most > 10)
  }

  @Test("The schedule keeps nothing without impairments and with all times 0")
  func streaming() {
    var schedule = Schedule()
    var delivered: [Int] = []
    for number in 1...100 {
      schedule.add(.deliver(number, due: [0]), sentAt: 0) { delivered.append($0.packet) }
      #expect(schedule.count == 0)
    }
    #expect(delivered == Array(1...100))
  }

  @Test("A due time before its packet's own, as in an edited plan, becomes that time")
  func early() {
    var schedule = Schedule()
    var delivered: [Int64] = []
    schedule.add(.deliver(1, due: [5]), sentAt: 1000) { delivered.append($0.due) }
    #expect(delivered == [1000])
  }

  @Test("Flips and copies stay with their delivery")
  func carries() {
    var schedule = Schedule()
    var delivered: [Delivery] = []
    schedule.add(.deliver(4, due: [7, 9], flips: [97]), sentAt: 0) { delivered.append($0) }
    schedule.finish { delivered.append($0) }
    #expect(
      delivered == [
        Delivery(due: 7, packet: 4, copy: 0, flips: [97]), Delivery(due: 9, packet: 4, copy: 1, flips: [97]),
      ])
  }
}
