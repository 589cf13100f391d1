import TelecapHaptics
import TelecapImpairment
import TelecapModels

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
    let deliveries = plan.lines.flatMap { line in line.due.map { (time: $0, line: line) } }
    lost = trace.lines.count - Set(deliveries.map(\.line.packet)).count
    for (time, line) in deliveries.sorted(by: { ($0.time, $0.line.packet) < ($1.time, $1.line.packet) }) {
      var bytes = trace.lines[line.packet - 1].bytes
      for flip in line.flips where Int(flip / 8) < bytes.count { bytes[Int(flip / 8)] ^= 0x80 >> UInt8(flip % 8) }
      guard let sample = try? TouchSample(line: bytes) else {
        invalid += 1
        continue
      }
      delivered += 1
      var events: [TouchEvent] = []
      tracer.receive(sample) { events.append($0) }
      for event in events { try tell(event, time) }
    }
  }
}
