import TelecapLoop
import TelecapModels
import TelecapRecording
import Testing

@Suite struct LoopTests {
  private func run<Side: OtherSide>(
    _ echo: Echo, side: Side, _ body: (inout Loop<Echo, Lines, Side>) -> Void
  ) -> [String] {
    var loop = Loop(echo, Lines(), side: side)
    body(&loop)
    return loop.reader.lines
  }

  private func run(_ echo: Echo, _ body: (inout Loop<Echo, Lines, SilentSide>) -> Void) -> [String] {
    run(echo, side: SilentSide(), body)
  }

  @Test("Every entry is in order of time")
  func everyEntryComesInOrderOfTime() {
    let lines = run(Echo(wakes: [5, 10, 12])) { loop in
      loop.start()
      loop.sent(([7] as [UInt8]).span.bytes, packet: 1, by: near, at: at(4))
      loop.deliver(([7] as [UInt8]).span.bytes, over: .udp, from: near, at: at(10), sentAt: at(4), packet: 1)
      loop.sent(([8] as [UInt8]).span.bytes, packet: 2, by: near, at: at(12))
      loop.pass(to: at(20))
    }
    #expect(
      lines == [
        "0 event start", "4 sent 1 [7]", "5 event wake", "10 event wake", "10 delivered 1 [7] of 4",
        "10 replied udp [7]", "10 event heard [7]", "12 sent 2 [8]", "12 event wake",
      ])
  }

  @Test("A delivery for a time that has passed is logged with its delay")
  func aDeliveryBehindTheTimeIsThatLate() {
    let lines = run(Echo()) { loop in
      loop.deliver(([1] as [UInt8]).span.bytes, over: .udp, from: near, at: at(10), packet: 1)
      loop.deliver(([2] as [UInt8]).span.bytes, over: .udp, from: near, at: at(5), packet: 2)
    }
    #expect(lines.filter { $0.contains("delivered") } == ["10 delivered 1 [1] of 10", "10 delivered 2 [2] of 10"])
  }

  @Test("The other side answers at once and gets an answer")
  func theOtherSideAnswersAtOnceAndIsAnswered() {
    let lines = run(Echo(), side: Counting()) { loop in
      loop.deliver(([1] as [UInt8]).span.bytes, over: .udp, from: near, at: at(3), packet: 1)
    }
    #expect(
      lines == [
        "3 delivered 1 [1] of 3", "3 replied udp [1]", "3 delivered 0 [2] of 3", "3 replied udp [2]",
        "3 delivered 0 [3] of 3", "3 replied udp [3]", "3 event heard [3]", "3 event heard [2]", "3 event heard [1]",
      ])
  }

  @Test("A silent side, and one without answers, give the same log")
  func aSilentSideAndOneThatHasNothingToSayGiveTheSameLog() {
    func body<Side: OtherSide>(_ loop: inout Loop<Echo, Lines, Side>) {
      loop.start()
      loop.open(near, at: at(1))
      loop.deliver(([9] as [UInt8]).span.bytes, over: .tcp, from: near, at: at(2), packet: 1)
      loop.deliver(([0] as [UInt8]).span.bytes, over: .tcp, from: near, at: at(3), packet: 2)
    }
    var silent = Loop(Echo(), Lines(), side: SilentSide())
    body(&silent)
    struct Mute: OtherSide {
      var isSilent: Bool { false }
      func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] { [] }
    }
    var mute = Loop(Echo(), Lines(), side: Mute())
    body(&mute)
    #expect(silent.reader.lines == mute.reader.lines)
    #expect(silent.reader.lines.last == "3 disconnected")
  }

  @Test("A receiver that crashed gets no more events")
  func aReceiverThatBrokeIsAskedNothingMore() {
    let lines = run(Echo(wakes: [50], poison: 9)) { loop in
      loop.deliver(([9] as [UInt8]).span.bytes, over: .udp, from: near, at: at(1), packet: 1)
      loop.deliver(([1] as [UInt8]).span.bytes, over: .udp, from: near, at: at(2), packet: 2)
      loop.open(near, at: at(3))
      loop.ask(Press(words: "up"), of: near, at: at(4)) { _, _, _ in [[1]] }
      loop.sent(([5] as [UInt8]).span.bytes, packet: 3, by: near, at: at(5))
      loop.pass(to: at(60))
    }
    #expect(lines == ["1 delivered 1 [9] of 1", "1 broke poisoned", "5 sent 3 [5]"])
  }

  @Test("A receiver that sets timers in the past does not block the run", .timeLimit(.minutes(10)))
  func aReceiverThatAsksForThePastAgainAndAgainDoesNotStopTheRun() {
    let lines = run(Echo(wakes: [2], isStubborn: true)) { loop in
      for time in 1...6 { loop.sent(([1] as [UInt8]).span.bytes, packet: time, by: near, at: at(Int64(time))) }
      loop.deliver(([1] as [UInt8]).span.bytes, over: .udp, from: near, at: at(7), packet: 1)
      loop.pass(to: at(9))
    }
    #expect(lines.filter { $0.contains("wake") } == ["2 event wake", "7 event wake"])
    #expect(lines.contains("7 delivered 1 [1] of 7"))
  }

  /// A peer that asks when it wakes, and has more to do at once when it is answered: so often at most.
  private struct Caller: Peer {
    var nextWake: Timestamp? = at(2)
    var rest: Int

    mutating func start(at time: Timestamp, _ perform: Perform) {}
    mutating func stop(at time: Timestamp, _ perform: Perform) {}

    mutating func advance(to time: Timestamp, _ perform: Perform) {
      nextWake = nil
      perform(.event(.told("wake")), RawSpan())
      if rest > 0 { perform(.send(.udp, to: near), ([1] as [UInt8]).span.bytes) }
    }

    mutating func receive(
      _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
    ) {
      rest -= 1
      nextWake = time
    }
  }

  @Test("Consequences of an answer run at the same time, and an endless chain does not block the run")
  func answered() {
    func wakes(_ rest: Int) -> Int {
      var loop = Loop(Caller(rest: rest), Lines(), side: Counting())
      loop.pass(to: at(9))
      return loop.reader.lines.count { $0 == "2 event wake" }
    }
    #expect(wakes(1) == 2)
    #expect(wakes(3) == 4)
    #expect(wakes(1_000_000) < 20)
  }

  @Test("The state of connections is kept")
  func connectionsAreKept() {
    var loop = Loop(Echo(), Lines(), side: SilentSide())
    loop.close(near, at: at(1))
    #expect(loop.reader.lines.isEmpty)
    loop.open(near, at: at(2))
    #expect(loop.isConnected(near))
    #expect(!loop.isConnected(far))
    loop.close(near, at: at(3))
    #expect(!loop.isConnected(near))
    loop.open(near, at: at(4))
    loop.deliver(([0] as [UInt8]).span.bytes, over: .tcp, from: near, at: at(5), packet: 1)
    #expect(!loop.isConnected(near))
    #expect(
      loop.reader.lines == [
        "2 opened", "2 event opened", "3 closed", "3 event closed", "4 opened", "4 event opened",
        "5 delivered 1 [0] of 5", "5 replied tcp [0]", "5 event heard [0]", "5 disconnected",
      ])
  }

  @Test("A user's action and its reports are in the log")
  func whatAUserIsAskedForStandsInTheLogWithItsReports() {
    let lines = run(Echo(wakes: [3])) { loop in
      loop.ask(Press(words: "down"), of: near, at: at(4)) { _, time, perform in
        perform(.event(.told("done at \(time.nanoseconds)")), RawSpan())
        return [[1, 2]]
      }
    }
    #expect(lines == ["3 event wake", "4 asked down", "4 event done at 4", "4 replied beside [1, 2]"])
  }

  @Test("Steps of a recording are carried out in order")
  func stepsOfARecordingAreCarriedOutInTheirOrder() {
    let steps: [(LoopStep, [UInt8], Int64)] = [
      (.sent(packet: 1, by: near, over: .tcp), [5], 1), (.open(near, over: .tcp), [], 2),
      (.deliver(packet: 1, from: near, over: .tcp, sentAt: at(1)), [5], 3), (.close(near), [], 5),
    ]
    let lines = run(Echo(wakes: [4])) { loop in
      for (step, bytes, time) in steps { loop.take(step, bytes.span.bytes, at: at(time)) }
    }
    #expect(
      lines == [
        "1 sent 1 [5]", "2 opened", "2 event opened", "3 delivered 1 [5] of 1", "3 replied tcp [5]",
        "3 event heard [5]", "4 event wake", "5 closed", "5 event closed",
      ])
  }

  @Test("A kept entry has the name of its peer and bytes of its own")
  func aKeptEntryHasTheNameOfItsPeerAndBytesOfItsOwn() {
    struct Keeping: LogReader {
      var entries: [LogEntry<String, [UInt8]>] = []
      mutating func read(_ entry: LoopEntry, at time: Timestamp) {
        entries.append(entry.kept { $0 == near ? "a" : "?" })
      }
    }
    var loop = Loop(Echo(), Keeping(), side: SilentSide())
    loop.open(near, at: at(1))
    loop.deliver(([0] as [UInt8]).span.bytes, over: .tcp, from: near, at: at(2), packet: 3)
    let words = loop.reader.entries.map { "\($0)" }
    #expect(words.first == #"opened("a")"#)
    guard case .delivered([0], packet: 3, from: "a", over: .tcp, sentAt: at(2)) = loop.reader.entries[2] else {
      Issue.record("\(words)")
      return
    }
    #expect(words.last == #"disconnected("a")"#)
  }
}
