import Foundation
import TelecapTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where few files may be open at a time, clients are turned away and told, and the command goes on.
@Suite(.serialized, .real("runs telecap")) struct DescriptorTests {
  /// More connections than there can be descriptors for.
  private static let flood = 120

  /// A command that may have so many files open.
  private func start(_ limit: Int, _ command: [String]) throws -> Running {
    try Running(
      "/bin/sh", ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", Program.path] + command)
  }

  @Test("A relay over TCP", arguments: [34, 40, 47, 64])
  func aRelayOverTCP(limit: Int) throws {
    let (server, port) = (try Socket.listener(), try freePort())
    let program = try start(limit, ["relay", "tcp:\(port)=127.0.0.1:\(server.port)"])
    try program.wait(for: "relaying ")
    let clients = try (0..<Self.flood).map { _ in try Socket.connected(to: port) }
    // The last one was turned away: all before it were taken or turned away.
    #expect(throws: (any Error).self) { try clients[Self.flood - 1].receive(1) }
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains(": \(Self.flood) clients, "), "\(end.output)")
    #expect(try refused(end.output) > Self.flood - limit)
  }

  @Test("A simulated host over TCP, whose clients wait")
  func aSimulatedHostOverTCPWhoseClientsWait() throws {
    let port = try freePort()
    let program = try start(40, ["simulate", "host", "--transport", "tcp", "--tele-tcp", "\(port)"])
    try program.wait("its address") { (program.errors + program.output).contains("TCP 127.0.0.1:\(port)") }
    var clients = try (0..<Self.flood).map { _ in try Socket.connected(to: port) }
    // Nobody is greeted who has said nothing; when the others have gone the last one is heard.
    let last = clients.removeLast()
    clients = []
    try last.send(Bytes.framed(Bytes.hello))
    #expect(throws: Never.self) { try last.receive(1) }
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
  }

  private func refused(_ output: String) throws -> Int {
    let match = try #require(output.firstMatch(of: /(\d+) refused/), "\(output)")
    return try #require(Int(match.1))
  }

  @Test("A recording relay over UDP", arguments: [40, 64])
  func aRecordingRelayOverUDP(limit: Int) throws {
    let folder = try Folder()
    let capture = folder["a.telecap"]
    let (server, port) = (try Socket.udp(), try freePort())
    let program = try start(limit, ["record", "-o", capture, "--relay", "udp:\(port)=127.0.0.1:\(server.port)"])
    try program.wait(for: "recording relay")
    let clients = try (0..<Self.flood).map { _ in try Socket.udp() }
    for round in UInt8(0)..<3 {
      for client in clients { try client.send([round], to: port) }
      // Also those that cannot be passed on are recorded.
      try program.wait("round \(round)") {
        (try? sql(capture, "SELECT COUNT(*) FROM packet")) == [["\((Int(round) + 1) * Self.flood)"]]
      }
    }
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    let row = try sql(capture, "SELECT clients, refused, forgotten, not_passed_on FROM relay")[0].map { Int($0) ?? -1 }
    #expect(row[0] == Self.flood && row[1] > Self.flood - limit && row[2] == 0, "\(row)")
    #expect(row[3] == 3 * row[1])
  }

  @Test("Pages of view", arguments: [48, 64, 90])
  func pagesOfView(limit: Int) async throws {
    let capture = Project.file("Captures/teleoperation.pcapng").path
    let program = try start(limit, ["view", capture, "--no-open"])
    try program.wait("its address") { program.output.contains("\n") }
    let address = try #require(URL(string: String(program.output.prefix { $0 != "\n" })))
    let port = try UInt16(#require(address.port))
    var clients = try (0..<Self.flood).map { _ in try Socket.connected(to: port) }
    #expect(throws: (any Error).self) { try clients[Self.flood - 1].receive(1) }
    // Whoever comes when they have gone is answered.
    clients = []
    var status: Int?
    let deadline = ContinuousClock.now + .seconds(30)
    while status != 200, .now < deadline {
      status = (try? await URLSession.shared.data(from: address).1 as? HTTPURLResponse)?.statusCode
    }
    #expect(status == 200)
    program.signal(SIGINT)
    let end = try program.finish(seconds: 20)
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.errors.contains(" to the page refused: more than 256 at a time, or too few files may be open (ulimit -n)"))
  }

  @Test("Too few to begin with are told")
  func tooFewToBeginWithAreTold() throws {
    let end = try Program.shell("ulimit -n 20; $telecap --version")
    #expect(end.status == 69)
    #expect(end.errors == "telecap: only 20 files may be open at a time, and 32 are needed: allow more (ulimit -n)\n")
  }

  @Test("More are had than the soft limit says")
  func moreAreHadThanTheSoftLimitSays() throws {
    #if os(Linux)
      let (server, port) = (try Socket.listener(), try freePort())
      let program = try Running(
        "/bin/sh",
        ["-c", "ulimit -S -n 64; exec \"$0\" relay tcp:\(port)=127.0.0.1:\(server.port)", Program.path])
      try program.wait(for: "relaying ")
      let clients = try (0..<Self.flood).map { _ in try Socket.connected(to: port) }
      for _ in clients { _ = try server.accepted() }
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.output.contains(": \(Self.flood) clients, 0 pieces passed on\n") && !end.output.contains("refused"))
    #endif
  }
}
