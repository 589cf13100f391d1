import TelecapConformance
import TelecapModels
import TelecapTele
import TelecapWire

/// The streams of TELE with the requirements on their receivers, under the existing ids of TELE's requirements.
extension JudgedStream {
  /// The poses that a host applies.
  public static let pose = tele(
    "pose",
    [
      (.latest, "tele.pose.latest-value-wins"), (.duplicate, "tele.pose.duplicate"), (.finite, "tele.pose.non-finite"),
      (.values, "tele.pose.quaternion"),
    ],
    words: { value, _ in "pose \(value.number ?? 0)" })

  /// The strength of a phone's motor.
  public static let haptic = tele(
    "haptic",
    [
      (.latest, "tele.haptic.latest-value-wins"), (.noQueue, "tele.haptic.no-queue"),
      (.clampHigh, "tele.haptic.clamp-high"), (.clampLow, "tele.haptic.clamp-low"),
      (.finite, "tele.haptic.not-a-number"), (.zeroStops, "tele.haptic.zero-stops"),
      (.needsSession, "tele.haptic.needs-session"), (.safe, "tele.session.safe-on-loss"),
    ], start: [0],
    axis: "strength", words: { value, _ in "strength \(Float(value.values.first ?? 0))" })

  private static func tele(
    _ name: String, _ required: [(StreamAspect, String)], start: StreamValues? = nil, axis: String? = nil,
    words: @escaping @Sendable (StreamValue, Bool) -> String
  ) -> JudgedStream {
    of(
      declared: name, of: Tele.wire, required, in: Requirement.session + Requirement.pose + Requirement.haptic,
      start: start, axis: axis, words: words)
  }
}

extension JudgedStream {
  /// A stream with its events.
  ///
  /// - Precondition: the protocol has the stream.
  static func shown(_ name: String, of owner: WireProtocol) -> JudgedStream {
    guard let rules = owner.streams.first(where: { $0.name == name }),
      let stream = JudgedStream(shown: rules, of: owner)
    else { preconditionFailure("\(owner.name) has no stream \(name)") }
    return stream
  }

  /// A stream of a protocol in another module, with requirements of this list.
  ///
  /// - Precondition: the protocol has the stream, and the list each id.
  static func of(
    declared name: String, of owner: WireProtocol, _ required: [(StreamAspect, String)], in list: [Requirement],
    ranges: [ClosedRange<Double>]? = nil, start: StreamValues?, axis: String? = nil,
    taken: Taken? = nil,
    words: @escaping @Sendable (StreamValue, Bool) -> String,
    reading: @escaping @Sendable (PeerEvent) -> Reading? = { _ in nil }
  ) -> JudgedStream {
    let requirements = required.map { aspect, id in
      guard let requirement = list.first(where: { $0.id == id }) else { preconditionFailure("no requirement \(id)") }
      return (aspect: aspect, requirement: requirement)
    }
    guard let rules = owner.streams.first(where: { $0.name == name }),
      let stream = JudgedStream(
        rules, of: owner, requirements: requirements, ranges: ranges, start: start, axis: axis, taken: taken,
        words: words, reading: reading)
    else { preconditionFailure("\(owner.name) has no stream \(name)") }
    return stream
  }
}

extension Observable {
  /// The played impacts.
  public static let impacts = Observable.note(.impact)
}

extension EventRule.Kind {
  /// An impact that the phone plays.
  public static let impact = EventRule.Kind.note(.impact)
  /// A pose that a host applies.
  public static let pose = EventRule.Kind.applied(.pose)
  /// A command that a host applies.
  public static let command = EventRule.Kind.applied(.shown("cmd", of: Tele.wire))
  /// The strength of the phone's motor.
  public static let strength = EventRule.Kind.applied(.haptic)
}

extension Observable {
  /// The poses that a host applies.
  public static let poses = Observable.stream("pose")
  /// The commands that a host applies.
  public static let commands = Observable.stream("cmd")
  /// The strength of a phone's motor.
  public static let strength = Observable.stream("haptic")
}
