import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// Something that happens to a system, after which it may go wrong.
struct Trigger: Sendable {
  /// Its name in those of mutants: `keepalive`.
  let name: String
  let matches: @Sendable (PeerEvent) -> Bool

  static let host: [Trigger] = [
    Trigger(name: "open") { if case .sessionOpened = $0 { true } else { false } },
    Trigger(name: "close") { if case .sessionClosed = $0 { true } else { false } },
    answered("hello-ok", .ok), answered("refused-busy", .busy), answered("refused-code", .badCode),
    answered("refused-version", .versionUnsupported), invalid,
    ignored("stranger", .inactive), ignored("other-session", .otherSession), ignored("unknown-code", .unknownCode),
    ignored("direction", .direction), dropped("stale", .stale), dropped("duplicate", .duplicate),
    dropped("not-finite", .notFinite),
    Trigger(name: "command") { $0.appliedCommand != nil },
    Trigger(name: "wrap") { $0.appliedPose?.seq == 0 },
    Trigger(name: "last-seq") { $0.appliedPose?.seq == .max },
  ]

  static let phone: [Trigger] = [
    Trigger(name: "open") { if case .sessionOpened = $0 { true } else { false } },
    Trigger(name: "close") { if case .sessionClosed = $0 { true } else { false } },
    Trigger(name: "ack-ok") { $0 == .ack(.ok) },
    Trigger(name: "refused") { if case .answered(let answer) = $0 { !answer.isAccepted } else { false } },
    invalid, ignored("stranger", .inactive), ignored("direction", .direction),
    received("zero") { $0 == 0 }, received("too-high") { $0 > 1 }, received("too-low") { $0 < 0 },
    received("not-a-number") { $0.isNaN },
  ]

  static let mouseHost: [Trigger] = [
    invalid, Trigger(name: "skipped") { if case .skipped = $0 { true } else { false } },
    Trigger(name: "movement") { $0.receivedPacket?.carrier == .udp },
    Trigger(name: "control") { $0.receivedPacket?.carrier == .tcp },
    Trigger(name: "buttons") { $0.buttons != nil },
    Trigger(name: "release") { $0.buttons == 0 },
    Trigger(name: "scroll") { $0.receivedPacket.map { $0.sample.scroll != 0 } ?? false },
    Trigger(name: "left-edge") { $0.pointer?.x == 0 },
    Trigger(name: "top-edge") { $0.pointer?.y == 0 },
    Trigger(name: "right-edge") { $0.pointer?.x == ScreenSize.standard.width - 1 },
    Trigger(name: "bottom-edge") { $0.pointer?.y == ScreenSize.standard.height - 1 },
  ]

  static func all(of wire: Wire) -> [Trigger] {
    switch wire.model.part.name {
    // Over TCP there is one HELLO for each session, which opens it.
    case "host":
      wire.carrier == .ble
        ? host.filter { !["hello-ok", "refused-busy", "refused-code", "refused-version"].contains($0.name) }
        : host.filter { wire.carrier == .udp || !["direction", "hello-ok"].contains($0.name) }
    case "phone": wire.carrier == .ble ? phone.filter { !["ack-ok", "refused"].contains($0.name) } : phone
    case "mouse-host": mouseHost
    default: []
    }
  }

  private static let invalid = Trigger(name: "invalid") { if case .invalid = $0 { true } else { false } }

  private static func answered(_ name: String, _ status: AckStatus) -> Trigger {
    Trigger(name: name) { if case .requested(_, _, SessionAnswer(status)) = $0 { true } else { false } }
  }

  private static func ignored(_ name: String, _ reason: PeerEvent.IgnoreReason) -> Trigger {
    Trigger(name: name) { if case .ignored(_, _, reason) = $0 { true } else { false } }
  }

  private static func dropped(_ name: String, _ reason: PeerEvent.DropReason) -> Trigger {
    Trigger(name: name) { if case .dropped(_, reason) = $0 { true } else { false } }
  }

  private static func received(_ name: String, _ isIt: @escaping @Sendable (Float) -> Bool) -> Trigger {
    Trigger(name: name) { $0.receivedIntensity.map(isIt) ?? false }
  }
}
