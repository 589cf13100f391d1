import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// The clamped values that a mouse reports for a movement; nil where it omits one.
private typealias Clamping = (x: Int?, y: Int?, scroll: Int?)

/// One call of a mouse's API, and its packets.
private struct Call {
  var time: Timestamp
  var action: MouseAction
  /// Packets over UDP.
  var packets: [[UInt8]] = []
  /// Packets over TCP.
  var controls: [[UInt8]] = []
  /// The counts that the mouse reported for its clamping, each nil if left out; nil without a report.
  var clamping: Clamping?
  /// The reported reason of a refusal.
  var refusal: MouseError?
  /// The pressed buttons.
  var buttons: UInt8
}

/// Expectations on the packets of a mouse.
extension JudgedRun {
  private var calls: [Call] {
    var result: [Call] = []
    var buttons: UInt8 = 0
    for entry in log.entries {
      switch entry.what {
      case .asked(let action as MouseAction):
        if case .press(let bitmap) = action { buttons = bitmap & 7 }
        result.append(Call(time: entry.time, action: action, buttons: buttons))
      case .replied(let bytes, _, let carrier?) where !result.isEmpty && carrier == .udp:
        result[result.count - 1].packets.append(bytes)
      case .replied(let bytes, _, .tcp?) where !result.isEmpty: result[result.count - 1].controls.append(bytes)
      case .event(let event) where !result.isEmpty:
        if let error = event.refusal { result[result.count - 1].refusal = error }
        if let (x, y, scroll) = event.clamping { result[result.count - 1].clamping = (x, y, scroll) }
      default: continue
      }
    }
    return result
  }

  func movements(_ rule: MouseExpectation.MovementRule) -> Outcome {
    var tried = false
    var isConnected = false
    var isUntold = false
    for call in calls {
      if case .connect = call.action { isConnected = true }
      if rule == .sum, let breach = JudgedRun.unasked(call, isConnected: isConnected) { return .broken(breach) }
      guard isConnected, case .move(let x, let y, let scroll) = call.action, ![x, y, scroll].contains(where: \.isNaN)
      else { continue }
      // An infinite movement may be clamped or refused.
      if [x, y, scroll].contains(where: \.isInfinite), call.refusal != nil, call.packets.isEmpty { continue }
      tried = true
      let wanted = (
        x: JudgedRun.counts(x), y: JudgedRun.counts(y), scroll: max(-127, min(127, JudgedRun.counts(scroll)))
      )
      let packets = call.packets.map(JudgedRun.sample)
      var (expected, observed) = JudgedRun.compare(rule, call, wanted, packets)
      if rule == .sum, JudgedRun.isTooLarge(x, y, scroll) {
        if log.shows.contains(.clampings) {
          expected += ", said to be clamped"
          observed += ", \(JudgedRun.said(call.clamping, wanted))"
        } else {
          isUntold = true
        }
      }
      let outcome = Outcome.same(
        "move(\(wanted.x), \(wanted.y)): \(expected)", "move(\(wanted.x), \(wanted.y)): \(observed)", at: call.time)
      if !outcome.breaches.isEmpty { return outcome }
    }
    // A movement that is too large must be clamped and reported: without reports half of that is unknown.
    if isUntold, let lack = lacks(.clampings) { return lack }
    return tried ? .held : .missing("nothing was moved")
  }

