import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

extension Suite {
  /// The mouse: the phone as a mouse, and the computer whose pointer it moves.
  public static let mouse: Suite = {
    var suite = Suite(
      "mouse", requirements: Requirement.mouseSending + Requirement.mouseReceiving, models: [.mouse, .mouseHost])
    suite.actionKeys = MouseActionKeys.all
    suite.checkSessions = MouseCheckSessions.all
    suite.learningSessions = MouseLearning.all
    suite.shows = [.pointer, .buttons, .scroll, .refused, .clamped]
    suite.deeds = MouseActionKeys.deeds
    suite.systemKeys = [(.mouseHost, SaidPointer.key)]
    suite.systemProblem = { SaidPointer.problem(with: $0) }
    suite.expectationKeys = MouseExpectation.keys
    suite.fields = { _, _ in [:] }
    return suite
  }()
}

extension Part {
  /// The phone as a computer mouse (`Role.mouse`).
  public static let mouse = Part(Role.mouse)
  /// The computer whose pointer the mouse moves (`Role.mouseHost`).
  public static let mouseHost = Part(Role.mouseHost)
}

extension PartModel {
  /// The phone as a computer mouse.
  public static let mouse = PartModel(
    .mouse, shows: [.refusals, .clampings], faults: MouseFault.self,
    judging: StreamJudging(sends: JudgedStream.mouse(), sending: SenderRule.mouse)
  ) { _, fault in
    guard let fault else { return MouseModel(movement: VirtualAddresses.host, control: VirtualAddresses.host) }
    return FaultyMouse(fault)
  }

  /// The computer whose pointer the mouse moves.
  public static let mouseHost = PartModel(
    .mouseHost, shows: [.pointer, .scroll, .buttons], faults: MouseHostFault.self,
    judging: StreamJudging(
      JudgedStream.mouse(), adapting: { JudgedStream.mouse(of: $0) }, measure: PointerError.measure)
  ) { _, fault in
    guard let fault else { return MouseHostModel() }
    return FaultyMouseHost(fault)
  }
}

extension MouseHostModel: DrivenPeer {
  public var said: SetupOptions {
    var said = SetupOptions()
    said[PointerSaid.self] = SaidPointer(screen: screen, start: pointer)
    return said
  }
}

extension MouseModel: DrivenPeer {
  public mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    guard let action = action as? MouseAction else { return [] }
    do throws(MouseError) {
      switch action {
      case .connect:
        opened(.udp, VirtualAddresses.host, at: time, perform)
        opened(.tcp, VirtualAddresses.host, at: time, perform)
      case .move(let deltaX, let deltaY, let scroll): try move(deltaX: deltaX, deltaY: deltaY, scroll: scroll, perform)
      case .press(let bitmap): try press(bitmap, perform)
      case .report(let deltaX, let deltaY, let scroll, let buttons):
        return [Message.mouseReport(deltaX: deltaX, deltaY: deltaY, buttons: buttons, scroll: scroll).bytes]
      }
    } catch {
      perform(.event(.refused(error)), RawSpan())
    }
    return []
  }
}

/// The actions of a mouse's user in scenarios.
enum MouseActionKeys {
  /// The actions that a system file can bind for a real mouse program.
  static let deeds = [
    UserDeed("connect", "Both connections come up."),
    UserDeed("move", values: ["X", "Y", "SCROLL"], "A movement of $X and $Y counts, and $SCROLL; may be nan."),
    UserDeed(
      "press", values: ["BUTTONS"], "The buttons $BUTTONS are down from now on: 1 left, 2 right, 4 middle."),
  ]

  static let all: [ScenarioKey<any UserAction>] = [
    ScenarioKey("connect", .flag, "Both connections come up.") { _ in MouseAction.connect },
    ScenarioKey("move", .list(.number), "A movement: delta_x, delta_y and, if given, scroll; may be .nan.") {
      (value) throws(YAMLFileError) in
      let numbers = value.list.compactMap(\.number)
      guard (2...3).contains(numbers.count) else { throw value.error("move is delta_x, delta_y and, if given, scroll") }
      return MouseAction.move(deltaX: numbers[0], deltaY: numbers[1], scroll: numbers.count > 2 ? numbers[2] : 0)
    },
    ScenarioKey("press", .integer, "These buttons are down from now on: 1 left, 2 right, 4 middle.") { value in
      MouseAction.press(UInt8(clamping: value.integer ?? 0))
    },
    ScenarioKey("report", .list(.integer), "A movement as a HID report: delta_x, delta_y, scroll, buttons.") {
      (value) throws(YAMLFileError) in
      let numbers = value.list.compactMap(\.integer).map { Int(clamping: $0) }
      guard numbers.count == 4 else { throw value.error("report is delta_x, delta_y, scroll and buttons") }
      return MouseAction.report(
        deltaX: numbers[0], deltaY: numbers[1], scroll: numbers[2], buttons: UInt8(clamping: numbers[3]))
    },
  ]
}
