import Foundation
import TelecapMouse
import TelecapTestSupport
import Testing

/// What a real mouse did, as messages, and back: by the built program and libevemu.
@Suite(.smoke) struct MouseRecordingTests {
  /// A movement that takes three packets, a click within a movement, the wheel, a drag with two buttons.
  static let events = """
    E: 1700000000.000100 0002 0000 300
    E: 1700000000.000100 0002 0001 -5
    E: 1700000000.000100 0000 0000 0
    E: 1700000000.010000 0001 0110 1
    E: 1700000000.010000 0002 0001 2
    E: 1700000000.010000 0000 0000 0
    E: 1700000000.020000 0002 0008 -3
    E: 1700000000.020000 0000 0000 0
    E: 1700000000.030000 0001 0111 1
    E: 1700000000.030000 0000 0000 0
    E: 1700000000.999999 0001 0110 0
    E: 1700000000.999999 0001 0111 0
    E: 1700000000.999999 0002 0000 -128
    E: 1700000000.999999 0000 0000 0

    """

  @Test("What is cut or no text is told with its line")
  func whatIsCutOrNoTextIsToldWithItsLine() throws {
    let folder = try Folder()
    let text =
      "libinput:\n  events:\n    - [  0,  0,  2,  0,  3] # REL_X\n    - [  0,  0,  0,  0,  0]\n    - [  0,   80"
    let cut = try folder.write(Array(text.utf8), to: "cut.yml")
    let end = try Program.run(["import", "--input-format", "mouse", cut, "-o", folder["a.telecap"]])
    #expect(end.status == 65 && end.errors.contains("line 5: "), "\(end.errors)")
    let capture = Project.file("Captures/busy.pcapng").path
    let other = try Program.run(["import", "--input-format", "mouse", capture, "-o", folder["b.telecap"]])
    #expect(other.status == 65 && other.errors.contains("a capture of packets is imported without --input-format"))
  }

  @Test("A mouse that goes too far is refused before it takes memory")
  func aMouseThatGoesTooFarIsRefusedBeforeItTakesMemory() throws {
    let folder = try Folder()
    let text = "E: 1.000000 0002 0000 2147483647\nE: 1.000000 0000 0000 0\n"
    let far = try folder.write(Array(text.utf8), to: "far.events")
    let end = try Program.run(["import", "--input-format", "mouse", far, "-o", folder["a.telecap"]])
    #expect(end.status == 65, "\(end)")
    let problem = "line 2: by here the mouse has gone farther than 268,435,456 counts, each way of each input added up"
    #expect(end.errors == "telecap: \(far): \(problem)\n")
    let simulated = try Program.run(["simulate", "mouse", "--events", far, "--to", "127.0.0.1"])
    #expect(simulated.status == 65 && simulated.errors == end.errors, "\(simulated)")
    #expect(folder.names == ["far.events"])
  }

  @Test("What began before 1970 begins at nought in a file whose times have no sign")
  func whatBeganBefore1970BeginsAtNoughtInAFileWhoseTimesHaveNoSign() throws {
    let folder = try Folder()
    let file = try folder.write(Array(Self.events.utf8), to: "hand.events")
    try #require(try Program.run(["import", "--input-format", "mouse", file, "-o", folder["a.telecap"]]).status == 0)
    _ = try sql(folder["a.telecap"], "UPDATE packet SET time_ns = time_ns - 1700000000500100000")
    let end = try Program.run(["export", folder["a.telecap"], "--format", "evemu"])
    let events = Self.events.split(separator: "\n").map { line in
      String(line).replacing("1700000000.000100", with: "0.000000").replacing("1700000000.010000", with: "0.009900")
        .replacing("1700000000.020000", with: "0.019900").replacing("1700000000.030000", with: "0.029900")
        .replacing("1700000000.999999", with: "0.999899")
    }
    #expect(end.status == 0 && end.lines.filter { $0.hasPrefix("E:") } == events, "\(end)")
  }

  private func exported(_ text: String, _ folder: Folder) throws -> (imported: Finished, events: [String]) {
    let file = try folder.write(Array(text.utf8), to: "hand.events")
    let imported = try Program.run(["import", "--input-format", "mouse", file, "-o", folder["hand.telecap"], "--force"])
    #expect(imported.status == 0, "\(imported.errors)")
    let words = ["export", folder["hand.telecap"], "-o", folder["back.evemu"], "--force"]
    #expect(try Program.run(words).status == 0)
    let lines = try String(contentsOfFile: folder["back.evemu"], encoding: .utf8).split(separator: "\n")
    return (imported, lines.filter { $0.hasPrefix("E:") }.map(String.init))
  }

