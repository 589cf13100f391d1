import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording

/// The expectations of the mouse's scenarios, in addition to those of every scenario.
enum MouseExpectation: Hashable {
  /// The movement of the pointer from its start to the end.
  case pointer(deltaX: Int, deltaY: Int)
  /// The turn of the wheel from the start to the end of the run.
  case scroll(Int)
  /// The buttons that are down at the end.
  case buttons(UInt8)
  /// The packets of each requested movement follow these rules.
  case movements([MovementRule])
  /// Every call of the API was refused for this reason, and sent nothing.
  case refused(MouseError)
  /// The sent HID reports, byte by byte.
  case reports([[UInt8]])

  /// A rule on a mouse's packets for one movement.
  enum MovementRule: String, Hashable, CaseIterable {
    /// The first packet contains the movement, clamped to −127…127.
    case clamped
    /// No byte of delta or scroll is 0x80.
    case neverMinus128 = "never-minus-128"
    /// The packets add up to the movement.
    case sum
    /// All packets have the same buttons, and only one has the scroll.
    case buttons
  }
}

extension MouseExpectation: Expectation {
  func judge(_ run: JudgedRun) -> Outcome {
    switch self {
    case .pointer(let deltaX, let deltaY): run.pointer(deltaX, deltaY)
    case .scroll(let total): run.scroll(total)
    case .buttons(let bitmap): run.buttons(bitmap)
    case .movements(let rules): Outcome(all: rules.map(run.movements))
    case .refused(let error): run.refused(error)
    case .reports(let reports): run.reports(reports)
    }
  }
}

extension MouseExpectation {
  /// The keys of a scenario's `expect`.
  static let keys: [ScenarioKey<any Expectation>] = [
    key("pointer", .list(.integer), "Where the pointer is at the end, from where it began: [x, y]; not beyond an edge.")
    {
      (value) throws(YAMLFileError) in
      let counts = try value.counts
      guard counts.count == 2 else { throw value.error("pointer is [x, y]") }
      return .pointer(deltaX: counts[0], deltaY: counts[1])
    },
    key("scroll", .integer, "How far the wheel has turned at the end, + up.") { (value) throws(YAMLFileError) in
      .scroll(try value.counts.first ?? 0)
    },
    key("buttons", .integer, "Which buttons are down at the end.") { .buttons(UInt8(clamping: $0.integer ?? 0)) },
    key(
      "movements", .list(.oneOf(MovementRule.allCases.map(\.rawValue))),
      "The rules that the packets of each movement meet."
    ) { .movements($0.list.compactMap { $0.text.flatMap(MovementRule.init) }) },
    key(
      "refused", .oneOf(["not-connected", "invalid-data"]),
      "Every call but connect is refused, and nothing is sent for it."
    ) { (value) throws(YAMLFileError) in
      guard let error = value.text.flatMap(MouseError.init) else { throw value.error("no such refusal") }
      return .refused(error)
    },
    key("reports", .list(.hex), "The HID reports that are sent.") { .reports($0.list.compactMap(\.bytes)) },
  ]

  private static func key(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> MouseExpectation
  ) -> ScenarioKey<any Expectation> {
    ScenarioKey(name, type, meaning) { (value) throws(YAMLFileError) in try read(value) }
  }
}
