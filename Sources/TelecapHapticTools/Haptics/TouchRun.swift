import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapText

/// Runs a trace through a planned network to a tracer, in virtual time.
public struct TouchRun: Sendable {
  /// The number of samples that did not reach the tracer.
  public private(set) var lost = 0
  /// The number of delivered samples, counting each copy.
  public private(set) var delivered = 0
  /// The number of delivered lines that are not valid samples, for example because of flipped bits.
  public private(set) var invalid = 0

  /// The number of impacts.
  public private(set) var impacts = 0
  /// The number of samples that were forwarded as ordinary touches.
  public private(set) var handedOn = 0

  /// Without counts.
  public init() {}

  /// Passes the delivered samples to the tracer, in order of time; `tell` receives each event with its time in ns.
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

  /// The same; each event is written as a line of text or of JSON.
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

  /// The results as a sentence, with the effects of the network if one was requested, or the plan is a saved one.
  public func summary(of trace: TouchTrace, by plan: TouchPlan, isSaved: Bool) -> String {
    var words = "\(Numbers.grouped(trace.lines.count)) samples"
    if plan.header.impairments != .none || isSaved {
      words += ", \(lost) lost, \(delivered) delivered, seed \(plan.header.seed)"
    }
    if invalid > 0 { words += ", \(invalid) not valid" }
    return "\(words); \(impacts) impact\(impacts == 1 ? "" : "s"), \(handedOn) handed on"
  }
}
