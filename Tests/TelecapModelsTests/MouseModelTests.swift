import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

@Suite struct MouseModelTests {
  let movement = Endpoint(.loopback, port: 8_888)
  let control = Endpoint(.loopback, port: 8_889)

  func mouse(_ script: MouseScript = MouseScript([]), connected: Bool = true) -> Driven<MouseModel> {
    var mouse = Driven(MouseModel(movement: movement, control: control, script: script))
    if connected {
      mouse.act { $0.opened(.udp, movement, at: $1, $2) }
      mouse.act { $0.opened(.tcp, control, at: $1, $2) }
    }
    return mouse
  }

  @Test(
    "A movement is split into packets that add up",
    arguments: [0, 1, -1, 127, -127, 128, -128, 254, 255, 300, -300, 32_767, -32_768, 12_345])
  func aMovementIsSplitIntoPacketsThatAddUp(_ delta: Int) {
    let packets = Array(MouseSplit(deltaX: delta, deltaY: -delta / 2, buttons: 0xFD, scroll: 200))
    #expect(packets.reduce(0) { $0 + Int($1.deltaX) } == delta)
    #expect(packets.reduce(0) { $0 + Int($1.deltaY) } == -delta / 2)
    #expect(packets.allSatisfy { $0.buttons == 5 && $0.deltaX != -128 && $0.deltaY != -128 })
    #expect(packets.map(\.scroll) == [127] + Array(repeating: 0, count: packets.count - 1))
    #expect(packets.count == max(1, (abs(delta) + 126) / 127))
  }

  @Test("The mouse reports a computer that cannot be reached")
  func aComputerThatCannotBeReachedIsTold() {
    var mouse = mouse(connected: false)
    mouse.act { $0.start(at: $1, $2) }
    mouse.act { $0.unreachable(control, at: $1, $2) }
    #expect(mouse.events == [.refused(.wifiConnectionFailed)] && mouse.sent.isEmpty)
  }

  @Test("A mouse without Bluetooth reports that and ends")
  func withoutBluetoothNothingBegins() {
    var mouse = Driven(MouseModel.withoutBluetooth)
    mouse.act { $0.start(at: $1, $2) }
    #expect(mouse.events == [.refused(.bluetoothNotAvailable)] && mouse.peer.isFinished)
    mouse.act { peer, _, perform in
      #expect(throws: MouseError.notConnected) { try peer.press(1, perform) }
    }
  }

  @Test("The mouse sends nothing before both connections are open")
  func nothingIsSentBeforeBothConnectionsAreUp() {
    var mouse = mouse(connected: false)
    for step in 0..<2 {
      mouse.act { peer, _, perform in
        #expect(throws: MouseError.notConnected) { try peer.move(deltaX: 1, deltaY: 1, perform) }
        #expect(throws: MouseError.notConnected) { try peer.press(1, perform) }
      }
      if step == 0 { mouse.act { $0.opened(.udp, movement, at: $1, $2) } }
    }
    #expect(mouse.sent.isEmpty)
  }

  @Test("A NaN is an error, and a number that is too large is clamped")
  func whatIsNotANumberIsAnErrorAndWhatIsTooLargeIsClamped() {
    var mouse = mouse()
    mouse.act { peer, _, perform in
      #expect(throws: MouseError.invalidData) { try peer.move(deltaX: .nan, deltaY: 0, perform) }
      #expect(throws: MouseError.invalidData) { try peer.move(deltaX: 0, deltaY: 0, scroll: .nan, perform) }
    }
    #expect(mouse.sent.isEmpty)
    mouse.act { peer, _, perform in
      #expect(throws: Never.self) { try peer.move(deltaX: .infinity, deltaY: -1e300, perform) }
    }
    let packets = mouse.sent.compactMap { MouseSample($0.bytes.span.bytes) }
    #expect(packets.reduce(0) { $0 + Int($1.deltaX) } == 32_767)
    #expect(packets.reduce(0) { $0 + Int($1.deltaY) } == -32_768)
  }

  @Test("Clicks are sent over TCP and movements over UDP, with the same buttons")
  func clicksGoOverTCPAndMovementOverUDPWithTheSameButtons() {
    var mouse = mouse(.drag(deltaX: 600, deltaY: -60))
    mouse.start()
    mouse.run(for: 2 * second)
    let control = mouse.sent.filter { $0.carrier == .tcp }
    #expect(control.map { $0.bytes[0...1] } == [[0xBB, 1], [0xBB, 0]])
    let moves = mouse.sent.filter { $0.carrier == .udp }.compactMap { MouseSample($0.bytes.span.bytes) }
    #expect(moves.reduce(0) { $0 + Int($1.deltaX) } == 600 && moves.reduce(0) { $0 + Int($1.deltaY) } == -60)
    #expect(moves.allSatisfy { $0.buttons == 1 })
    #expect(mouse.peer.isFinished)
  }

