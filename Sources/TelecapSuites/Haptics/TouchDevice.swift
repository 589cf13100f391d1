import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapTele

/// A touch tracer as a system under test, correct or with one fault. Each datagram is a line of a trace; it reports the
/// result.
struct TouchDevice: Device {
  private var tracer: TouchTracer

  init(_ views: ViewTree, hasPressure: Bool, _ fault: TouchFault?) {
    tracer = TouchTracer(views, hasPressure: hasPressure, rules: fault?.rules ?? TracingRules())
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let sample = try? TouchSample(line: bytes.withUnsafeBytes { Array($0) }) else { return }
    tracer.receive(sample) { TouchDevice.tell($0, perform) }
  }

  /// Reports the result of a sample; an impact also as its own event.
  private static func tell(_ event: TouchEvent, _ perform: Perform) {
    if case .impact(let style, _, _) = event { perform(.event(.hapticImpact(style)), RawSpan()) }
    let words =
      switch event {
      case .impact(let style, let view, let reason): "\(style.rawValue) impact (on \(view), \(reason.rawValue))"
      case .sinks: "(\(event))"
      case .handedOn, .scrolled: event.description
      }
    perform(.event(.told(words)), RawSpan())
  }
}
