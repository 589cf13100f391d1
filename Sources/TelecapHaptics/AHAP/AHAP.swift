import TelecapRecording
import TelecapText

/// An Apple Haptic and Audio Pattern: events in time, and what changes them while they play (haptics.md, AHAP; Apple,
/// "Representing haptic patterns in AHAP files").
///
/// It holds what a file says: values out of range stay as they are written, and what nobody understands is kept, so that a
/// file can be read, changed and written without loss. `AHAPTimeline` clamps.
public struct AHAP: Hashable, Sendable {
  /// The format's version; 1 where a file does not say.
  public var version = 1.0
  /// `Project`, `Created`, `Description` and whatever else, as it stands in the file.
  public var metadata: [JSONMember]?
  /// The pattern, in the order of the file.
  public var pattern: [Item]
  /// Members of the file that nobody defined.
  public var unknown: [JSONMember] = []

  /// A pattern of these items.
  public init(_ pattern: [Item], metadata: [JSONMember]? = nil) {
    self.pattern = pattern
    self.metadata = metadata
  }

  /// One element of `Pattern`.
  public enum Item: Hashable, Sendable {
    /// Something that is felt or heard.
    case event(Event)
    /// From its time on, a dynamic parameter has this value.
    case parameter(Parameter)
    /// From its time on, a dynamic parameter follows this curve.
    case curve(Curve)
    /// None of these, kept as it stands.
    case other(JSONNode)
  }

  /// `Event`.
  public struct Event: Hashable, Sendable {
    /// Seconds from the start of the pattern.
    public var time: Double
    /// What it is.
    public var type: EventType
    /// Seconds; nil where the file does not say.
    public var duration: Double?
    /// What it feels or sounds like.
    public var parameters: [Setting]
    /// Members that have no part in what is felt (`EventWaveformPath` and the like), or that nobody defined.
    public var others: [JSONMember] = []

    /// An event.
    public init(_ type: EventType, at time: Double, lasting duration: Double? = nil, _ parameters: [Setting] = []) {
      self.type = type
      self.time = time
      self.duration = duration
      self.parameters = parameters
    }

    /// The value of a parameter as the file has it, the last one where it stands twice; nil where there is none.
    public func value(of parameter: EventParameter) -> Double? {
      parameters.last { $0.id == parameter.rawValue }?.value
    }
  }

  /// A `ParameterID` with its `ParameterValue`.
  public struct Setting: Hashable, Sendable {
    /// The parameter's name.
    public var id: String
    /// Its value.
    public var value: Double
    /// Members that nobody defined.
    public var unknown: [JSONMember] = []

    /// A parameter that need not exist.
    public init(id: String, _ value: Double) {
      self.id = id
      self.value = value
    }

    /// An event's parameter.
    public init(_ parameter: EventParameter, _ value: Double) { self.init(id: parameter.rawValue, value) }

    /// A dynamic parameter.
    public init(_ parameter: DynamicParameter, _ value: Double) { self.init(id: parameter.rawValue, value) }
  }

  /// `Parameter`: a dynamic parameter's value from a time on.
  public struct Parameter: Hashable, Sendable {
    /// Seconds from the start of the pattern.
    public var time: Double
    /// The parameter and its value.
    public var setting: Setting

    /// A value from `time` on.
    public init(at time: Double, _ setting: Setting) {
      self.time = time
      self.setting = setting
    }
  }

  /// `ParameterCurve`: a dynamic parameter that changes in straight lines.
  public struct Curve: Hashable, Sendable {
    /// Seconds from the start of the pattern.
    public var time: Double
    /// The dynamic parameter's name.
    public var id: String
    /// What it goes through, with times relative to the curve's.
    public var points: [Point]
    /// Members that nobody defined.
    public var unknown: [JSONMember] = []

    /// A curve through `points`.
    public init(_ parameter: DynamicParameter, at time: Double, _ points: [Point]) {
      self.init(id: parameter.rawValue, at: time, points)
    }

    /// A curve of a parameter that need not exist.
    public init(id: String, at time: Double, _ points: [Point]) {
      self.id = id
      self.time = time
      self.points = points
    }
  }

  /// A control point.
  public struct Point: Hashable, Sendable {
    /// Seconds from the curve's `Time`, not from the start of the pattern.
    public var time: Double
    /// The dynamic parameter's value.
    public var value: Double
    /// Members that nobody defined.
    public var unknown: [JSONMember] = []

    /// A point.
    public init(_ time: Double, _ value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// How long a continuous event lasts at most, in s (haptics.md, AHAP).
  public static let longestEvent = 30.0
  /// How many points third parties report a curve to hold; Apple states no limit (haptics.md, AHAP).
  public static let mostCurvePoints = 16
}
