import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// What traces touches, right in all but one way.
struct FaultyTouch: Device {
  private let fault: TouchFault
  private let views: ViewTree
  private let hasPressure: Bool
  private var tracer: TouchTracer
  /// A touch was handed on before.
  private var wasLatched = false
  private var isLatched = false
  private var began: TouchSample?
  /// The sample at hand is the first behind its began.
  private var isFirstMove = false
  private var samples = 0

  init(_ views: ViewTree, hasPressure: Bool, _ fault: TouchFault) {
    self.fault = fault
    self.views = fault == .screenCoordinates ? ViewTree(FaultyTouch.flat(views.root)) : views
    self.hasPressure = hasPressure || fault == .tracesWithoutPressure
    tracer = TouchTracer(self.views, hasPressure: self.hasPressure)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let sample = TouchDevice.sample(bytes) else { return }
    samples = sample.phase == .began ? 0 : samples + 1
    isFirstMove = samples == 1
    if sample.phase == .began { begin(sample) }
    var events: [TouchEvent] = []
    tracer.receive(changed(sample)) { events.append($0) }
    for event in events.compactMap(changed) + more(sample, events) { TouchDevice.tell(event, perform) }
    for case .handedOn(.began, _) in events { (isLatched, wasLatched) = (true, true) }
    if sample.phase.isLast { isLatched = false }
  }

  /// A touch begins.
  private mutating func begin(_ sample: TouchSample) {
    began = sample
    switch fault {
    case .looksOnce:
      let chain = views.hit(x: sample.x, y: sample.y).map { views.chain(from: $0) } ?? []
      guard let place = chain.first(where: { views[$0]?.texture != nil }), var view = views[place] else { return }
      (view.x, view.y, view.width, view.height, view.children) = (-1e6, -1e6, 2e6, 2e6, [])
      tracer = TouchTracer(ViewTree(view), hasPressure: hasPressure)
    default: return
    }
  }

  /// What it takes a sample for.
  private mutating func changed(_ sample: TouchSample) -> TouchSample {
    var taken = sample
    guard hasPressure else { return sample }
    switch fault {
    case .thresholdInclusive where sample.force == TouchTracer.threshold: taken.force = sample.force.nextUp
    case .latchStays where wasLatched && !sample.phase.isLast: taken.force = TouchSample.usualMaximumForce
    case .tracesEveryFinger: taken.finger = 0
    case .forgetsLatch where isLatched && sample.force <= TouchTracer.threshold && !sample.phase.isLast:
      isLatched = false
      tracer = TouchTracer(views, hasPressure: hasPressure)
      taken.phase = .began
    default: break
    }
    return taken
  }

  /// What it makes of an event.
  private func changed(_ event: TouchEvent) -> TouchEvent? {
    guard hasPressure else { return event }
    return switch (fault, event) {
    case (.swallowsBegan, .handedOn(.began, _)), (.edgesEnterOnly, .impact(_, _, .edgeOut)): nil
    case (.mediumFirst, .impact(let style, let view, .scroll)):
      .impact(style == .light ? .medium : .light, on: view, .scroll)
    default: event
    }
  }

  /// What it does beside.
  private func more(_ sample: TouchSample, _ events: [TouchEvent]) -> [TouchEvent] {
    let hit = views.hit(x: sample.x, y: sample.y)
    let chain = (hit.map { views.chain(from: $0) } ?? []).compactMap { views[$0] }
    let name = hit.flatMap { views[$0]?.name }
    let texture = chain.first { $0.texture != nil }?.texture
    switch fault {
    case .forwardsLight where events.isEmpty: return [.handedOn(sample.phase, to: name)]
    case .lightTapActivates
    where sample.phase == .ended && !isLatched && sample.time - (began?.time ?? 0) < 300_000_000:
      return [.handedOn(.began, to: name), .handedOn(.ended, to: name)]
    case .grainEverySample where events.isEmpty && sample.phase == .moved && !isLatched:
      return texture == .grainy || texture == .lightGrain ? [.impact(.light, on: name ?? "", .grain)] : []
    case .globalLastPoint where events.isEmpty && sample.phase == .moved && isFirstMove:
      return texture == .grainy || texture == .lightGrain ? [.impact(.light, on: name ?? "", .grain)] : []
    case .feelsSmooth where sample.phase == .moved && !isLatched:
      return texture == .smooth ? [.impact(.light, on: name ?? "", .grain)] : []
    default: return []
    }
  }

  /// The views with their frames as if each lay on the screen itself.
  private static func flat(_ view: TouchView, _ x: Double = 0, _ y: Double = 0) -> TouchView {
    var result = view
    (result.x, result.y) = (view.x - x, view.y - y)
    result.children = view.children.map { flat($0, view.x, view.y) }
    return result
  }
}
