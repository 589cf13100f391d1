import TelecapConformance
import TelecapRecording

/// Sessions with values that occur nowhere else, to infer the output mapping of a program.
enum TeleLearning {
  static let all = [host, phone]

  /// Three sessions that end by BYE and one by silence, or over TCP with its connection. Some poses and commands must
  /// be applied and others not, to discriminate a host's output for them.
  private static let host = LearningSession(
    "host",
    greeting: """
      steps:
        - {at: 0s, from: k, send: HELLO, with: {session_id: 1414213562}, answer: OK}
        - {at: 150ms, from: k, send: BYE, with: {session_id: 1414213562}}
      end: 300ms
      """,
    trials: [
      "tele.hello.bad-code", "tele.pose.latest-value-wins.first", "tele.pose.non-finite", "tele.cmd.duplicate",
      "tele.bye.closes",
    ]
  ) { carrier in
    """
    steps:
      - {at: 0s, from: a, send: HELLO, with: {session_id: 3141592653}, answer: OK}
      - {at: 400ms, from: a, send: POSE, with: \(poses(0..<16)), every: 60ms}
      - {at: 1450ms, from: a, send: HELLO, with: {session_id: 3141592653}}
      - {at: 1600ms, from: b, send: POSE, with: \(poses(16..<18)), every: 60ms}
      - {at: 1800ms, from: a, send: POSE, with: {seq: [1000, 1003], x: [0.7654321, 0.6543217]}, every: 60ms}
      - {at: 2s, from: a, send: POSE, with: {seq: [2000, 2003], x: .nan}, every: 60ms}
      - {at: 2300ms, from: a, send: CMD, with: {cmd_type: [1, 2, 1, 2, 2, 1, 2, 1], value: [1, 1, 0, 0, 1, 1, 0, 0]}, every: 120ms}
      - {at: 3300ms, from: a, send: CMD, with: {cmd_type: [1, 2], value: 0}, every: 120ms}
      - {at: 3600ms, from: a, send: HELLO, with: {session_id: 3141592653}}
      - {at: 3900ms, from: a, send: BYE, with: {session_id: 3141592653}}
      - {at: 4300ms, from: c, send: HELLO, with: {session_id: 2718281828}}
      - {at: 4600ms, from: c, send: POSE, with: \(poses(18..<20)), every: 60ms}
      - {at: 4900ms, from: c, send: BYE, with: {session_id: 2718281828}}
      - {at: 5300ms, from: d, send: HELLO, with: {session_id: 1618033988}}
      - {at: 5600ms, from: d, send: POSE, with: \(poses(20..<21))}
    \(carrier == .tcp ? "  - {at: 8700ms, from: d, close: true}" : "  # Silence ends it.")
      - {at: 9300ms, from: k, send: HELLO, with: {session_id: 1414213562}}
      - {at: 9700ms, from: k, send: BYE, with: {session_id: 1414213562}}
    end: 10100ms
    """
  }

  /// Strengths that occur nowhere else, acknowledged all the time.
  private static let phone = LearningSession(
    "phone",
    trials: [
      "tele.haptic.latest-value-wins", "tele.haptic.clamp-high", "tele.haptic.clamp-low", "tele.haptic.not-a-number",
      "tele.haptic.zero-stops",
    ]
  ) { _ in
    """
    steps:
      - {at: 1s, send: HAPTIC, with: {intensity: \(strengths)}, every: 150ms}
    expect: {streams: [tele.haptic.latest-value-wins]}
    end: 4s
    """
  }

  private static let strengths =
    "[0.1234567, 0.6543217, 0.3217654, 0.8765431, 0.2345671, 0.7654321, 0.4567123, 0.9123457, 0.5671234, 0.1765432, "
    + "0.8234567, 0.3765421, 0, 0.6123457, 0]"

  /// The fields of poses: seq with gaps, and values that occur once.
  private static func poses(_ range: Range<Int>) -> String {
    let turns = range.map(turn)
    let fields: [(String, [String])] = [
      ("seq", range.map { "\(1_009 + $0 * 7)" }), ("timestamp_us", range.map { "\(4_294_971_421 + $0 * 16_673)" }),
      ("flags", range.map { "\([0, 1, 0, 0, 1, 1, 0, 1][$0 % 8])" }), ("x", range.map { place($0, 0.1234567) }),
      ("y", range.map { place($0, 1.3579246) }), ("z", range.map { place($0, -2.4681357) }),
      ("qx", turns.map { "\($0.x)" }), ("qy", turns.map { "\($0.y)" }), ("qz", turns.map { "\($0.z)" }),
      ("qw", turns.map { "\($0.w)" }),
    ]
    return "{" + fields.map { "\($0): [\($1.joined(separator: ", "))]" }.joined(separator: ", ") + "}"
  }

  /// Values around a start, in steps of the golden ratio, which keep any number of them far apart.
  private static func place(_ index: Int, _ start: Float) -> String {
    let step = (Float(index) * 0.618_034).truncatingRemainder(dividingBy: 1)
    return "\(start + 0.9 * step)"
  }

  private static func turn(_ index: Int) -> SIMD4<Float> {
    let step = (Float(index) * 0.618_034).truncatingRemainder(dividingBy: 1)
    let turn = SIMD4<Float>(0.31 + 0.4 * step, -0.53 + 0.23 * step, 0.43 - 0.67 * step, 0.77 + 0.11 * step)
    return turn / (turn * turn).sum().squareRoot()
  }
}
