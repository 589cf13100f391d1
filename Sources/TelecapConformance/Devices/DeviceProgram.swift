import TelecapModels
import TelecapRecording
import TelecapText

/// How telecap drives a device as a program: its input as JSON Lines, its output, and the mapping of the output to
/// events. A device has no network and no clock of its own: it prints the time of the run at which it does a thing, and
/// that time is tested.
public struct DeviceProgram: Sendable {
  /// The observables of the device.
  public let shows: Set<Observable>
  /// The events that it prints, without `done`.
  public let events: [DeviceEvent]
  /// The lanes of a timeline for its output; empty for one lane of all.
  public let lanes: [DeviceLane]
  /// Makes the members of its first input line, which sets it up.
  let setUp: @Sendable (Setup) -> [JSONMember]
  /// Makes the members of the input line for an action of its user.
  let asked: @Sendable (any UserAction) -> [JSONMember]
  /// Makes the members of the input line for a delivered payload; nil for a payload without content.
  let given: @Sendable ([UInt8], Setup) -> [JSONMember]?
  /// Makes the listener of one run.
  let listener: @Sendable (Script) -> any DeviceListener

  /// The tolerance for times, in ns: a program prints milliseconds.
  public static let tolerance: Nanoseconds = 1_000_000

  /// A device with these events, lanes and input lines.
  public init(
    shows: Set<Observable>, events: [DeviceEvent], lanes: [DeviceLane] = [],
    setUp: @escaping @Sendable (Setup) -> [JSONMember] = { _ in [] },
    asked: @escaping @Sendable (any UserAction) -> [JSONMember] = { _ in [] },
    given: @escaping @Sendable ([UInt8], Setup) -> [JSONMember]? = { _, _ in nil },
    listener: @escaping @Sendable (Script) -> any DeviceListener
  ) {
    (self.shows, self.events, self.lanes, self.setUp) = (shows, events, lanes, setUp)
    (self.asked, self.given, self.listener) = (asked, given, listener)
  }

  /// All events that it prints, including `done`, the last line of every device.
  var allEvents: [DeviceEvent] { events + [.done] }

  /// The default rules for events for which a system file has no rule: each event by its name, in the field `event`.
  func rules(beside own: [EventRule]) -> [EventRule] {
    allEvents.filter { event in !own.contains { $0.device == event } }.map { event in
      var rule = EventRule(.told, when: [EventRule.Condition(["event"], [event.name])])
      (rule.device, rule.shownByDevice) = (event, shows)
      return rule
    }
  }

  /// The input of the program in a run: one object a line, with its time `t` in seconds and the action `do`. The first
  /// line sets it up; the last ends the run.
  public func stimulus(of script: Script) -> [String] {
    func line(_ time: Timestamp, _ members: [JSONMember]) -> String {
      JSONNode(.object([JSONMember("t", .number(time.seconds))] + members)).onOneLine
    }
    func what(_ word: String) -> JSONMember { JSONMember("do", .string(word)) }
    let role = JSONMember("role", .string(script.setup.part.name))
    var lines = [line(.zero, [what("set-up"), role] + setUp(script.setup))]
    for action in script.actions {
      switch action.work {
      case .send(let bytes, _): if let members = given(bytes, script.setup) { lines.append(line(action.time, members)) }
      case .ask(let deed): lines.append(line(action.time, asked(deed)))
      case .open, .close, .reset, .endSession: continue
      }
    }
    return lines + [line(script.end, [what("end")])]
  }
}

/// A lane of a timeline: its name, and the output of a device that it shows.
public struct DeviceLane: Sendable {
  /// The name of the lane.
  public let name: String
  /// The label of a mark in it; nil for output that the lane does not show.
  public let label: @Sendable (_ told: String) -> String?

  /// A lane.
  public init(_ name: String, label: @escaping @Sendable (String) -> String?) {
    (self.name, self.label) = (name, label)
  }
}

/// A kind of event that a device prints: a name and fields, with a time `t` in seconds of the run.
public struct DeviceEvent: Hashable, Sendable {
  /// A field of it.
  public struct Field: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The allowed words; empty for any text, nil for a number.
    public let words: [String]?
    /// Whether an event without it is unreadable.
    public let isNeeded: Bool

    /// A number, required by default.
    public static func number(_ name: String, isNeeded: Bool = true) -> Field {
      Field(name: name, words: nil, isNeeded: isNeeded)
    }

    /// A text, or one of these words, required by default.
    public static func text(_ name: String, _ words: [String] = [], isNeeded: Bool = true) -> Field {
      Field(name: name, words: words, isNeeded: isNeeded)
    }
  }

  /// Its name under `event` in the output and in a system file.
  public let name: String
  /// Its fields.
  public let fields: [Field]

  /// An event with these fields and its time.
  public init(_ name: String, _ fields: [Field] = []) {
    self.name = name
    self.fields = [.number("t")] + fields
  }

  private init(bare name: String) { (self.name, fields) = (name, []) }

  /// The last line of every device: all its output is printed. A device that ends without it has failed.
  static let done = DeviceEvent(bare: "done")

  func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}

/// The fields of an event of a device, as its rule matched them.
public struct DeviceFields: Sendable {
  var numbers: [String: Double] = [:]
  var texts: [String: String] = [:]

  /// A number; nil where the event lacks it.
  public func number(_ name: String) -> Double? { numbers[name] }
  /// A text; empty where the event lacks it.
  public func text(_ name: String) -> String { texts[name] ?? "" }
}

/// Makes events from the output of a device in one run, in the order of the output.
public protocol DeviceListener {
  /// Returns the events for an output event of this name.
  mutating func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent]
}

/// An event and its time.
public struct TimedEvent: Sendable {
  /// The event.
  public let event: PeerEvent
  /// Its time in the run.
  public let time: Timestamp

  /// An event at this time.
  public init(_ event: PeerEvent, at time: Timestamp) { (self.event, self.time) = (event, time) }
}
