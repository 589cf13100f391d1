import TelecapHaptics
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording

/// A trace on its way through a planned network to a tracer, in virtual time.
struct TouchRun {
  /// Samples that never reached the tracer.
  private(set) var lost = 0
  /// Samples that did, each copy counted.
  private(set) var delivered = 0
  /// What reached it and is no sample, by flipped bits perhaps.
  private(set) var invalid = 0

  /// Hands what the plan delivers to the tracer, in order of time.
  mutating func run(
    _ trace: TouchTrace, by plan: TouchPlan, _ tracer: inout TouchTracer, _ tell: (TouchEvent, Int64) throws -> Void
  ) throws {
    var arrived: Set<Int> = []
    func packet(_ number: Int) -> (bytes: [UInt8], sentAt: Timestamp) {
      (trace.lines[number - 1].bytes, Timestamp(nanoseconds: trace.lines[number - 1].time))
    }
    try Network.carryOut(plan.lines, of: packet) { delivery, bytes in
      arrived.insert(delivery.packet)
      guard let sample = try? TouchSample(line: bytes) else {
        invalid += 1
        return
      }
      delivered += 1
      var events: [TouchEvent] = []
      tracer.receive(sample) { events.append($0) }
      for event in events { try tell(event, delivery.due) }
    }
    lost = trace.lines.count - arrived.count
  }
}
