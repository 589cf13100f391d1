import TelecapModels
import TelecapRecording

/// Judges a mouse host: the pointer is the sum of what was received, clamped after each packet; the last bitmap received
/// is the state of the buttons (mouse.md, Receiver rules).
struct MouseOracle: Sendable {
  private let screen: ScreenSize
  private var settling: Settling
  private var expected: PointerPosition
  private var expectedButtons: UInt8 = 0
  private var pointer: PointerPosition
  private var buttons: UInt8 = 0
  /// What was delivered since it was quiet last.
  private var tried = Tried()
  private(set) var hasShownPointer = false
  private(set) var hasShownButtons = false

  private struct Tried: Sendable {
    var edge = false
    var reserved = false
    var control = false
    var invalid = false
    var valid = false
  }

  init(settle: Int64, screen: ScreenSize) {
    settling = Settling(settle)
    self.screen = screen
    expected = screen.centre
    pointer = screen.centre
  }

  /// A valid packet was delivered.
  mutating func deliver(
    _ packet: MouseSample, over carrier: Carrier, number: Int, at now: Timestamp, _ checks: inout CheckList
  ) {
    settle(at: now, &checks)
    settling.deliver(number, at: now)
    let free = PointerPosition(x: expected.x + Int(packet.deltaX), y: expected.y + Int(packet.deltaY))
    expected = screen.nearest(x: free.x, y: free.y)
    expectedButtons = packet.buttons & 7
    tried.valid = true
    if free != expected { tried.edge = true }
    if packet.buttons > 7 { tried.reserved = true }
    if carrier == .tcp { tried.control = true }
  }

  /// Something was delivered that is no packet: nothing may change.
  mutating func deliverInvalid(number: Int, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    settling.deliver(number, at: now)
    tried.invalid = true
  }

  /// The host showed where its pointer is.
  mutating func observe(_ position: PointerPosition, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    hasShownPointer = true
    pointer = position
    if screen.nearest(x: position.x, y: position.y) != position {
      checks.note(.pointerScreen, pointerViolation(at: now))
    } else if !settling.isOpen, position != expected {
      checks.note(.pointerSum, pointerViolation(at: now))
    }
  }

  /// The host showed which buttons are down.
  mutating func observe(buttons bitmap: UInt8, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    hasShownButtons = true
    buttons = bitmap
    if !settling.isOpen, bitmap != expectedButtons { checks.note(.buttonsLatest, buttonsViolation(at: now)) }
  }

  /// The run has ended.
  mutating func finish(at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now.advanced(byNanoseconds: settling.time + 1), &checks)
  }

  @inline(__always)
  private mutating func settle(at now: Timestamp, _ checks: inout CheckList) {
    if settling.isOver(at: now) { judge(at: now, &checks) }
  }

  private mutating func judge(at now: Timestamp, _ checks: inout CheckList) {
    let wrongPointer = pointer == expected ? nil : pointerViolation(at: now)
    let wrongButtons = buttons == expectedButtons ? nil : buttonsViolation(at: now)
    if tried.valid {
      checks.note(.pointerSum, wrongPointer)
      checks.note(.buttonsLatest, wrongButtons)
    }
    if tried.edge { checks.note(.pointerScreen, wrongPointer) }
    if tried.reserved { checks.note(.buttonsReserved, wrongButtons) }
    if tried.control { checks.note(.buttonsControl, wrongButtons) }
    if tried.invalid { checks.note(.mouseInvalid, wrongPointer ?? wrongButtons) }
    tried = Tried()
  }

  private func pointerViolation(at now: Timestamp) -> Violation {
    Violation(time: now, packet: settling.packet, expected: .pointer(expected), observed: .pointer(pointer))
  }

  private func buttonsViolation(at now: Timestamp) -> Violation {
    Violation(
      time: now, packet: settling.packet, expected: .buttons(expectedButtons), observed: .buttons(buttons))
  }
}
