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

  @Test("A receiver gets what is sent to the group that it joined, and nothing else")
  func multicast() throws {
    let file = folder["desk.yaml"]
    try """
    protocol: desk
    carriers: [{name: udp, over: udp, port: 7000}]
    header: [{name: type, type: u8, is: type}]
    messages:
      - {name: LEVEL, type: 1, from: client, fields: [{name: number, type: u16}, {name: level, type: u8}]}
    streams: [{name: level, message: LEVEL, order: number, values: [level]}]
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let host = try Running(
      Program.path,
      [
        "simulate", "desk-host", "--protocol", file, "--port", "desk-udp=0", "--join", "239.255.7.1", "--duration",
        "30s",
      ])
    let deadline = ContinuousClock.now + .seconds(20)
    while !host.errors.contains("239.255.7.1:"), .now < deadline { usleep(5_000) }
    let port = try #require(host.errors.firstMatch(of: /239\.255\.7\.1:(\d+)/)?.1, "\(host.errors)")
    // The first is not sent to the group.
    _ = try Program.shell(
      """
      python3 -c '
      import socket
      own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
      own.sendto(bytes([1, 1, 0, 10]), ("127.0.0.1", \(port)))
      for number in 2, 3: own.sendto(bytes([1, number, 0, 10 * number]), ("239.255.7.1", \(port)))'
      """)
    while host.output.split(separator: "\n").count < 2, .now < deadline { usleep(5_000) }
    host.signal(SIGINT)
    let end = try host.finish()
    #expect(end.status == 0, "\(end)")
    #expect(try end.json().compactMap { $0["number"] as? Int } == [2, 3], "\(end)")
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
      ("lamp-client --join 239.255.0.1", "--join requires a host: a client sends first"),
      ("lamp-host --join 127.0.0.1", "'127.0.0.1' is no multicast group, such as 239.255.0.1"),
      (
        "lamp-host --join ff02::1",
        "--join ff02::1 requires --bind with the address of one interface, of the same IP version"
      ),
      (
        "lamp-host --join 239.255.0.1 --bind 0.0.0.0",
        "--join 239.255.0.1 requires --bind with the address of one interface, of the same IP version"
      ),
    ])
  func refused(_ words: String, _ message: String) throws {
    let file = try protocolFile(over: "udp")
    let end = try Program.run(["simulate"] + words.split(separator: " ").map(String.init) + ["--protocol", file])
    #expect(end.status == 64)
    #expect(end.errors.contains(message), "\(end.errors)")
  }
}
