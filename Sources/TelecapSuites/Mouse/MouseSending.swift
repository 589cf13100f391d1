import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// The rules on the packets of a mouse, for any action.
extension SenderRule {
  /// All rules.
  static let mouse: [SenderRule] = [
    SenderRule(Requirement.mouseSending.named("mouse.clamp.never-minus-128")) { $0.neverMinus128() },
    SenderRule(Requirement.mouseSending.named("mouse.sender.form")) { run in
      Outcome(all: [run.mouseForm(), run.clicksAreTold()])
    },
  ]
}

extension JudgedRun {
  /// Checks that no delta or scroll of any packet is −128.
  fileprivate func neverMinus128() -> Outcome {
    if replies.isEmpty { return .missing("the mouse sent nothing") }
    return Outcome(
      breaches: replies.filter { $0.findings.contains { $0.rule == .minus128 } }.map { packet in
        Failure(
          time: packet.time, expected: "no byte of delta or scroll is 0x80",
          observed: "packet \(Hex.text(packet.bytes))")
      })
  }

  /// Checks that each click is reported over TCP, in order. There is no time limit: a click shortly before the end,
  /// without a report of a later one, may still be reported.
  fileprivate func clicksAreTold() -> Outcome {
    var controls = replies.filter { $0.kind == .mouseControl }[...]
    var untold: (entry: Int, time: Timestamp, buttons: UInt8)?
    for click in clicks {
      let place = controls.firstIndex { control in
        control.entry > click.entry && MousePacket.fields.buttons.value(in: control.bytes.span.bytes) == click.buttons
      }
      if let place, untold == nil {
        controls = controls[(place + 1)...]
      } else if untold == nil {
        untold = click
      }
    }
    guard let untold else { return .held }
    let patience = log.settle > 0 ? JudgedRun.patience : 0
    let isCutOff = !controls.contains { $0.entry > untold.entry } && log.end.nanoseconds(since: untold.time) <= patience
    if isCutOff { return .missing("the run ended before the click with buttons \(untold.buttons) was sent") }
    return .broken(
      Failure(
        time: untold.time, expected: "a packet over TCP with buttons \(untold.buttons)", observed: "none in its order"))
  }

  /// The time in ns for which a busy program may delay the report of a click.
  private static let patience: Nanoseconds = 500_000_000

  /// The changes of buttons after both connections were up.
  private var clicks: [(entry: Int, time: Timestamp, buttons: UInt8)] {
    var isConnected = false
    var down: UInt8 = 0
    var clicks: [(entry: Int, time: Timestamp, buttons: UInt8)] = []
    for (place, entry) in log.entries.enumerated() {
      guard case .asked(let action as MouseAction) = entry.what else { continue }
      if case .connect = action { isConnected = true }
      guard isConnected, case .press(let bitmap) = action, bitmap & 7 != down else { continue }
      down = bitmap & 7
      clicks.append((place, entry.time, down))
    }
    return clicks
  }

  /// Checks that every packet is one of its transport, with the pressed buttons.
  fileprivate func mouseForm() -> Outcome {
    if replies.isEmpty { return .missing("the mouse sent nothing") }
    var pressed = PressedButtons(log)
    return Outcome(
      breaches: replies.compactMap { packet in
        let right: MessageKind = packet.carrier == .udp ? .mouseMovement : .mouseControl
        let header = packet.carrier == .udp ? MousePacket.movementHeader : MousePacket.controlHeader
        let wrong = packet.findings.filter { $0.rule != .minus128 }
        func breach(_ expected: String) -> Failure {
          Failure(
            time: packet.time, expected: expected,
            observed: "packet \(Hex.text(packet.bytes)) over \(packet.carrier.name)")
        }
        guard packet.kind == right, wrong.isEmpty else {
          let words = wrong.map(\.description).joined(separator: "; ")
          return breach(
            "five bytes after 0x\(Hex.text([header])), reserved bits 0" + (words.isEmpty ? "" : " (\(words))"))
        }
        let allowed = pressed.allowed(at: packet)
        guard let buttons = MousePacket.fields.buttons.value(in: packet.bytes.span.bytes), !allowed.isEmpty,
          !allowed.contains(buttons)
        else { return nil }
        return breach("buttons \(allowed.sorted().map(String.init).joined(separator: " or "))")
      })
  }
}

/// The buttons that a mouse was asked to press.
private struct PressedButtons {
  private var presses: ArraySlice<(time: Timestamp, entry: Int, buttons: UInt8)>
  private let settle: Nanoseconds
  private let left: Timestamp?
  /// Whether the traffic was captured between other peers, so that the buttons are unknown.
  private let isOverheard: Bool
  /// The pressed buttons, and those that may still be pressed.
  private var now: UInt8 = 0
  private var before: (buttons: UInt8, until: Timestamp)?

  init(_ log: RunLog) {
    presses =
      log.entries.enumerated().compactMap { place, entry in
        guard case .asked(let action as MouseAction) = entry.what, case .press(let bitmap) = action else { return nil }
        return (entry.time, place, bitmap & 7)
      }[...]
    (settle, left, isOverheard) = (log.settle, log.left, log.isOverheard)
  }

  /// The buttons that a packet may contain; empty where they are unknown: an exiting mouse releases them, and the user
  /// of captured traffic is not observed.
  mutating func allowed(at packet: LoggedMessage) -> Set<UInt8> {
    if let left, packet.time >= left { return [] }
    if isOverheard { return [] }
    while let press = presses.first, press.entry < packet.entry {
      presses.removeFirst()
      before = settle > 0 ? (now, press.time.advanced(byNanoseconds: settle)) : nil
      now = press.buttons
    }
    guard let before, packet.time <= before.until else { return [now] }
    return [now, before.buttons]
  }
}
