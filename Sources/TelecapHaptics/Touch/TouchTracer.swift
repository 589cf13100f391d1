import TelecapRecording

/// Traces touches: a light touch feels a control, a hard press activates it (touch.md; NevHaptics). A state machine
/// over samples, which emits impacts and the samples that are forwarded as ordinary touches. No content of a trace
/// traps.
public struct TouchTracer: Sendable {
  /// The force above which a touch activates (touch.md, threshold), unless a view has its own.
  public static let threshold = 2.0
  /// The force above which a scroll view scrolls: slightly harder than a tracing touch (derived: the text has no
  /// number).
  public static let scrollThreshold = 1.0
  /// The distance after which grain is felt, in points.
  static let grain = 5.0
  /// The distance after which light grain, and the coarser texture of a scrolling view, is felt, in points (the latter
  /// derived).
  static let coarse = 10.0

  /// Receives the events of a sample, in order.
  public typealias Tell = (TouchEvent) -> Void

  /// The screen.
  public private(set) var views: ViewTree
  /// Whether the device measures pressure.
  public let hasPressure: Bool
  private let rules: TracingRules
  private var fingers: [Int: Finger] = [:]
  /// The traced finger: the first that came down.
  private var traced: Int?
  /// Whether a touch was forwarded before.
  private var hasLatched = false

  private enum Finger: Sendable {
    case tracing(Trace)
    /// A control owns the touch until it ends.
    case latched(ViewTree.Place?)
  }

  /// The state of a traced touch.
  private struct Trace: Sendable {
    /// The time at which the touch began, and the view that was felt there.
    let began: Nanoseconds
    let felt: ViewTree.Place?
    /// Whether the finger has not moved yet.
    var isFirstMove = true
    /// The position of the last impact; at first that of the start of the touch.
    var x: Double
    var y: Double
    /// The last position of the finger.
    var lastX: Double
    var lastY: Double
    /// The views under the finger, from the front.
    var chain: [ViewTree.Place] = []
    /// Whether the next impact of a scroll view is the medium one.
    var isMediumNext = false
    /// The button under the finger, and the last depth that was emitted, in tenths.
    var button: String?
    var depth = 0

    init(_ sample: TouchSample, _ felt: ViewTree.Place?, _ rules: TracingRules) {
      (began, self.felt) = (sample.time, felt)
      (x, y, lastX, lastY) = (sample.x, sample.y, sample.x, sample.y)
      isMediumNext = rules.scrollsMediumFirst
    }
  }

  /// A tracer over a screen.
  public init(_ views: ViewTree, hasPressure: Bool = true, rules: TracingRules = TracingRules()) {
    self.views = views
    self.views.framesAreNested = rules.framesAreNested
    self.hasPressure = hasPressure
    self.rules = rules
  }

  /// Handles the next sample.
  public mutating func receive(_ sample: TouchSample, _ tell: Tell) {
    let hit = views.hit(x: sample.x, y: sample.y)
    let isMeasured = hasPressure && sample.maximumForce > 0
    guard isMeasured || !rules.needsPressure else { return untouched(sample, hit, tell) }
    // A sample without a `began` before it, late or from before the trace, is not a touch (derived).
    let known = sample.phase == .began ? .tracing(Trace(sample, responder(at: hit), rules)) : fingers[sample.finger]
    guard var finger = known else { return }
    if traced == nil { traced = sample.finger }
    if case .latched(let place) = finger, !rules.keepsLatch, !sample.phase.isLast, !activates(sample, at: place) {
      finger = .tracing(Trace(sample, responder(at: hit), rules))
    }
    switch finger {
    case .latched(let place): handOn(sample.phase, to: place, tell)
    case .tracing(var trace):
      let hit = rules.looksAgain ? hit : trace.felt ?? hit
      if activates(sample, at: hit), !sample.phase.isLast {
        if rules.tellsBegan { handOn(.began, to: hit, tell) }
        finger = .latched(hit)
        hasLatched = true
      } else {
        if sample.finger == traced || !rules.tracesOneFinger { follow(sample, hit, &trace, tell) }
        if rules.handsLightOn { handOn(sample.phase, to: hit, tell) }
        if let tap = rules.tapNanoseconds, sample.phase == .ended, sample.time - trace.began < tap {
          handOn(.began, to: hit, tell)
          handOn(.ended, to: hit, tell)
        }
        finger = .tracing(trace)
      }
    }
    fingers[sample.finger] = sample.phase.isLast ? nil : finger
    if sample.phase.isLast, traced == sample.finger { traced = nil }
  }

  // MARK: - Forwarding

  /// Handles a device without pressure: every sample goes to the view in which its touch began.
  private mutating func untouched(_ sample: TouchSample, _ hit: ViewTree.Place?, _ tell: Tell) {
    var place = hit
    if sample.phase != .began, case .latched(let first)? = fingers[sample.finger] { place = first }
    handOn(sample.phase, to: place, tell)
    fingers[sample.finger] = sample.phase.isLast ? nil : .latched(place)
  }

  private func handOn(_ phase: TouchSample.Phase, to place: ViewTree.Place?, _ tell: Tell) {
    tell(.handedOn(phase, to: place.flatMap { views[$0]?.name }))
  }

  /// The first view of the responder chain that handles tracing.
  private func responder(at place: ViewTree.Place?) -> ViewTree.Place? {
    place.flatMap { views.chain(from: $0).first { views[$0]?.texture != nil } }
  }

