import TelecapConformance

/// A valid session of a sound placer and of a shell, in which each prints every kind of event.
enum SensesCheckSessions {
  static let all = [
    CheckSession(
      "audio", shows: [.told],
      """
      space: {output: headset}
      steps:
        - {at: 0s, ask: {listener: {yaw: 90}}}
        - {at: 1s, ask: {source: {position: [0, 0, -2]}}}
        - {at: 2s, ask: {source: {position: [0, 0, -2], channels: 2}}}
      expect: {never: [nothing]}
      """),
    CheckSession(
      "senses", shows: [.told],
      """
      steps:
        - {at: 0s, ask: {explosion: {position: [-1, 0, 0]}}}
        - {at: 0s, ask: {ring: 0.5}}
        - {at: 100ms, ask: {tick: true}}
        - {at: 100ms, ask: {drain: true}}
        - {at: 1s, ask: {conditions: {low-power: true}}}
        - {at: 1s, ask: {explosion: {position: [-1, 0, 0]}}}
        - {at: 1100ms, ask: {tick: true}}
        - {at: 1100ms, ask: {drain: true}}
      expect: {never: [nothing]}
      """),
  ]
}
