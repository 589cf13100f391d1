import TelecapRecording
import TelecapText

/// An Apple Haptic and Audio Pattern: timed events, and changes of parameters during playback (haptics.md, AHAP; Apple,
/// "Representing haptic patterns in AHAP files").
///
/// Contains the file's values as written, also those out of range, and unknown members, so that a file can be read,
/// changed and written without loss. `HapticTimeline` clamps.
public struct AHAP: Hashable, Sendable {
  /// The format's version; 1 if the file has none.
  public var version = 1.0
  /// `Project`, `Created`, `Description` and any other members, as in the file.
  public var metadata: [JSONMember]?
  /// The pattern, in the order of the file.
  public var pattern: [Item]
  /// Unknown members of the file.
  public var unknown: [JSONMember] = []

  /// A pattern of these items.
  public init(_ pattern: [Item], metadata: [JSONMember]? = nil) {
    self.pattern = pattern
    self.metadata = metadata
  }

  /// One element of `Pattern`.
  public enum Item: Hashable, Sendable {
    /// An event that is felt or heard.
    case event(Event)
    /// A value of a dynamic parameter from a time on.
    case parameter(Parameter)
    /// A curve of a dynamic parameter from a time on.
    case curve(Curve)
    /// Any other element, unchanged.
    case other(JSONNode)
  }

  /// `Event`.
  public struct Event: Hashable, Sendable {
    /// Seconds from the start of the pattern.
    public var time: Double
    /// Its type.
    public var type: EventType
    /// Seconds; nil if the file has none.
    public var duration: Double?
    /// Its parameters, such as intensity and sharpness.
    public var parameters: [Setting]
    /// Members without effect on haptics (`EventWaveformPath` and others), and unknown members.
    public var others: [JSONMember] = []

    /// An event.
    public init(_ type: EventType, at time: Double, lasting duration: Double? = nil, _ parameters: [Setting] = []) {
      self.type = type
      self.time = time
      self.duration = duration
      self.parameters = parameters
    }

    /// The value of a parameter as in the file, the last one if it is repeated; nil if there is none.
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
    /// Unknown members.
    public var unknown: [JSONMember] = []

    /// A parameter with any id, also an unknown one.
    public init(id: String, _ value: Double) {
      self.id = id
      self.value = value
    }

    /// An event's parameter.
    public init(_ parameter: EventParameter, _ value: Double) { self.init(id: parameter.rawValue, value) }

    /// A dynamic parameter.
    public init(_ parameter: DynamicParameter, _ value: Double) { self.init(id: parameter.rawValue, value) }
  }

  /// `Parameter`: the value of a dynamic parameter from a time on.
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

  /// `ParameterCurve`: linear changes of a dynamic parameter.
  public struct Curve: Hashable, Sendable {
    /// Seconds from the start of the pattern.
    public var time: Double
    /// The dynamic parameter's name.
    public var id: String
    /// Its control points, with times relative to the curve's.
    public var points: [Point]
    /// Unknown members.
    public var unknown: [JSONMember] = []

    /// A curve through `points`.
    public init(_ parameter: DynamicParameter, at time: Double, _ points: [Point]) {
      self.init(id: parameter.rawValue, at: time, points)
    }

    /// A curve of a parameter with any id, also an unknown one.
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
    /// Unknown members.
    public var unknown: [JSONMember] = []

    /// A point.
    public init(_ time: Double, _ value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// The maximum duration of a continuous event, in s (haptics.md, AHAP).
  public static let longestEvent = 30.0
  /// The maximum number of points in a curve, as third parties report it; Apple states no limit (haptics.md, AHAP).
  public static let mostCurvePoints = 16
}
