import TelecapRecording

/// Everything that can be found about an AHAP file, each with its id, which never changes.
public enum AHAPRule: String, Sendable, CaseIterable {
  /// The text is not JSON.
  case syntax = "ahap.json.syntax"
  /// A comma behind the last member.
  case trailingComma = "ahap.json.trailing-comma"
  /// A key that stands twice in an object.
  case repeatedKey = "ahap.json.repeated-key"
  /// A value of another kind than its key has.
  case wrongType = "ahap.value.type"
  /// A number larger than any.
  case notFinite = "ahap.value.not-finite"
  /// A number outside its range.
  case outOfRange = "ahap.value.out-of-range"
  /// A key that nobody defined.
  case unknownKey = "ahap.key.unknown"
  /// A key that is not there.
  case missingKey = "ahap.key.missing"
  /// A file without a pattern.
  case missingPattern = "ahap.pattern.missing"
  /// A version that is missing, is text, or is not 1.
  case version = "ahap.version"
  /// An element of the pattern that is no event, parameter or curve.
  case emptyItem = "ahap.item.empty"
  /// An event of no type that is defined.
  case eventType = "ahap.event.type"
  /// A time before the start.
  case negativeTime = "ahap.time.negative"
  /// A continuous event without its duration.
  case missingDuration = "ahap.event.duration-missing"
  /// A transient event with a duration.
  case unusedDuration = "ahap.event.duration-unused"
  /// A continuous event that lasts too long.
  case longEvent = "ahap.event.longer-than-30s"
  /// A custom sound without its file.
  case missingWaveform = "ahap.event.waveform-missing"
  /// An event's HapticSharpness below 0, as if it were the control.
  case negativeSharpness = "ahap.event.sharpness-negative"
  /// A ParameterID that is not defined there.
  case unknownParameter = "ahap.parameter.unknown"
  /// An intensity, sharpness or volume that is left to a default that nobody published.
  case unpublishedDefault = "ahap.parameter.default"
  /// A parameter that an event has twice.
  case repeatedParameter = "ahap.parameter.repeated"
  /// Events that are not in the order of their times.
  case unsortedEvents = "ahap.pattern.unsorted"
  /// A curve without points.
  case emptyCurve = "ahap.curve.empty"
  /// A curve of more than 16 points.
  case curvePoints = "ahap.curve.points"
  /// Control points that are not in the order of their times.
  case unsortedCurve = "ahap.curve.unsorted"
  /// A rumble that the transient before it hides.
  case adviceGap = "ahap.advice.gap"
  /// A decay that costs battery.
  case adviceDecay = "ahap.advice.decay"
  /// A pattern that is slow to parse.
  case adviceLoad = "ahap.advice.load"
  /// A continuous event lasts longer than a second.
  case adviceLong = "ahap.advice.long"

  /// It is advice: nothing is wrong with the file.
  public var isAdvice: Bool { [.adviceGap, .adviceDecay, .adviceLoad, .adviceLong].contains(self) }

  /// How bad it is: an error is what no player takes; a warning what it changes or passes over.
  public var severity: Severity {
    switch self {
    case .syntax, .wrongType, .notFinite, .eventType, .negativeTime: .error
    case .missingKey, .version, .unusedDuration, .unpublishedDefault, .unsortedEvents, .adviceGap, .adviceDecay,
      .adviceLoad, .adviceLong:
      .note
    default: .warning
    }
  }

  /// The text that the rule comes from.
  public var source: String {
    switch self {
    case .syntax: "RFC 8259"
    case .repeatedKey: "RFC 8259, §4"
    case .wrongType, .notFinite: "Haptics, AHAP: keys (derived)"
    case .eventType: "Haptics, AHAP: EventType"
    case .unusedDuration, .missingWaveform, .repeatedParameter, .emptyItem, .emptyCurve, .unsortedCurve:
      "Haptics, AHAP (derived)"
    case .unknownParameter: "Haptics, AHAP: parameters"
    case .unpublishedDefault: "Haptics, AHAP: event parameters; Apple publishes no default"
    case .curvePoints: "Haptics, AHAP: third parties report the limit; Apple states none"
    case .adviceGap: "Seed 001, 2.2: the rumble starts 20 ms later to avoid masking the transient"
    case .adviceDecay: "Seed 001, 6.2: limit the decay to 500 ms; long rumbles are battery killers"
    case .adviceLong: "Haptics, One event, three senses: any continuous event over 1 s costs power"
    case .adviceLoad: "Seed 001, 2.3: parsing never happens on the render thread"
    default: "Haptics, AHAP"
    }
  }
}
