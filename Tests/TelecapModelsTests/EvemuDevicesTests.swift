import TelecapModels
import TelecapMouse
import Testing

/// Recordings of libinput's that hold several devices, each with a list of events of its own.
@Suite("Recordings of several mice") struct EvemuDevicesTests {
  private static func recording(_ devices: [[String]]) -> String {
    let lists = devices.enumerated().map { number, events in
      "- node: /dev/input/event\(number)\n  events:\n" + events.map { "  - evdev:\n    - [\($0)]\n" }.joined()
    }
    return "# libinput record\nversion: 1\nlibinput:\n  version: \"1.19\"\ndevices:\n" + lists.joined()
  }

  @Test("Two mice are merged by time, and a button is held while one of them holds it")
  func mergedByTime() throws {
    let first = [
      "1, 0, 2, 0, 3", "1, 0, 0, 0, 0", "3, 0, 1, 272, 1", "3, 0, 0, 0, 0", "5, 0, 1, 272, 0", "5, 0, 0, 0, 0",
    ]
    let second = [
      "0, 500000, 2, 1, 7", "0, 500000, 0, 0, 0", "1, 0, 2, 0, 9", "1, 0, 0, 0, 0", "4, 0, 1, 272, 1", "4, 0, 0, 0, 0",
      "6, 0, 1, 272, 0", "6, 0, 0, 0, 0",
    ]
    let found = try Evemu.recording(Self.recording([first, second]))
    #expect(found.began == 500_000_000)
    #expect(
      found.script.inputs == [
        MouseInput(time: 0, deltaY: 7), MouseInput(time: 500_000_000, deltaX: 3),
        MouseInput(time: 500_000_000, deltaX: 9),
        MouseInput(time: 2_500_000_000, buttons: 1), MouseInput(time: 3_500_000_000, buttons: 1),
        MouseInput(time: 4_500_000_000, buttons: 1), MouseInput(time: 5_500_000_000),
      ])
    // The same with the devices the other way round, but for two inputs at one time.
    let turned = try Evemu.recording(Self.recording([second, first])).script.inputs
    #expect(
      turned.map(\.time) == found.script.inputs.map(\.time)
        && turned.map(\.buttons) == found.script.inputs.map(\.buttons))
  }

  @Test("A device without events, or whose clock steps back, does not shift the others")
  func devicesByThemselves() throws {
    let steps = ["9, 0, 2, 0, 1", "9, 0, 0, 0, 0", "2, 0, 2, 0, 2", "2, 0, 0, 0, 0"]
    let found = try Evemu.recording(Self.recording([[], steps, ["3, 0, 2, 0, 4", "3, 0, 0, 0, 0"]]))
    #expect(found.script.inputs.map(\.deltaX) == [4, 1, 2])
    #expect(found.script.inputs.map(\.time) == [0, 6_000_000_000, 6_000_000_000])
  }

  @Test("After SYN_DROPPED events are ignored up to the next SYN_REPORT")
  func dropped() throws {
    let events = [
      "1, 0, 2, 0, 1", "1, 0, 1, 272, 1", "1, 0, 0, 3, 0", "1, 0, 2, 0, 100", "1, 0, 0, 0, 0", "2, 0, 2, 0, 5",
      "2, 0, 0, 0, 0",
    ]
    let found = try Evemu.recording(Self.recording([events])).script.inputs
    #expect(found == [MouseInput(time: 1_000_000_000, deltaX: 5)])
  }
}
