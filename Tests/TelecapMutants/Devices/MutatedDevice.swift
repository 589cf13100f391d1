import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

/// One change of a right device. A nil member changes nothing.
struct DeviceMutation: Sendable {
  /// Another set-up.
  var setup: (@Sendable (inout Setup) -> Void)?
  /// The actions on it in place of an action.
  var asks: (@Sendable (any UserAction, inout DeviceMemory) -> [any UserAction])?
  /// In place of showing an event.
  var shows: (@Sendable (PeerEvent, inout DeviceMemory) -> [DelayedEvent])?
  /// It is wrong in a way of the right model's own, but only now and then.
  var sometimes: (fault: String, occasion: Occasion)?
}

/// An event that a mutant of a device shows.
struct DelayedEvent: Sendable {
  let event: PeerEvent
  /// How much later, in ns.
  var after: Int64 = 0

  init(_ event: PeerEvent, after: Int64 = 0) { (self.event, self.after) = (event, after) }
}

/// The state of a device's mutant while it runs.
struct DeviceMemory: Sendable {
  var count = 0
  var isArmed = false
  /// Numbers that came before.
  var values: [Double] = []
  /// Words that came before.
  var words: [String] = []
  /// The last action on it.
  var last: (any UserAction)?
}

/// A sample of a touch, as what is done to what traces touches.
struct TouchAction: UserAction {
  var sample: TouchSample
  var words: String { sample.phase.rawValue }
}

/// A right device with one change around it. Without a change it is the right device.
struct MutatedDevice: DrivenPeer {
  private var base: any DrivenPeer
  private let mutation: DeviceMutation
  private let reach: Reach
  private var memory = DeviceMemory()
  private var time = Timestamp.zero
  /// The pending events, in order of time.
  private var later: [(due: Timestamp, event: PeerEvent)] = []

  /// The right model, set up as `setup` says, with this change.
  ///
  /// - Throws: `WireError` where it cannot be set up so.
  init(_ right: PartModel, _ mutation: DeviceMutation, _ setup: Setup, _ reach: Reach) throws(WireError) {
    (self.mutation, self.reach) = (mutation, reach)
    var changed = setup
    mutation.setup?(&changed)
    if "\(changed)" != "\(setup)" { reach.isTouched = true }
    base = try right.model(changed)
    if let (fault, occasion) = mutation.sometimes {
      base = SometimesWrong(right: base, wrong: try right.model(changed, fault: fault), occasion, changed, reach)
    }
  }

  var broke: String? { base.broke }

  var nextWake: Timestamp? {
    guard let due = later.first?.due else { return base.nextWake }
    return base.nextWake.map { min($0, due) } ?? due
  }

  mutating func start(at time: Timestamp, _ perform: Perform) { act(at: time, perform) { $0.start(at: time, $1) } }
  mutating func stop(at time: Timestamp, _ perform: Perform) { act(at: time, perform) { $0.stop(at: time, $1) } }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    while let first = later.first, first.due <= time {
      later.removeFirst()
      MutatedDevice.perform(first.event, perform)
    }
    act(at: time, perform) { $0.advance(to: time, $1) }
  }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    for action in asked(action) { act(at: time, perform) { _ = $0.ask(action, at: time, $1) } }
    return []
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from end: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    let bytes = bytes.withUnsafeBytes { Array($0) }
    guard let sample = try? TouchSample(line: bytes) else {
      return act(at: time, perform) { $0.receive(bytes.span.bytes, over: carrier, from: end, at: time, $1) }
    }
    for case let touch as TouchAction in asked(TouchAction(sample: sample)) {
      let line = Array(touch.sample.line.utf8)
      act(at: time, perform) { $0.receive(line.span.bytes, over: carrier, from: end, at: time, $1) }
    }
  }

  private mutating func asked(_ action: any UserAction) -> [any UserAction] {
    memory.last = action
    guard let asks = mutation.asks else { return [action] }
    let asked = asks(action, &memory)
    if asked.map({ "\($0)" }) != ["\(action)"] { reach.isTouched = true }
    return asked
  }

  /// Passes on what the right model shows, changed.
  private mutating func act(at time: Timestamp, _ perform: Perform, _ work: (inout any DrivenPeer, Perform) -> Void) {
    self.time = time
    // An impact comes before the words about it, which say what it is: they decide.
    for event in shown(by: &base, work) where !MutatedDevice.isImpact(event) {
      let changed = mutation.shows?(event, &memory) ?? [DelayedEvent(event)]
      if changed.count != 1 || changed[0].after > 0 || "\(changed[0].event)" != "\(event)" { reach.isTouched = true }
      for one in changed { show(one.event, after: one.after, perform) }
    }
  }

  private mutating func show(_ event: PeerEvent, after: Int64, _ perform: Perform) {
    guard after > 0 else { return MutatedDevice.perform(event, perform) }
    let due = time.advanced(byNanoseconds: after)
    later.insert((due, event), at: later.firstIndex { $0.due > due } ?? later.count)
  }

  private static func isImpact(_ event: PeerEvent) -> Bool { event.impact != nil }

  /// Shows an event, and before words about an impact the impact.
  private static func perform(_ event: PeerEvent, _ perform: Perform) {
    if case .told(let line) = event {
      let words = line.split(separator: " ")
      if words.count > 1, words[1] == "impact", let impact = HapticImpact(rawValue: String(words[0])) {
        perform(.event(.hapticImpact(impact)), RawSpan())
      }
    }
    perform(.event(event), RawSpan())
  }
}

/// The events of a device during an action.
func shown(by device: inout any DrivenPeer, _ work: (inout any DrivenPeer, Perform) -> Void) -> [PeerEvent] {
  var shown: [PeerEvent] = []
  work(&device) { action, _ in if case .event(let event) = action { shown.append(event) } }
  return shown
}
