import TelecapConformance

/// A valid session of each device, in which it prints every kind of event.
enum HapticsCheckSessions {
  static let all = [
    CheckSession(
      "ahap", shows: [.told],
      """
      steps:
        - at: 0s
          ask:
            read: |
              {"Version": 1, "Colour": "red", "Pattern": [
                {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 1}}]}
        - {at: 500ms, ask: {sample: true}}
        - {at: 600ms, ask: {read: "{"}}
      expect: {never: [nothing]}
      """),
    CheckSession(
      "haptics", shows: [.told],
      """
      steps:
        - {at: 0s, ask: {prepare: true}}
        - {at: 1s, ask: {play: {pattern: normal, events: true}}}
        - {at: 2s, ask: {play: {pattern: heavy, events: true}}}
        - {at: 4s, ask: {session: opens}}
        - {at: 4100ms, ask: {strength: 0.5}}
        - {at: 4200ms, ask: {session: lost}}
        - {at: 5s, ask: {synchronise: {delta: 50ms, trials: 1}}}
        - {at: 6s, ask: {fault: reset}}
        - {at: 7s, ask: {conditions: {low-power: true}}}
        - {at: 8s, ask: {play: {pattern: normal}}}
      expect: {never: [nothing]}
      """),
    CheckSession(
      "touch", shows: [.told],
      """
      views: |
        {"name": "screen", "frame": [0, 0, 400, 800], "children": [
          {"name": "ok", "kind": "button", "frame": [100, 100, 200, 50]},
          {"name": "list", "kind": "scroll", "frame": [0, 200, 400, 400]}
        ]}
      steps:
        - {at: 0s, touch: {phase: began, at: [150, 50], force: 0.5}}
        - {at: 100ms, touch: {phase: moved, at: [150, 50], to: [150, 120], steps: 7, force: 0.5}}
        - {at: 300ms, touch: {phase: stationary, at: [150, 120], force: 3}}
        - {at: 400ms, touch: {phase: ended, at: [150, 120], force: 0}}
        - {at: 1s, touch: {phase: began, at: [150, 300], force: 0.5}}
        - {at: 1100ms, touch: {phase: moved, at: [150, 300], to: [150, 360], steps: 6, force: 1.5}}
        - {at: 1300ms, touch: {phase: ended, at: [150, 360], force: 0}}
      expect: {never: [nothing]}
      """),
  ]
}
