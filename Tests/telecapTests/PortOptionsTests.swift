import ArgumentParser
import TelecapTestSupport
import TelecapWire
import Testing

@testable import telecap

/// The ports of the command line: each is an option of its own, and all of them are `--port`.
@Suite(.real("runs telecap")) struct PortOptionsTests {
  @Test(
    "A port's own option becomes --port",
    arguments: [
      (["dissect", "a", "--tele-udp", "50001"], ["dissect", "a", "--port", "tele-udp=50001"]),
      (["--mouse-tcp=9", "a"], ["--port", "mouse-tcp=9", "a"]),
      (["--port", "tele-udp=1", "--filter", "x"], ["--port", "tele-udp=1", "--filter", "x"]),
      (["--tele-udp", "--mouse-udp", "5"], ["--port", "tele-udp=", "--port", "mouse-udp=5"]),
      (["--tele-udp"], ["--port", "tele-udp="]), (["--tele-udp=", "5"], ["--port", "tele-udp=", "5"]),
      (["a", "--", "--tele-udp", "5"], ["a", "--", "--tele-udp", "5"]),
      (["tele-udp", "5", "--tele-udpx", "5"], ["tele-udp", "5", "--tele-udpx", "5"]),
    ] as [([String], [String])])
  func expanded(_ words: [String], _ expected: [String]) { #expect(PortOptions.expanded(words) == expected) }

  @Test(
    "What is no port, or no number, is refused in plain words",
    arguments: sampled(
      [
        (
          ["--port", "nonsense=1"],
          "there is no port \"nonsense\"; there are tele-beacon (50001), tele-udp (50000), tele-tcp (50000)"
        ),
        (["--tele-udp"], "Missing value for '--tele-udp <port>'"),
        (["--tele-udp", "--mouse-udp", "5"], "Missing value for '--tele-udp <port>'"),
        (["--port", "tele-udp"], "Missing value for '--tele-udp <port>'"),
        (["--tele-udp", "70000"], "The value '70000' is invalid for '--tele-udp <port>'"),
        (["--mouse-tcp=x"], "The value 'x' is invalid for '--mouse-tcp <port>'"),
      ] as [([String], String)], oneIn: 3))
  func refused(_ words: [String], _ expected: String) throws {
    let end = try Program.run(["dissect", "nothing.pcap"] + words)
    #expect(end.status == 64)
    #expect(end.errors.contains(expected), "\(end.errors)")
    #expect(end.output.isEmpty)
  }

  @Test("Numbers that are given are used, the later one where two are")
  func used() throws {
    let options = try PortOptions.parse(PortOptions.expanded(["--tele-udp", "1", "--mouse-udp=2", "--tele-udp", "3"]))
    #expect(try options.ports == Loaded.ports.with(["tele-udp": 3, "mouse-udp": 2]))
    #expect(try PortOptions.parse([]).ports == Loaded.ports)
  }
}
