import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapText

/// A trace on its way through a planned network to a tracer, in virtual time.
public struct TouchRun: Sendable {
  /// Samples that never reached the tracer.
  public private(set) var lost = 0
  /// Samples that did, each copy counted.
  public private(set) var delivered = 0
  /// What reached it and is no sample, by flipped bits perhaps.
  public private(set) var invalid = 0

  /// Impacts that are felt.
  public private(set) var impacts = 0
  /// Samples that are handed on as ordinary touches.
  public private(set) var handedOn = 0

  /// Nothing yet.
  public init() {}

  /// Hands what the plan delivers to the tracer, in order of time; `tell` hears what comes of it, and when, in ns.
  public mutating func run(
    _ trace: TouchTrace, by plan: TouchPlan, _ tracer: inout TouchTracer,
    _ tell: (TouchEvent, Nanoseconds) throws -> Void
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
      for event in events {
        count(event)
        try tell(event, delivery.due)
      }
    }
    lost = trace.lines.count - arrived.count
  }

  /// The same; each event is written as a line of text or an object of JSON.
  public mutating func run(
    _ trace: TouchTrace, by plan: TouchPlan, _ tracer: inout TouchTracer, isJSON: Bool, to out: inout Output
  ) throws {
    var json = JSONWriter()
    try run(trace, by: plan, &tracer) { event, time in
      guard isJSON else { return try out.line(TouchText.line(event, at: time)) }
      TouchText.write(event, at: time, to: &json)
      try out.take(&json)
    }
    try out.flush()
  }

  private mutating func count(_ event: TouchEvent) {
    switch event {
    case .impact: impacts += 1
    case .handedOn: handedOn += 1
    case .scrolled, .sinks: break
    }
  }

  /// What it came to, in a sentence. What the network did is in it where it was asked for, or a saved plan said it.
  public func summary(of trace: TouchTrace, by plan: TouchPlan, isSaved: Bool) -> String {
    var words = "\(Numbers.grouped(trace.lines.count)) samples"
    if plan.header.impairments != .none || isSaved {
      words += ", \(lost) lost, \(delivered) delivered, seed \(plan.header.seed)"
    }
    if invalid > 0 { words += ", \(invalid) not valid" }
    return "\(words); \(impacts) impact\(impacts == 1 ? "" : "s"), \(handedOn) handed on"
  }
}
