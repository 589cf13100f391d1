import TelecapRecording

/// The rules for AHAP files. Their ids never change.
public enum AHAPRule: String, Sendable, CaseIterable {
  /// The text is not JSON.
  case syntax = "ahap.json.syntax"
  /// A comma after the last member.
  case trailingComma = "ahap.json.trailing-comma"
  /// A repeated key of an object.
  case repeatedKey = "ahap.json.repeated-key"
  /// A value of the wrong kind.
  case wrongType = "ahap.value.type"
  /// A number that is too large for a Double.
  case notFinite = "ahap.value.not-finite"
  /// A number outside its range.
  case outOfRange = "ahap.value.out-of-range"
  /// An unknown key.
  case unknownKey = "ahap.key.unknown"
  /// A missing key.
  case missingKey = "ahap.key.missing"
  /// A file without a pattern.
  case missingPattern = "ahap.pattern.missing"
  /// A version that is missing, is text, or is not 1.
  case version = "ahap.version"
  /// An element of the pattern that is neither an event, a parameter nor a curve.
  case emptyItem = "ahap.item.empty"
  /// An event of an unknown type.
  case eventType = "ahap.event.type"
  /// A time before the start.
  case negativeTime = "ahap.time.negative"
  /// A continuous event without a duration.
  case missingDuration = "ahap.event.duration-missing"
  /// A transient event with a duration.
  case unusedDuration = "ahap.event.duration-unused"
  /// A continuous event that lasts too long.
  case longEvent = "ahap.event.longer-than-30s"
  /// A custom sound without its file.
  case missingWaveform = "ahap.event.waveform-missing"
  /// An event's HapticSharpness below 0, which only the dynamic parameter allows.
  case negativeSharpness = "ahap.event.sharpness-negative"
  /// An unknown ParameterID.
  case unknownParameter = "ahap.parameter.unknown"
  /// An intensity, sharpness or volume whose default is unpublished.
  case unpublishedDefault = "ahap.parameter.default"
  /// A repeated parameter of an event.
  case repeatedParameter = "ahap.parameter.repeated"
  /// Events out of the order of their times.
  case unsortedEvents = "ahap.pattern.unsorted"
  /// A curve without points.
  case emptyCurve = "ahap.curve.empty"
  /// A curve of more than 16 points.
  case curvePoints = "ahap.curve.points"
  /// Control points out of the order of their times.
  case unsortedCurve = "ahap.curve.unsorted"
  /// A rumble that the transient before it hides.
  case adviceGap = "ahap.advice.gap"
  /// A decay so long that it costs battery.
  case adviceDecay = "ahap.advice.decay"
  /// A pattern that is slow to parse.
  case adviceLoad = "ahap.advice.load"
  /// A continuous event of more than one second.
  case adviceLong = "ahap.advice.long"

  /// Whether it is advice about a valid file.
  public var isAdvice: Bool { [.adviceGap, .adviceDecay, .adviceLoad, .adviceLong].contains(self) }

  /// The severity: an error is rejected by every player; a warning is changed or ignored by players.
  public var severity: Severity {
    switch self {
    case .syntax, .wrongType, .notFinite, .eventType, .negativeTime: .error
    case .missingKey, .version, .unusedDuration, .unpublishedDefault, .unsortedEvents, .adviceGap, .adviceDecay,
      .adviceLoad, .adviceLong:
      .note
    default: .warning
    }
  }

  /// The source of the rule.
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