  @Test("A figure ends at its start", arguments: [MouseScript.square(side: 301), .circle(radius: 97)])
  func aFigureEndsWhereItBegan(_ script: MouseScript) {
    #expect(script.inputs.count == 240)
    #expect(script.inputs.reduce(0) { $0 + $1.deltaX } == 0)
    #expect(script.inputs.reduce(0) { $0 + $1.deltaY } == 0)
    #expect(script.inputs.reduce(0) { $0 + abs($1.deltaX) } > 200)
  }

  @Test("The pointer stays on the screen, and moves back at once")
  func thePointerStaysOnTheScreenAndComesBackAtOnce() {
    var host = Driven(MouseHostModel(screen: ScreenSize(width: 100, height: 50)))
    for _ in 0..<3 { host.receive(Message.mouseMovement(deltaX: 127, deltaY: -127, buttons: 0), from: phoneEnd) }
    #expect(host.peer.pointer == PointerPosition(x: 99, y: 0))
    host.receive(Message.mouseMovement(deltaX: -1, deltaY: 1, buttons: 0), from: phoneEnd)
    #expect(host.peer.pointer == PointerPosition(x: 98, y: 1))
  }

  @Test("The latest button bitmap counts, over any transport")
  func theLastBitmapReceivedIsTheTruthWhateverBroughtIt() {
    var host = Driven(MouseHostModel())
    host.receive(Message.mouseMovement(deltaX: 1, deltaY: 0, buttons: 3), from: phoneEnd)
    host.receive([0xAA, 0xF9, 0, 0, 0], from: phoneEnd)
    #expect(host.peer.buttons == 1)
    host.receive([9, 9, 0xBB, 0, 0, 0], over: .tcp, from: phoneEnd)
    #expect(host.peer.buttons == 1)
    host.receive([0], over: .tcp, from: phoneEnd)
    #expect(host.peer.buttons == 0)
    #expect(host.events.contains(.skipped(phoneEnd, bytes: 2)))
  }

  @Test(
    "Bytes that are no packet change nothing",
    arguments: [[], [0xAA], [0xAA, 1, 2, 3], [0xAA, 1, 2, 3, 0, 0], [0xCC, 7, 9, 9, 0]] as [[UInt8]])
  func whatIsNoPacketChangesNothing(_ bytes: [UInt8]) {
    var host = Driven(MouseHostModel())
    host.receive(bytes, from: phoneEnd)
    #expect(host.peer.pointer == ScreenSize.standard.centre && host.peer.buttons == 0)
    #expect(host.events.map(\.name) == ["invalid"])
  }

  @Test("An evemu recording is read in groups of events")
  func anEvemuRecordingIsReadInGroups() throws {
    let text = """
      # EVEMU 1.3
      N: PS2 Generic Mouse
      E: 10.000000 0002 0000 3
      E: 10.000001 0002 0001 -2\t# EV_REL / REL_Y
      E: 10.000002 0000 0000 0
      E: 10.500000 0001 0110 1
      E: 10.500000 0004 0004 589825
      E: 10.500001 0000 0000 0

      E: 10.600000 0002 0008 -1
      E: 10.600000 0000 0000 0
      E: 10.700000 0001 0110 0
      E: 10.700000 0001 0112 1
      E: 10.700000 0000 0000 0
      """
    #expect(
      try Evemu.script(text).inputs == [
        MouseInput(time: 2_000, deltaX: 3, deltaY: -2), MouseInput(time: 500_001_000, buttons: 1),
        MouseInput(time: 600_000_000, scroll: -1, buttons: 1), MouseInput(time: 700_000_000, buttons: 4),
      ])
  }

  @Test("The error for a mouse that moves too far names its line")
  func aMouseThatGoesFartherThanAnyIsRefusedWithItsLine() throws {
    func text(_ counts: [Int]) -> String {
      counts.map { "E: 1.000000 0002 0001 \($0)\nE: 1.000000 0000 0000 0\n" }.joined()
    }
    #expect(try Evemu.script(text([Evemu.farthest - 1, -1])).inputs.count == 2)
    #expect(throws: EvemuError.tooFar(line: 4)) { try Evemu.script(text([Evemu.farthest, -1])) }
    #expect("\(EvemuError.tooFar(line: 4))".contains("farther than 268,435,456 counts"))
  }

  @Test("An error quotes a long line only in part")
  func aLineIsQuotedAsFarAsAPersonReadsIt() {
    let long = "\(EvemuError.notAnEvent(line: 1, text: String(repeating: "x", count: 1_000)))"
    #expect(long.count < 200 && long.contains("xxx…\" is no event"))
    #expect("\(InputError.notANumber(line: 1, text: "x"))" == "line 1: \"x\" is not a finite number")
  }

  @Test(
    "The error for an invalid line names it",
    arguments: ["E: 1.5 0002 0000 1", "E: 1.500000 0002 zz 1", "E: 1.500000 0002 0000", "hello"])
  func aLineThatIsNoEventIsNamed(_ line: String) {
    #expect(throws: EvemuError.notAnEvent(line: 2, text: line)) { try Evemu.script("# a comment\n\(line)\n") }
    #expect(throws: EvemuError.empty) { try Evemu.script("") }
  }
}
