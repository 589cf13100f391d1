import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

extension WallClockSuites {
  /// Phones that are programs of their own, and end their process in a run.
  @Suite("A phone that ends its process") struct OrderlyEndTests {
    /// Sends HELLO, and ends with `status` at the first frame whose magic is `wrong`, or at any frame.
    private static let program = """
      import socket, sys
      port, hello, status, at_once = int(sys.argv[1]), bytes.fromhex(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "any"
      s = socket.create_connection(("127.0.0.1", port)); s.sendall(hello)
      data = b""
      while True:
          more = s.recv(4096)
          if not more: sys.exit(status)
          data += more
          while len(data) >= 2 and len(data) >= 2 + int.from_bytes(data[:2], "little"):
              size = int.from_bytes(data[:2], "little"); frame = data[2:2 + size]; data = data[2 + size:]
              if frame[:4] != b"TELE" or (at_once and frame[4] == 7): s.close(); sys.exit(status)
      """

    /// The log of such a phone that is sent a HAPTIC, and then what is no message.
    private static func log(status: Int, at: String) async throws -> RunLog {
      let folder = try Folder()
      let path = try folder.write(Array(program.utf8), to: "phone.py")
      let owner = Role.phone.owner
      let hello = try #require(owner.kind(named: "HELLO", over: .tcp))
      let frame = try #require(owner.dialect(over: .tcp)).framing.framed(Message.right(hello).bytes)
      let hex = frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let file = """
        role: phone
        command: [python3, \(path), $TCP, "\(hex)", "\(status)", \(at)]
        addresses: {tcp: free}
        ready: {speaks: true, within: 10s}
        """
      let text = """
        # What is no message comes behind a force.
        requirement: tele.robust.mutations
        role: phone
        carrier: tcp
        steps:
          - {at: 300ms, send: HAPTIC, with: {intensity: 0.5}}
          - {at: 700ms, hex: "0600585858580101"}
          - {at: 2s, send: HAPTIC, with: {intensity: 0.25}}
        expect: {streams: [tele.haptic.latest-value-wins]}
        """
      let name = "tele/robust/mutations/ended.yaml"
      let scenario = try Scenario(text, path: name, file: name, suites: .all)
      let system = ProgramSystem(
        try SystemFile(file, file: "phone.yaml", suites: .all), directory: folder.path, telecap: "/nowhere")
      return try await system.run(scenario.script(for: Case()))
    }

    @Test("An exit with status 0 after an invalid message is no crash")
    func orderly() async throws {
      let log = try await Self.log(status: 0, at: "wrong")
      #expect(log.broke == nil, "\(log.broke?.reason ?? "")")
      #expect(log.ended?.reason.hasPrefix("it exited with status 0 after a message that is not right") == true)
    }

    @Test(
      "An exit with another status, or with status 0 after a right message, is a crash",
      arguments: [(3, "wrong"), (0, "any")])
    func broken(_ status: Int, _ at: String) async throws {
      let log = try await Self.log(status: status, at: at)
      #expect(log.broke?.reason == "it exited with status \(status)" && log.ended == nil)
    }
  }
}
