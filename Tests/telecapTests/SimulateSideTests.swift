import Foundation
import TelecapTestSupport
import Testing

@Suite("simulate, a side of a protocol file", .real("runs the program and sends over loopback"))
struct SimulateSideTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func protocolFile(over carrier: String) throws -> String {
    let path = folder["lamp.yaml"]
    try """
    protocol: lamp
    carriers: [{name: \(carrier), over: \(carrier), port: 7000}]
    header: [{name: type, type: u8, is: type}]
    messages:
      - {name: HELLO, type: 1, from: client}
      - {name: WELCOME, type: 2, from: host}
      - {name: STATE, type: 3, from: host, fields: [{name: number, type: u16}, {name: level, type: u8}]}
    session: {asked-by: HELLO, answered-by: [WELCOME], timeout: 3s}
    streams: [{name: state, message: STATE, order: number, values: [level]}]
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("A client gets the stream of a host, over either transport", arguments: ["udp", "tcp"])
  func stream(_ carrier: String) throws {
    let file = try protocolFile(over: carrier)
    let host = try Running(
      Program.path, ["simulate", "lamp-host", "--protocol", file, "--port", "lamp-\(carrier)=0", "--duration", "30s"])
    let deadline = ContinuousClock.now + .seconds(20)
    while !host.errors.contains("127.0.0.1:"), .now < deadline { usleep(5_000) }
    let port = try #require(host.errors.firstMatch(of: /127\.0\.0\.1:(\d+)/)?.1)
    let client = try Program.run([
      "simulate", "lamp-client", "--protocol", file, "--to", "127.0.0.1:\(port)", "--duration", "1s",
    ])
    #expect(client.status == 0, "\(client.errors)")
    let numbers = try client.json().compactMap { $0["number"] as? Int }
    #expect(numbers.count > 2 && numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(client.output)")
    host.signal(SIGINT)
    #expect(try host.finish().status == 0)
  }

  @Test(
    "Sides and mutants that there are not are refused, with those that there are",
    arguments: [
      ("lamp-hots", #"there is no "lamp-hots" to simulate; did you mean "lamp-host"?"#),
      ("zzzz", "there are host, phone, mouse, mouse-host, lamp-host, lamp-client"),
      (
        "lamp-host --mutant none",
        #"lamp-host has no mutant "none"; there are repeats-numbers, ignores-timeout"#
      ),
      ("lamp-host --to 127.0.0.1", "--to requires a client: a host answers"),
      ("lamp-client --bind 0.0.0.0", "--bind requires a host: a client speaks first"),
    ])
  func refused(_ words: String, _ message: String) throws {
    let file = try protocolFile(over: "udp")
    let end = try Program.run(["simulate"] + words.split(separator: " ").map(String.init) + ["--protocol", file])
    #expect(end.status == 64)
    #expect(end.errors.contains(message), "\(end.errors)")
  }
}
