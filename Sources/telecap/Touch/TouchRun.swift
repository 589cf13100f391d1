import TelecapImpairment
import TelecapModels

/// A trace on its way through a network to a tracer, in virtual time.
struct TouchRun {
  /// What became of the samples.
  private(set) var lost = 0
  /// Samples that reached the tracer, each copy counted.
  private(set) var delivered = 0
  /// What reached it and is no sample, by flipped bits perhaps.
  private(set) var invalid = 0
  private let impairments: Impairments
  private let seed: UInt64

  init(_ impairments: Impairments, seed: UInt64) {
    self.impairments = impairments
    self.seed = seed
  }

  /// Plans the network, and hands what it delivers to the tracer, in order of time. What begins and ends a touch is always
  /// delivered: a trace without it is no touch.
  mutating func run(
    _ trace: TouchTrace, _ tracer: inout TouchTracer, _ tell: (TouchEvent, Int64) throws -> Void
  ) throws {
    for (time, index, flips) in plan(trace) {
      var bytes = trace.lines[index].bytes
      for flip in flips where Int(flip / 8) < bytes.count { bytes[Int(flip / 8)] ^= 0x80 >> UInt8(flip % 8) }
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

  /// Which line is delivered when, with which bits flipped.
  private mutating func plan(_ trace: TouchTrace) -> [(time: Int64, index: Int, flips: Few<UInt32>)] {
    var planner = Planner(impairments, seed: seed)
    var deliveries: [(time: Int64, index: Int, flips: Few<UInt32>)] = []
    var dropped = 0
    func carryOut(_ line: PlanLine) {
      if line.due.isEmpty { dropped += 1 }
      for due in line.due { deliveries.append((due, line.packet - 1, line.flips)) }
    }
    for (index, line) in trace.lines.enumerated() {
      let phase = (try? TouchSample(line: line.bytes))?.phase
      planner.plan(
        PlannedPacket(
          number: index + 1, time: line.time, length: line.bytes.count,
          isSelected: phase == .moved || phase == .stationary)
      ) { line, _ in carryOut(line) }
    }
    planner.finish { line, _ in carryOut(line) }
    lost = dropped
    return deliveries.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
  }
}
