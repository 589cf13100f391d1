import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapTele

/// What traces touches as a system under test, right, or wrong in one way: each datagram is a line of a trace; what comes of it is told.
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

  /// Tells what came of a sample, an impact also as what it is.
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
