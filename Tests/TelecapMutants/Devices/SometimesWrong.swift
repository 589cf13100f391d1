import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapWire

/// When a device is wrong that is right at other times.
struct Occasion: Sendable {
  /// Its name in those of mutants.
  let name: String
  /// Whether it is wrong now.
  let isNow: @Sendable (Moment) -> Bool

  init(_ name: String, _ isNow: @escaping @Sendable (Moment) -> Bool) { (self.name, self.isNow) = (name, isNow) }

  /// The state at a moment when a wrong device shows something else than a right one.
  struct Moment {
    /// How often it has done so, from 1.
    let count: Int
    /// The actions on it so far, the latest last.
    let asked: [any UserAction]
    let setup: Setup
  }

  /// Those of every device.
  static let all: [Occasion] = [
    Occasion("first") { $0.count == 1 }, Occasion("second") { $0.count == 2 },
    Occasion("from-second") { $0.count > 1 }, Occasion("one-in-2") { $0.count % 2 == 0 },
  ]
}

/// A right device and one that is wrong in one way, in parallel: on some occasions the wrong one's events are shown.
struct SometimesWrong: DrivenPeer {
  private var right: any DrivenPeer
  private var wrong: any DrivenPeer
  private let occasion: Occasion
  private let setup: Setup
  private let reach: Reach
  private var count = 0
  private var asked: [any UserAction] = []
  private(set) var broke: String?

  init(right: any DrivenPeer, wrong: any DrivenPeer, _ occasion: Occasion, _ setup: Setup, _ reach: Reach) {
    (self.right, self.wrong, self.occasion, self.setup, self.reach) = (right, wrong, occasion, setup, reach)
  }

  var nextWake: Timestamp? { [right.nextWake, wrong.nextWake].compactMap(\.self).min() }

  mutating func start(at time: Timestamp, _ perform: Perform) { act(perform) { $0.start(at: time, $1) } }
  mutating func stop(at time: Timestamp, _ perform: Perform) { act(perform) { $0.stop(at: time, $1) } }
  mutating func advance(to time: Timestamp, _ perform: Perform) { act(perform) { $0.advance(to: time, $1) } }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    asked.append(action)
    act(perform) { _ = $0.ask(action, at: time, $1) }
    return []
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from end: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    let bytes = bytes.withUnsafeBytes { Array($0) }
    if let sample = try? TouchSample(line: bytes) { asked.append(TouchAction(sample: sample)) }
    act(perform) { $0.receive(bytes.span.bytes, over: carrier, from: end, at: time, $1) }
  }

  private mutating func act(_ perform: Perform, _ work: (inout any DrivenPeer, Perform) -> Void) {
    var told = shown(by: &right, work)
    let other = wrong.broke == nil ? shown(by: &wrong, work) : []
    if "\(told)" != "\(other)" || wrong.broke != nil {
      count += 1
      if occasion.isNow(Occasion.Moment(count: count, asked: asked, setup: setup)) {
        reach.isTouched = true
        (told, broke) = (other, wrong.broke)
      }
    }
    for event in told { perform(.event(event), RawSpan()) }
  }
}
