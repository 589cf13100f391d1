import Foundation
import TelecapTestSupport
import Testing

/// A Python package with a sender and a receiver of a protocol, in `Tests/Independent/packages`.
struct PythonPackage: Sendable, CustomTestStringConvertible {
  /// Its folder.
  let name: String
  /// The protocol, as `--protocol` takes it, and the port that its messages go to.
  let declared: String
  let port: String
  /// The scenarios that its receiver is tested by, and those that are left out.
  let only: [String]
  var skipped: [String] = []
  /// The requirements that its receiver breaks, and the reason.
  let broken: [String: String]

  var testDescription: String { name }

  /// A protocol file of the package's own folder.
  private static func protocolFile(_ name: String) -> String {
    Project.file("Tests/Independent/packages/\(name)/protocol.yaml").path
  }

  /// A file of its folder.
  func file(_ file: String) -> String { Project.file("Tests/Independent/packages/\(name)/\(file)").path }

  static let all = [
    PythonPackage(
      name: "sacn", declared: "sacn", port: "sacn-udp",
      only: ["sacn.levels.*", "sacn.header.*.levels", "sacn.robust.mutations.levels"],
      broken: [
        "sacn.levels.latest-value-wins": "ANSI E1.31, 6.7.2: the difference has eight bits and a sign, and wraps",
        "sacn.header.packet_id": "5.3: dropped", "sacn.header.packet_id_end": "5.3: dropped",
        "sacn.header.preamble": "5.1: dropped", "sacn.header.postamble": "5.2: dropped",
        "sacn.header.length": "5.4: it counts the bytes of the packet, which has fewer",
        "sacn.header.truncated": "5.4: the same",
        "sacn.robust.mutations": "a name that is no UTF-8, or universe 0, ends the thread that receives",
      ]),
    PythonPackage(
      name: "artnet", declared: "artnet", port: "artnet-udp",
      only: ["artnet.dmx.*", "artnet.header.*.dmx", "artnet.robust.mutations.dmx"],
      // The package does not show the input, which is a part of the key.
      skipped: ["artnet.dmx.latest-value-wins.keys"],
      broken: [
        "artnet.dmx.latest-value-wins": "each greater number is newer, also a late 255 after 2; and each after 0",
        "artnet.header.truncated": "levels that the length counts are missing",
        "artnet.robust.mutations": "the same",
      ]),
    PythonPackage(
      name: "osc", declared: protocolFile("osc"), port: "wand-udp", only: ["wand.*"],
      broken: [
        "wand.header.truncated": "OSC 1.0: a size is a multiple of 4. Missing bytes are taken for 0",
        "wand.robust.mutations": "the same",
      ]),
    PythonPackage(
      name: "mavlink", declared: protocolFile("mavlink"), port: "attitude-udp", only: ["attitude.*"],
      broken: [
        "attitude.robust.mutations": "datagrams are read as one stream: a wrong length swallows those that follow"
      ]),
  ]
}

/// The packages themselves.
private enum PythonPackages {
  /// The folder of a python3 that has them; nil where they cannot be had.
  static let folder: String? = {
    let script = Project.file("Tests/Independent/packages/install").path
    guard Tier.isDeep, let end = try? Running(script, []).finish(seconds: 300), end.status == 0 else { return nil }
    return end.lines.last
  }()
}

extension WallClockSuites {
  @Suite(
    "Programs of Python packages", .deep("eight runs of programs, 10 to 40 s each"),
    .enabled(if: PythonPackages.folder != nil, "needs the packages, of the system or of PyPI"))
  struct PythonPackageTests {
    /// An environment in which `python3` has the packages.
    private static func environment() throws -> [String: String] {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return ["PATH": "\(try #require(PythonPackages.folder)):\(path)"]
    }

    private static func telecap(_ arguments: [String]) throws -> Finished {
      try Program.run(arguments, environment: environment(), seconds: 180)
    }

    /// Records what the sender of a package sends.
    private static func record(_ package: PythonPackage, to capture: String) throws {
      let (sink, port) = (try Socket.udp(), try freePort())
      let recorder = try Program.start([
        "record", "-o", capture, "--relay", "udp:\(port)=127.0.0.1:\(sink.port)", "--protocol", package.declared,
        "--port", "\(package.port)=\(sink.port)", "--count", "40", "--duration", "30s",
      ])
      try recorder.wait(for: "recording relay")
      let sender = try Running(
        "/usr/bin/env", ["python3", package.file("sender.py"), "\(port)"], environment: environment())
      let sent = try sender.finish()
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(try recorder.finish().status == 0, "\(recorder.errors)")
      // It receives what the relay passes on.
      withExtendedLifetime(sink) {}
    }

    @Test("Its messages have no findings, and its receiver takes them with loss", arguments: PythonPackage.all)
    func recorded(_ package: PythonPackage) throws {
      let folder = try Folder()
      let capture = folder["session.telecap"]
      try Self.record(package, to: capture)
      #expect(try sql(capture, "SELECT count(*) FROM message WHERE type <> 'UNKNOWN'") == [["40"]])
      #expect(try sql(capture, "SELECT rule FROM finding") == [])
      #expect(try Program.run(["report", capture, "-o", folder["report.html"]]).status == 0)
      let replay = try Self.telecap([
        "replay", capture, "--loss", "5%", "--seed", "7", "--to", package.file("receiver.yaml"),
      ])
      #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
      #expect(replay.output.contains(/(^|\n)PASS +\S+\.latest-value-wins\ /), "\(replay.output)")
    }

    @Test("Its receiver breaks the requirements that are listed, and no others", arguments: PythonPackage.all)
    func tested(_ package: PythonPackage) throws {
      let run = try Self.telecap(
        [
          "conform", "--only-protocol", "--protocol", package.declared, "--sut", package.file("receiver.yaml"),
          "--format", "json",
        ] + package.only.flatMap { ["--only", $0] } + package.skipped.flatMap { ["--skip", $0] })
      let lines = try run.json().filter { $0["verdict"] is String }
      #expect(lines.contains { $0["verdict"] as? String == "pass" }, "\(run.errors)")
      func requirements(_ verdict: String) -> Set<String> {
        Set(lines.filter { $0["verdict"] as? String == verdict }.compactMap { $0["requirement"] as? String })
      }
      let (failed, broken) = (requirements("fail"), Set(package.broken.keys))
      #expect(failed.isSubset(of: broken), "\(failed.subtracting(broken))")
      // A busy machine makes a scenario inconclusive.
      let missed = broken.subtracting(failed).subtracting(requirements("inconclusive"))
      #expect(missed == [])
    }
  }
}
