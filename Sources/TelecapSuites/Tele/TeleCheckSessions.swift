import TelecapConformance
import TelecapTele

/// Valid sessions to check the rules of a system file.
enum TeleCheckSessions {
  static let all = [
    CheckSession(
      "host", shows: [.pose, .command, .sessionOpened, .sessionClosed],
      """
      steps:
        - {at: 0s, send: HELLO, answer: OK}
        - {at: 200ms, send: POSE, count: 10, every: 20ms}
        - {at: 500ms, send: CMD, with: {cmd_type: [RECORDING, KEEP_RECORDING], value: 1}, every: 50ms}
        - {at: 600ms, send: CMD, with: {cmd_type: [RECORDING, KEEP_RECORDING], value: 0}, every: 50ms}
        - {at: 800ms, send: BYE}
      end: 1200ms
      """),
    // A session also ends by silence, which a host may notice only at the request of another client.
    CheckSession(
      "host", shows: [.sessionClosed],
      """
      steps:
        - {at: 0s, from: a, send: HELLO, answer: OK}
        - {at: 3500ms, from: b, send: HELLO, answer: OK}
        - {at: 3700ms, from: b, send: BYE}
      end: 4s
      """),
    CheckSession("phone", shows: [.strength, .sessionOpened], "\(forces)end: 2s\n"),
    CheckSession("phone", shows: [.impact], "impacts: true\n\(forces)end: 2s\n"),
    CheckSession(
      "phone", shows: [.strength, .sessionOpened, .sessionClosed],
      "acknowledge: {until: 1600ms}\n\(forces)end: 5500ms\n"),
  ]

  // One force has seven decimals, to show a program that prints numbers in full.
  private static let forces = """
    steps:
      - {at: 1s, send: HAPTIC, with: {intensity: [0.2, 0.5, 0.8671875, 0.3, 0]}, every: 100ms}
    expect: {streams: [tele.haptic.latest-value-wins]}

    """
}
