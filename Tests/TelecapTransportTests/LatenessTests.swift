import TelecapTransport
import Testing

@Suite struct LatenessTests {
  @Test("The summary without packets is all zero")
  func nothingRecordedIsAllZero() {
    let summary = LatenessRecorder().summary
    #expect(summary.count == 0)
    #expect([summary.p50, summary.p95, summary.p99, summary.max] == [0, 0, 0, 0])
    #expect(summary.driftPPM == 0)
  }

  @Test("Percentiles are the values at their ranks")
  func percentilesAreTheValuesAtTheirRanks() {
    var recorder = LatenessRecorder()
    for rank in 1...1000 {
      recorder.record(due: [Int64(rank) * 1_000_000], sent: Int64(rank) * 1_000_000 + Int64(rank))
    }
    let summary = recorder.summary
    #expect(summary.count == 1000)
    #expect(summary.p50 == 500)
    #expect(summary.p95 == 950)
    #expect(summary.p99 == 990)
    #expect(summary.max == 1000)
  }

  @Test("A sender that slips a microsecond a second drifts one part in a million")
  func aSenderThatSlipsAMicrosecondASecondDriftsOnePartInAMillion() {
    var recorder = LatenessRecorder()
    for second in 0..<100 {
      recorder.record(due: [Int64(second) * 1_000_000_000], sent: Int64(second) * 1_000_001_000)
    }
    #expect(abs(recorder.summary.driftPPM - 1) < 1e-9)
  }

  @Test("A constant delay is not drift")
  func aConstantDelayIsNoDrift() {
    var recorder = LatenessRecorder()
    for step in 0..<1000 { recorder.record(due: [Int64(step) * 1_000_000], sent: Int64(step) * 1_000_000 + 40_000) }
    #expect(abs(recorder.summary.driftPPM) < 1e-6)
    #expect(recorder.summary.max == 40_000)
  }

  @Test("Each packet of a batch has its own timing error")
  func eachPacketOfABatchHasItsOwnLateness() {
    var recorder = LatenessRecorder()
    recorder.record(due: [0, 1000, 2000], sent: 2000)
    #expect(recorder.summary.count == 3)
    #expect(recorder.summary.p50 == 1000)
    #expect(recorder.summary.max == 2000)
  }

  @Test("Extremes do not trap")
  func extremesDoNotTrap() {
    var recorder = LatenessRecorder()
    recorder.record(due: [.min, .max], sent: .max)
    recorder.record(due: [.max], sent: .min)
    #expect(recorder.summary.count == 3)
    #expect(recorder.summary.p50 == 0)
    #expect(recorder.summary.max == .max)
  }
}
