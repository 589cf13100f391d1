import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// Events of all streams are of one kind; the protocol names them in the printed line.
@Suite("Events of streams") struct StreamEventTests {
  private static let pose = PoseSample(
    seq: .max, timestampMicroseconds: .max, movementStart: true, position: [0.1, -0.0, 1.5e-30],
    orientation: [0, 0, 0, 1])

  @Test("A line has a stream's values by the names of its protocol, with every digit")
  func names() {
    let pose =
      #""seq":65535,"timestamp_us":18446744073709551615,"movement_start":true,"x":0.1,"y":-0.0,"z":1.5e-30,"#
      + #""qx":0.0,"qy":0.0,"qz":0.0,"qw":1.0"#
    let command = AppliedValue(CommandSample(type: 2, value: 1))
    let lines: [(PeerEvent, String)] = [
      (.poseApplied(Self.pose), #""pose-applied",\#(pose)"#),
      (.poseDropped(Self.pose, .stale), #""pose-dropped",\#(pose),"reason":"stale""#),
      (.sent(AppliedValue(Self.pose)), #""pose-sent",\#(pose)"#),
      (.command(type: 2, value: 1, changed: false), #""cmd","cmd_type":2,"value":1,"changed":false"#),
      (.sent(command), #""cmd-sent","cmd_type":2,"value":1"#),
      (.hapticApplied(0.1), #""haptic-applied","intensity":0.1"#),
      (.hapticReceived(-.infinity), #""haptic-received","intensity":"-Infinity""#),
      (.sent(AppliedValue(strength: 0)), #""haptic-sent","intensity":0.0"#),
      (.pointer(PointerPosition(x: 3, y: -4)), #""pointer","x":3,"y":-4"#),
      (.scroll(-PointerPosition.farthest), #""scroll","scroll":-1099511627776"#),
      (.buttons(5), #""buttons","buttons":5"#),
    ]
    for (event, words) in lines { #expect(event.jsonLine(at: .zero) == #"{"time_ns":0,"event":\#(words)}"#) }
  }

  /// A protocol file may call a stream as TELE calls one of its own.
  @Test("A stream without names in its protocol is printed with its name and numbered values")
  func generic() {
    let value = AppliedValue(stream: "pose", key: [1, 2], number: .max, values: [0.5])
    let fields = #""stream":"pose","key":"1/2","number":18446744073709551615,"value_0":0.5"#
    let lines: [(PeerEvent, String)] = [
      (.applied(value), #""applied",\#(fields)"#), (.sent(value), #""sent",\#(fields)"#),
      (.received(value), #""received",\#(fields)"#),
      (.dropped(value, .notFinite), #""dropped",\#(fields),"reason":"not-finite""#),
    ]
    for (event, words) in lines { #expect(event.jsonLine(at: .zero) == #"{"time_ns":0,"event":\#(words)}"#) }
  }

  @Test("A value of which some numbers are unknown is printed without them")
  func partly() {
    let shown = AppliedValue(stream: "pose", number: 3, names: AppliedValue(Self.pose).names)
    #expect(PeerEvent.applied(shown).jsonLine(at: .zero) == #"{"time_ns":0,"event":"pose-applied","seq":3}"#)
  }

  @Test("A value returns what was put into it, with every digit")
  func roundTrip() throws {
    #expect(PeerEvent.poseApplied(Self.pose).appliedPose == Self.pose)
    #expect(PeerEvent.poseDropped(Self.pose, .stale).droppedPose == Self.pose)
    let odd = try #require(PoseSample(AppliedValue(PoseSample(seq: 0, position: [.nan, .infinity, -.infinity]))))
    #expect(odd.position.x.isNaN && odd.position.y == .infinity && odd.position.z == -.infinity && !odd.isFinite)
    #expect(PeerEvent.command(type: 255, value: 255, changed: true).changingCommand == .init(type: 255, value: 255))
    #expect(PeerEvent.command(type: 1, value: 0, changed: false).changingCommand == nil)
    #expect(PeerEvent.command(type: 1, value: 0, changed: false).appliedCommand == .init(type: 1, value: 0))
    #expect(PeerEvent.hapticApplied(0.1).appliedStrength == 0.1 && PeerEvent.hapticReceived(2).receivedIntensity == 2)
    let far = PointerPosition(x: PointerPosition.farthest, y: -PointerPosition.farthest)
    #expect(PeerEvent.pointer(far).pointer == far)
    #expect(PeerEvent.scroll(-7).scroll == -7 && PeerEvent.buttons(255).buttons == 255)
  }

  @Test("A value of another stream, or without a number, does not convert")
  func others() {
    let values: [AppliedValue] = [
      AppliedValue(Self.pose), AppliedValue(strength: 1), AppliedValue(CommandSample(type: 1, value: 1)),
      AppliedValue(PointerPosition(x: 1, y: 1)), AppliedValue(scroll: 1), AppliedValue(buttons: 1),
    ]
    func types(_ value: AppliedValue) -> [Bool] {
      let event = PeerEvent.applied(value)
      return [
        event.appliedPose != nil, event.appliedStrength != nil, event.appliedCommand != nil, event.pointer != nil,
        event.scroll != nil, event.buttons != nil,
      ]
    }
    for (place, value) in values.enumerated() {
      #expect(types(value) == values.indices.map { $0 == place })
      #expect(!types(AppliedValue(stream: value.stream, key: value.key, number: value.number)).contains(true))
    }
  }

  @Test("Extreme numbers do not trap", arguments: [1e300, -1e300, .nan, .infinity])
  func extremes(_ number: Double) {
    for stream in ["pose", "haptic", "cmd", "pointer", "scroll", "buttons"] {
      let value = AppliedValue(stream: stream, key: [.max], number: .max, values: [number, number])
      let event = PeerEvent.applied(value)
      _ = (event.appliedPose, event.appliedStrength, event.appliedCommand, event.pointer, event.scroll, event.buttons)
    }
  }
}
