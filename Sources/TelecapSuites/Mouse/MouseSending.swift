import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// What a mouse sends, whatever it was asked for.
extension SenderRule {
  /// All of them.
  static let mouse: [SenderRule] = [
    SenderRule(Requirement.mouseSending.named("mouse.clamp.never-minus-128")) { $0.neverMinus128() },
    SenderRule(Requirement.mouseSending.named("mouse.sender.form")) { run in
      Outcome(all: [run.mouseForm(), Outcome(breaches: run.untoldClicks())])
    },
  ]
}

extension JudgedRun {
  /// No delta or scroll of any packet is −128.
  fileprivate func neverMinus128() -> Outcome {
    if replies.isEmpty { return .missing("the mouse sent nothing") }
    return Outcome(
      breaches: replies.filter { $0.findings.contains { $0.rule == .minus128 } }.map { packet in
        Breach(
          time: packet.time, expected: "no byte of delta or scroll is 0x80",
          observed: "packet \(Hex.text(packet.bytes))")
      })
  }

  /// The clicks that no packet over TCP told, up to the next one; not those for which there was no time.
  fileprivate func untoldClicks() -> [Breach] {
    let controls = replies.filter { $0.kind == .mouseControl }
    var isConnected = false
    var down: UInt8 = 0
    var open: (entry: Int, time: Timestamp, buttons: UInt8)?
    var breaches: [Breach] = []
    func close(before entry: Int, at time: Timestamp) {
      guard let click = open, time.nanoseconds(since: click.time) > log.settle else { return }
      let isTold = controls.contains { control in
        (click.entry..<entry).contains(control.entry)
          && MousePacket.fields.buttons.value(in: control.bytes.span.bytes) == click.buttons
      }
      if isTold { return }
      breaches.append(
        Breach(
          time: click.time, expected: "a packet over TCP with buttons \(click.buttons)", observed: "none"))
    }
    for (place, entry) in log.entries.enumerated() {
      guard case .asked(let action as MouseAction) = entry.what else { continue }
      if case .connect = action { isConnected = true }
      guard isConnected, case .press(let bitmap) = action, bitmap & 7 != down else { continue }
      close(before: place, at: entry.time)
      down = bitmap & 7
      open = (place, entry.time, down)
    }
    close(before: .max, at: log.end)
    return breaches
  }

  /// Every packet is one of its carrier, with the buttons that are down.
  fileprivate func mouseForm() -> Outcome {
    if replies.isEmpty { return .missing("the mouse sent nothing") }
    var pressed = PressedButtons(log)
    return Outcome(
      breaches: replies.compactMap { packet in
        let right: MessageKind = packet.carrier == .udp ? .mouseMovement : .mouseControl
        let header = packet.carrier == .udp ? MousePacket.movementHeader : MousePacket.controlHeader
        let wrong = packet.findings.filter { $0.rule != .minus128 }
        func breach(_ expected: String) -> Breach {
          Breach(
            time: packet.time, expected: expected,
            observed: "packet \(Hex.text(packet.bytes)) over \(packet.carrier.name)")
        }
        guard packet.kind == right, wrong.isEmpty else {
          let words = wrong.map(\.description).joined(separator: "; ")
          return breach(
            "five bytes behind 0x\(Hex.text([header])), reserved bits 0" + (words.isEmpty ? "" : " (\(words))"))
        }
        let allowed = pressed.allowed(at: packet)
        guard let buttons = MousePacket.fields.buttons.value(in: packet.bytes.span.bytes), !allowed.isEmpty,
          !allowed.contains(buttons)
        else { return nil }
        return breach("buttons \(allowed.sorted().map(String.init).joined(separator: " or "))")
      })
  }
}

/// The buttons that a mouse was asked to have down.
private struct PressedButtons {
  private var presses: ArraySlice<(time: Timestamp, entry: Int, buttons: UInt8)>
  private let settle: Nanoseconds
  private let left: Timestamp?
  /// Nobody knows what is pressed.
  private let isOverheard: Bool
  /// What is down, and what still may be.
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

  /// What a packet may say is down; nothing where nobody can tell: a mouse that ends lets go, and who presses one that is
  /// overheard is not seen.
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
