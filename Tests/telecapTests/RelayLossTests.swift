import Foundation
import TelecapTestSupport
import Testing

/// Clients that a relay turned away are told, stored and shown.
@Suite(.real("runs telecap")) struct RelayLossTests {
  @Test("Clients without a server are counted")
  func clientsWithoutAServerAreCounted() throws {
    let folder = try Folder()
    let capture = folder["session.telecap"]
    let (port, closed) = (try freePort(), try closedPort())
    let program = try Program.start(["record", "-o", capture, "--relay", "tcp:\(port)=\(closed)"])
    try program.wait(for: "recording relay")
    for _ in 0..<3 {
      let client = try Socket.connected(to: port)
      // It is closed: nothing comes.
      #expect(throws: (any Error).self) { try client.receive(1) }
    }
    program.signal(SIGINT)
    let end = try program.finish()
    let route = "tcp:127.0.0.1:\(port)=\(closed)"
    #expect(end.status == 0)
    #expect(end.output.contains("\nrelay \(route): 3 of 3 clients refused\n"), "\(end.output)")
    let row = [route, "3", "3", "0", "0", "0"]
    #expect(try sql(capture, "SELECT * FROM relay") == [row])
    let info = try Program.run(["info", capture, "--format", "json"])
    let told = try #require(try info.values().first?["relays"]?.list.first, "\(info)")
    #expect(told["route"] == .text(route) && told["clients"] == 3 && told["refused"] == 3, "\(told)")
    #expect(try Program.run(["info", capture]).output.contains("\(route), 3 of 3 clients refused"))
    // Deriving its messages anew leaves it.
    _ = try sql(capture, "UPDATE capture SET dissection_complete = 0")
    #expect(try Program.run(["dissect", capture, "--where", "packet = 1"]).status == 0)
    #expect(try sql(capture, "SELECT * FROM relay") == [row])
  }
}
