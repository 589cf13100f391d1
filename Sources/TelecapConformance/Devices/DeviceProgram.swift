import TelecapModels
import TelecapRecording
import TelecapText

/// How a device can be a program: what it is told as JSON Lines, what it prints, and what that is to us. A device has no wire
/// and no clock of its own: it says itself at what time of the run it does a thing, and is judged by that.
public struct DeviceProgram: Sendable {
  /// What it shows.
  public let shows: Set<Observable>
  /// What it prints, beside `done`.
  public let events: [DeviceEvent]
  /// The lanes of a picture in which what it tells stands apart; none for one of all.
  public let lanes: [DeviceLane]
  /// What it is told first: how it is set up.
  let setUp: @Sendable (Setup) -> [JSONMember]
  /// What it is told of a deed of its user.
  let asked: @Sendable (any UserAction) -> [JSONMember]
  /// What it is told of a payload that reached it; nil for one that says nothing.
  let given: @Sendable ([UInt8], Setup) -> [JSONMember]?
  /// What listens to it in one run.
  let listener: @Sendable (Script) -> any DeviceListener

  /// Times that differ by less are the same, ns: a program prints milliseconds.
  public static let tolerance: Nanoseconds = 1_000_000

  /// A device that is spoken to like this.
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

  /// What it prints, the last line of every device among it.
  var allEvents: [DeviceEvent] { events + [.done] }

  /// The rules by which what it prints is read where its file has none of its own for it: each event under its name, in
  /// the field `event`.
  func rules(beside own: [EventRule]) -> [EventRule] {
    allEvents.filter { event in !own.contains { $0.device == event } }.map { event in
      var rule = EventRule(.told, when: [EventRule.Condition(["event"], [event.name])])
      (rule.device, rule.shownByDevice) = (event, shows)
      return rule
    }
  }

  /// What the program is told in a run: an object a line, each with its time `t` in seconds and what happens then, `do`.
  /// The first sets it up, the last ends the run.
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

/// A lane of a picture: its name, and what of what a device tells stands in it.
public struct DeviceLane: Sendable {
  /// What it is called.
  public let name: String
  /// The words at a mark in it; nil for what does not stand in it.
  public let label: @Sendable (_ told: String) -> String?

  /// A lane.
  public init(_ name: String, label: @escaping @Sendable (String) -> String?) {
    (self.name, self.label) = (name, label)
  }
}

/// A kind of event that a device prints: a name and fields. Each has its time `t` in seconds of the run.
public struct DeviceEvent: Hashable, Sendable {
  /// A field of it.
  public struct Field: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The words of which it is one; empty for any text, nil for a number.
    public let words: [String]?
    /// An event without it cannot be read.
    public let isNeeded: Bool

    /// A number that must stand there.
    public static func number(_ name: String, isNeeded: Bool = true) -> Field {
      Field(name: name, words: nil, isNeeded: isNeeded)
    }

    /// A text, or one of these words, that must stand there.
    public static func text(_ name: String, _ words: [String] = [], isNeeded: Bool = true) -> Field {
      Field(name: name, words: words, isNeeded: isNeeded)
    }
  }

  /// Its name, as it stands under `event` and as a system file calls it.
  public let name: String
  /// Its fields.
  public let fields: [Field]

  /// An event of these fields, beside its time.
  public init(_ name: String, _ fields: [Field] = []) {
    self.name = name
    self.fields = [.number("t")] + fields
  }

  private init(bare name: String) { (self.name, fields) = (name, []) }

  /// The last line of every device: it has printed all that it does. One that ends without it broke.
  static let done = DeviceEvent(bare: "done")

  func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}

/// The fields of an event of a device, as its rule found them.
public struct DeviceFields: Sendable {
  var numbers: [String: Double] = [:]
  var texts: [String: String] = [:]

  /// A number; nil where it does not stand there.
  public func number(_ name: String) -> Double? { numbers[name] }
  /// A text; empty where it does not stand there.
  public func text(_ name: String) -> String { texts[name] ?? "" }
}

/// What makes events of ours out of what a device prints in one run, in the order in which it prints them.
public protocol DeviceListener {
  /// What an event of this name is to us.
  mutating func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent]
}

/// An event, and when it happens.
public struct TimedEvent: Sendable {
  /// The event.
  public let event: PeerEvent
  /// Its time in the run.
  public let time: Timestamp

  /// An event at this time.
  public init(_ event: PeerEvent, at time: Timestamp) { (self.event, self.time) = (event, time) }
}
