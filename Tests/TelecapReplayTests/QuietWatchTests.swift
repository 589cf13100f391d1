import TelecapCapture
import TelecapPlatform
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapReplay

/// A recording without packets: when it is reported, and in which words.
@Suite("A recording without packets") struct QuietWatchTests {
  /// An interface on which so many packets come between two looks.
  private struct Fake: TrafficProbe {
    let name: String
    let rate: Int

    func newPackets() -> Int { rate }
  }

  private static let second: Nanoseconds = 1_000_000_000

  private func watch(_ probes: [Fake], opened: Locked<Int> = Locked(0)) -> QuietWatch {
    QuietWatch {
      opened.with { $0 += 1 }
      return probes
    }
  }

  @Test("After 2 s the other interfaces are opened, and after 3 s they are reported, once")
  func once() {
    let opened = Locked(0)
    var watch = watch([Fake(name: "eth0", rate: 2), Fake(name: "wlan0", rate: 0)], opened: opened)
    #expect(watch.look(at: 0, packets: 0) == nil)
    #expect(watch.look(at: 2 * Self.second - 1, packets: 0) == nil && opened.with { $0 } == 0)
    #expect(watch.look(at: 2 * Self.second, packets: 0) == nil && opened.with { $0 } == 1)
    #expect(watch.look(at: 3 * Self.second - 1, packets: 0) == nil)
    let found = watch.look(at: 3 * Self.second, packets: 0)
    #expect(found == [ProbedInterface(name: "eth0", packets: 4), ProbedInterface(name: "wlan0", packets: 0)])
    #expect(watch.look(at: 9 * Self.second, packets: 0) == nil && opened.with { $0 } == 1)
  }

  @Test("With a packet nothing is reported, also while the others are observed")
  func packets() {
    let opened = Locked(0)
    var early = watch([], opened: opened)
    #expect(early.look(at: Self.second, packets: 1) == nil)
    #expect(early.look(at: 5 * Self.second, packets: 1) == nil && opened.with { $0 } == 0)
    var late = watch([Fake(name: "eth0", rate: 1)])
    #expect(late.look(at: 2 * Self.second, packets: 0) == nil)
    #expect(late.look(at: 3 * Self.second, packets: 1) == nil)
    #expect(late.look(at: 4 * Self.second, packets: 0) == nil)
  }

  @Test("After a standstill the others are observed for a second all the same")
  func standstill() {
    var watch = watch([Fake(name: "eth0", rate: 1)])
    #expect(watch.look(at: 60 * Self.second, packets: 0) == nil)
    #expect(watch.look(at: 60 * Self.second + 1, packets: 0) == nil)
    #expect(watch.look(at: 61 * Self.second, packets: 0)?.first?.packets == 2)
  }

  private func note(_ others: [ProbedInterface], _ filter: CaptureFilter = .ports(.standard)) -> [String] {
    QuietNote(interface: "lo", filter: filter, others: others) { "telecap record --interface \($0)" }.text
      .split(separator: "\n").map(String.init)
  }

  @Test("The interfaces with traffic are named, the busiest first, with the command")
  func busy() {
    let lines = note([
      ProbedInterface(name: "eth0", packets: 3), ProbedInterface(name: "eth1", packets: 0),
      ProbedInterface(name: "wlan0", packets: 1_200),
    ])
    #expect(
      lines == [
        "no packet on lo in 3 s: looked for UDP ports 8888, 50000 and 50001 and TCP ports 8889 and 50000",
        "  such packets are on wlan0 (1,200 in 1 s) and eth0 (3 in 1 s): telecap record --interface wlan0",
      ])
  }

  @Test("Without traffic anywhere the note says what was looked for, and that a relay needs no rights")
  func nowhere() {
    let lines = note([ProbedInterface(name: "eth0", packets: 0)], .text("udp port 7"))
    #expect(lines[0] == "no packet on lo in 3 s: looked for “udp port 7”")
    #expect(lines[1].hasPrefix("  none on eth0 either; check that the sender runs, and its ports (--port); a relay"))
    #expect(lines[1].hasSuffix("telecap record -o FILE --relay udp:PORT=HOST:PORT"))
    #expect(!note([], .everything)[1].contains("either"))
  }

  @Test("The command is the given one on another interface")
  func command() {
    for words in [["-i", "lo"], ["--interface", "lo"], ["--interface=lo"], []] {
      let given = ["telecap", "record", "-o", "a.telecap"] + words + ["--count", "3"]
      let moved = given.removing(option: "--interface", "-i").adding(option: "--interface", "eth0")
      #expect(moved == ["telecap", "record", "-o", "a.telecap", "--count", "3", "--interface", "eth0"])
    }
    #expect(["a", "--", "-i", "b"].removing(option: "-i") == ["a", "--", "-i", "b"])
  }
}
