import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// `telecap simulate SIDE --protocol FILE` as the system under test, over both transports of its protocol.
  @Suite(.real("runs telecap over sockets")) struct SimulatedSideTests {
    /// A lamp with a code of four digits, which broadcasts on a port of its own.
    private static let lamp = """
      protocol: lamp
      carriers:
        - name: udp
          ports:
            - {over: udp, port: 7001, id: lamp-beacon, broadcast: true}
            - {over: udp, port: 7000, id: lamp-udp}
        - {name: tcp, over: tcp, port: 7000}
      header:
        - {name: magic, type: text 2, equals: LP, is: identity}
        - {name: kind, type: u8, is: type}
      messages:
        - {name: HELLO, type: 1, from: client, fields: [{name: code, type: text 4, characters: 0-9}]}
        - {name: WELCOME, type: 2, from: host, fields: [{name: status, type: u8, codes: {0: OK, 1: BAD_CODE}}]}
        - {name: DIM, type: 3, from: client, fields: [{name: seq, type: u16}, {name: level, type: f32}]}
      session:
        {asked-by: HELLO, answered-by: [WELCOME], code: code, accepts: {status: OK}, rejects: {code: BAD_CODE}, timeout: 2s}
      streams: [{name: level, message: DIM, order: seq, values: [level], in-session: true}]
      """

    /// The names of an event's members are those of the protocol file, so that no path is needed.
    private static let system = """
      role: lamp-host
      command: [$TELECAP, simulate, lamp-host, --protocol, ./lamp.yaml, --code, $CODE]
      with:
        udp: [--transport, udp, --port, "lamp-udp=$UDP"]
        tcp: [--transport, tcp, --port, "lamp-tcp=$TCP"]
      addresses: {udp: free, tcp: free}
      ready: {line: "127.0.0.1:"}
      shows: {events: [{is: applied, stream: level, when: {event: applied, stream: level}}]}
      """

    private static func folder() throws -> Folder {
      let folder = try Folder()
      try lamp.write(toFile: folder["lamp.yaml"], atomically: true, encoding: .utf8)
      try system.write(toFile: folder["system.yaml"], atomically: true, encoding: .utf8)
      return folder
    }

    private static func run(_ line: String, in folder: Folder) throws -> Finished {
      try Program.shell("cd '\(folder.path)' && $telecap \(line)")
    }

    @Test("It passes over UDP and over TCP, and one that lets every client in fails over both")
    func transports() throws {
      let folder = try Self.folder()
      // Each of these runs for some seconds on the wall clock.
      let ids = [
        "session.wrong-code", "session.wrong-code.tcp", "level.latest-value-wins.wrap", "session.accept.close.tcp",
      ]
      let only = ids.map { "--only lamp.\($0)" }.joined(separator: " ")
      let right = try Self.run("conform -v --protocol ./lamp.yaml --sut ./system.yaml \(only)", in: folder)
      #expect(right.status == 0, "\(right)")
      for id in ids {
        #expect(right.lines.contains { $0.hasPrefix("PASS  lamp.\(id) ") }, "\(id): \(right)")
      }
      try Self.system.replacing("--code, $CODE", with: "--mutant, ignores-code")
        .write(toFile: folder["system.yaml"], atomically: true, encoding: .utf8)
      let wrong = try Self.run("conform --protocol ./lamp.yaml --sut ./system.yaml \(only)", in: folder)
      #expect(wrong.status == 1)
      for id in ["session.wrong-code", "session.wrong-code.tcp"] {
        #expect(wrong.lines.contains { $0.hasPrefix("FAIL  lamp.\(id) ") }, "\(id): \(wrong)")
      }
    }

    @Test(
      "A transport and a code that the protocol does not have, and a mutant of another transport, are errors that say so"
    )
    func refused() throws {
      let folder = try Self.folder()
      let other = try Self.run(
        "simulate lamp-host --protocol ./lamp.yaml --mutant reads-segments --duration 1s", in: folder)
      #expect(
        other.status == 64
          && other.errors.contains("--mutant reads-segments has no effect over udp; give another --transport"),
        "\(other)"
      )
      try Self.lamp.replacing("  - {name: tcp, over: tcp, port: 7000}\n", with: "").replacing(
        "code: code, ", with: ""
      ).replacing("rejects: {code: BAD_CODE}, ", with: "")
        .write(toFile: folder["lamp.yaml"], atomically: true, encoding: .utf8)
      for (options, words) in [
        ("--transport tcp", "lamp has no transport tcp; give --transport udp"),
        ("--code 1234", "--code has no effect: lamp declares no code of a session"),
      ] {
        let end = try Self.run("simulate lamp-host --protocol ./lamp.yaml \(options) --duration 1s", in: folder)
        #expect(end.status == 64 && end.errors.contains(words), "\(end)")
      }
    }
  }
}