  @Test("There and back")
  func thereAndBack() throws {
    let folder = try Folder()
    let (_, events) = try exported(Self.events, folder)
    // Within a frame buttons stand before movement, as here.
    #expect(events == Self.events.split(separator: "\n").map(String.init))
    let rows = try Program.run([
      "export", folder["hand.telecap"], "--format", "csv", "--columns", "type,buttons,delta_x,delta_y,scroll,time_ns",
    ]).lines
    #expect(
      rows.dropFirst().map { String($0.prefix { $0 != "\n" }) } == [
        "MOVEMENT,0,127,-5,0,1700000000000100000", "MOVEMENT,0,127,0,0,1700000000000100000",
        "MOVEMENT,0,46,0,0,1700000000000100000", "CONTROL,1,0,0,0,1700000000010000000",
        "MOVEMENT,1,0,2,0,1700000000010000000", "MOVEMENT,1,0,0,-3,1700000000020000000",
        "CONTROL,3,0,0,0,1700000000030000000", "CONTROL,0,0,0,0,1700000000999999000",
        "MOVEMENT,0,-127,0,0,1700000000999999000", "MOVEMENT,0,-1,0,0,1700000000999999000",
      ])
  }

  /// libevemu reads what is exported, the device's description before it (Debian's evemu-tools; `Scripts/setup test`).
  #if os(Linux)
    @Test("Libevemu reads it")
    func libevemuReadsIt() throws {
      let folder = try Folder()
      _ = try exported(Self.events, folder)
      let script = Project.file("Tests/Evemu/read.py").path
      let read = try Running("/usr/bin/env", ["python3", script, folder["back.evemu"]]).finish(seconds: 30)
      let expected = Self.events.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return "\(words[1]) \(Int(words[2], radix: 16) ?? 0) \(Int(words[3], radix: 16) ?? 0) \(words[4])"
      }
      #expect(read.lines == ["telecap mouse"] + expected, "\(read.errors)")
    }
  #endif

  /// A packet holds a turn of 127: what is cut of a larger one is told.
  @Test("A wheel that turns too far is told")
  func aWheelThatTurnsTooFarIsTold() throws {
    for (turn, isTold) in [(127, false), (128, true), (-127, false), (-128, true)] {
      let text = "E: 1.000000 0002 0008 \(turn)\nE: 1.000000 0000 0000 0\n"
      let (imported, _) = try exported(text, Folder())
      #expect(imported.errors.contains("1 turns of the wheel by more than 127 are clamped") == isTold, "\(turn)")
    }
  }

  /// The same hand as `libinput record` writes it; a horizontal wheel is left out and told.
  @Test("libinput too")
  func libinputToo() throws {
    let folder = try Folder()
    let events = """
      # libinput record
      version: 1
      ndevices: 1
      libinput:
        version: "1.22.1"
      devices:
      - node: /dev/input/event5
        evdev:
          # Name: A mouse
        events:
        - evdev:
          - [  1,    100,   2,   0,     300] # EV_REL / REL_X                   300
          - [  1,    100,   2,   6,       1] # EV_REL / REL_HWHEEL                1
          - [  1,    100,   0,   0,       0] # ------------ SYN_REPORT (0) ----------
        - evdev:
          - [  1,  12345,   1, 272,       1] # EV_KEY / BTN_LEFT                  1
          - [  1,  12345,   0,   0,       0] # ------------ SYN_REPORT (0) ----------

      """
    let (imported, back) = try exported(events, folder)
    #expect(imported.errors.contains("1 events are no movement, wheel or button"))
    #expect(
      back == [
        "E: 1.000100 0002 0000 300", "E: 1.000100 0000 0000 0", "E: 1.012345 0001 0110 1", "E: 1.012345 0000 0000 0",
      ])
  }

  @Test(
    "What cannot be done is said",
    arguments: [
      (["import", "--input-format", "mouse", "FILE", "-o", "OUT"], "E: 1.5 0002\n", 65, "line 1"),
      (["import", "--input-format", "mouse", "FILE", "-o", "OUT"], "# nothing\n", 65, "nothing in it to play"),
      (
        ["import", "--input-format", "mouse", "FILE", "-o", "OUT", "--gatt", "1=1c8fd138-fc18-4846-954d-e509366aef68"],
        events,
        64, "requires"
      ),
      (
        ["export", "FILE", "--format", "evemu", "-o", "OUT", "--columns", "seq"], events, 64,
        "--columns requires csv and jsonl"
      ),
    ] as [([String], String, Int32, String)])
  func whatCannotBeDoneIsSaid(_ words: [String], _ text: String, _ status: Int32, _ says: String) throws {
    let folder = try Folder()
    let file = try folder.write(Array(text.utf8), to: "hand.events")
    let end = try Program.run(words.map { $0 == "FILE" ? file : $0 == "OUT" ? folder["out"] : $0 })
    #expect(end.status == status && end.errors.contains(says), "\(end.status) \(end.errors)")
    #expect(folder.names == ["hand.events"])
  }
}