  /// Whether the pressure activates the view under the finger.
  private func activates(_ sample: TouchSample, at place: ViewTree.Place?) -> Bool {
    if hasLatched, !rules.endsLatch { return true }
    let threshold = threshold(at: place)
    return sample.force > threshold || (rules.activatesAtThreshold && sample.force == threshold)
  }

  /// The threshold of the first view of the responder chain that has one.
  private func threshold(at place: ViewTree.Place?) -> Double {
    guard let place else { return TouchTracer.threshold }
    return views.chain(from: place).lazy.compactMap { views[$0]?.threshold }.first ?? TouchTracer.threshold
  }

  // MARK: - Tracing

  /// Emits the haptics of the view under the finger: the first of the responder chain that handles tracing.
  private mutating func follow(
    _ sample: TouchSample, _ hit: ViewTree.Place?, _ trace: inout Trace, _ tell: Tell
  ) {
    let chain = hit.map { views.chain(from: $0) } ?? []
    defer {
      (trace.lastX, trace.lastY, trace.chain) = (sample.x, sample.y, chain)
      if sample.phase != .began { trace.isFirstMove = false }
    }
    if sample.phase != .began { cross(from: trace.chain, to: chain, sample, &trace, tell) }
    let responder = sample.phase.isLast ? nil : chain.first { views[$0]?.texture != nil }
    sink(responder.flatMap { views[$0] }, sample, &trace, tell)
    guard let responder, let view = views[responder] else { return }
    let scrolls = view.kind == .scroll && sample.force > TouchTracer.scrollThreshold
    if scrolls { scroll(responder, view, sample, trace, tell) }
    let distance = TouchTracer.distance(sample, trace)
    let isGrain = sample.phase == .moved && rules.grainsAlways
    let isFromCorner = sample.phase == .moved && trace.isFirstMove && !rules.measuresFromTouch
    switch view.texture {
    case .lightGrain? where isFromCorner && distance <= TouchTracer.coarse,
      .grainy? where isFromCorner && distance <= TouchTracer.grain:
      tell(.impact(.light, on: view.name, .grain))
    case .smooth? where rules.feelsSmooth && sample.phase == .moved: feel(.light, view, .grain, sample, &trace, tell)
    case .lightGrain? where distance > TouchTracer.coarse || isGrain: feel(.light, view, .grain, sample, &trace, tell)
    case .grainy? where distance > TouchTracer.grain || isGrain: feel(.light, view, .grain, sample, &trace, tell)
    case .scrolly? where distance > (scrolls ? TouchTracer.coarse : TouchTracer.grain):
      feel(trace.isMediumNext ? .medium : .light, view, .scroll, sample, &trace, tell)
      trace.isMediumNext.toggle()
    default: return
    }
  }

  /// Emits the impacts of the edges that the finger crosses.
  private func cross(
    from before: [ViewTree.Place], to now: [ViewTree.Place], _ sample: TouchSample, _ trace: inout Trace, _ tell: Tell
  ) {
    for place in before where !now.contains(place) && rules.feelsWayOut { edge(place, .edgeOut, sample, &trace, tell) }
    for place in now where !before.contains(place) { edge(place, .edgeIn, sample, &trace, tell) }
  }

  private func edge(
    _ place: ViewTree.Place, _ reason: TouchEvent.Reason, _ sample: TouchSample, _ trace: inout Trace, _ tell: Tell
  ) {
    guard let view = views[place] else { return }
    switch view.texture {
    case .lowEdges?: feel(.light, view, reason, sample, &trace, tell)
    case .highEdges?: feel(.medium, view, reason, sample, &trace, tell)
    default: return
    }
  }

  private func feel(
    _ style: HapticImpact, _ view: TouchView, _ reason: TouchEvent.Reason, _ sample: TouchSample,
    _ trace: inout Trace, _ tell: Tell
  ) {
    (trace.x, trace.y) = (sample.x, sample.y)
    tell(.impact(style, on: view.name, reason))
  }

  /// Emits the depth of a button at each tenth: it follows the finger down, and comes up when the finger leaves it.
  private func sink(_ view: TouchView?, _ sample: TouchSample, _ trace: inout Trace, _ tell: Tell) {
    let button = view?.kind == .button ? view : nil
    if let left = trace.button, left != button?.name {
      if trace.depth > 0 { tell(.sinks(left, depth: 0)) }
      trace.depth = 0
    }
    trace.button = button?.name
    guard let view = button else { return }
    let share = sample.force / (view.threshold ?? TouchTracer.threshold)
    let depth = share.isFinite ? Int((max(0, min(1, share)) * 10).rounded(.down)) : 0
    guard depth != trace.depth else { return }
    trace.depth = depth
    tell(.sinks(view.name, depth: Double(depth) / 10))
  }

  /// Scrolls the content with the finger.
  private mutating func scroll(
    _ place: ViewTree.Place, _ view: TouchView, _ sample: TouchSample, _ trace: Trace, _ tell: Tell
  ) {
    let (x, y) = (sample.x - trace.lastX, sample.y - trace.lastY)
    guard x != 0 || y != 0, x.isFinite, y.isFinite else { return }
    views.scroll(place, x: x, y: y)
    tell(.scrolled(view.name, x: x, y: y))
  }

  private static func distance(_ sample: TouchSample, _ trace: Trace) -> Double {
    let (x, y) = (sample.x - trace.x, sample.y - trace.y)
    return (x * x + y * y).squareRoot()
  }
}