  /// The reported clamping of a movement that is too large, in words, with the values only where they are wrong.
  private static func said(_ clamping: Clamping?, _ wanted: (x: Int, y: Int, scroll: Int)) -> String {
    guard let clamping else { return "said nothing" }
    let isRight =
      (clamping.x ?? wanted.x, clamping.y ?? wanted.y, clamping.scroll ?? wanted.scroll)
      == (wanted.x, wanted.y, wanted.scroll)
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "?" }
    return isRight
      ? "said to be clamped"
      : "said to be clamped to (\(text(clamping.x)), \(text(clamping.y))), scroll \(text(clamping.scroll))"
  }

  /// A movement that was not requested: with a click, or before both connections were up.
  private static func unasked(_ call: Call, isConnected: Bool) -> Failure? {
    if case .move = call.action, isConnected { return nil }
    let moving = (call.packets + call.controls).first { packet in
      let sample = JudgedRun.sample(packet)
      return sample.deltaX != 0 || sample.deltaY != 0 || sample.scroll != 0
    }
    return moving.map { packet in
      Failure(
        time: call.time, expected: "nothing moves that nobody asked for", observed: "packet \(Hex.text(packet))")
    }
  }

  /// The counts of a movement as an int16, clamped.
  private static func counts(_ value: Double) -> Int {
    Int(Int64(clampingRounded: max(-32_768, min(32_767, value))))
  }

  /// Whether some of it must be clamped.
  private static func isTooLarge(_ x: Double, _ y: Double, _ scroll: Double) -> Bool {
    [x, y].contains { Double(counts($0)) != $0.rounded() } || scroll.rounded().magnitude > 127
  }

  private static func sample(_ bytes: [UInt8]) -> MouseSample {
    MouseSample(bytes.span.bytes) ?? MouseSample(buttons: 0xff, deltaX: 0, deltaY: 0, scroll: 0)
  }

  /// The packets that a rule expects and the observed ones, in words.
  private static func compare(
    _ rule: MouseExpectation.MovementRule, _ call: Call, _ wanted: (x: Int, y: Int, scroll: Int),
    _ packets: [MouseSample]
  ) -> (String, String) {
    switch rule {
    case .clamped:
      let first = packets.first.map { "(\($0.deltaX), \($0.deltaY))" } ?? "nothing"
      return ("first (\(max(-127, min(127, wanted.x))), \(max(-127, min(127, wanted.y))))", "first \(first)")
    case .neverMinus128:
      let bad = call.packets.contains { $0.count == 5 && $0[2...4].contains(0x80) }
      return ("no −128", packets.isEmpty ? "nothing" : bad ? "−128" : "no −128")
    case .sum:
      let x = packets.reduce(0) { $0 + Int($1.deltaX) }
      let y = packets.reduce(0) { $0 + Int($1.deltaY) }
      let scroll = packets.reduce(0) { $0 + Int($1.scroll) }
      return ("sum (\(wanted.x), \(wanted.y)), scroll \(wanted.scroll)", "sum (\(x), \(y)), scroll \(scroll)")
    case .buttons:
      let bitmaps = Set(packets.map(\.buttons)).sorted()
      let scrolls = packets.map { Int($0.scroll) }.filter { $0 != 0 }
      return (
        "buttons [\(call.buttons)], scroll \(wanted.scroll == 0 ? [] : [wanted.scroll])",
        "buttons \(bitmaps), scroll \(scrolls)"
      )
    }
  }

  /// Checks that every call except `connect` was refused for this reason, and sent nothing.
  func refused(_ error: MouseError) -> Outcome {
    if let lack = lacks(.refusals) { return lack }
    let calls = calls.filter { call in
      if case .connect = call.action { false } else { true }
    }
    if calls.isEmpty { return .missing("nothing was asked") }
    let wrong = calls.first { $0.refusal != error || !$0.packets.isEmpty || !$0.controls.isEmpty }
    guard let wrong else { return .held }
    let observed = wrong.refusal.map { "refused: \($0.rawValue)" } ?? "not refused"
    return .same(
      "refused: \(error.rawValue), 0 packets sent",
      "\(observed), \(wrong.packets.count + wrong.controls.count) packets sent", at: wrong.time)
  }

  func reports(_ expected: [[UInt8]]) -> Outcome {
    let shown = log.entries.compactMap { entry -> [UInt8]? in
      guard case .replied(let bytes, _, nil) = entry.what else { return nil }
      return bytes
    }
    if shown.isEmpty, script.actions.isEmpty { return .missing("nothing was asked") }
    return .same(
      "reports \(JudgedRun.text(expected.map { Hex.text($0) }))",
      "reports \(JudgedRun.text(shown.map { Hex.text($0) }))",
      at: log.end)
  }
}
