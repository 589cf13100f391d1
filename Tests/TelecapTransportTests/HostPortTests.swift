import TelecapRecording
import TelecapTransport
import Testing

@Suite struct HostPortTests {
  @Test(
    "A parsed address prints as it was written",
    arguments: [
      ("localhost:50000", "localhost", 50000), ("192.0.2.1:1", "192.0.2.1", 1), ("[::1]:65535", "::1", 65535),
    ])
  func whatIsReadIsWrittenBack(_ text: String, host: String, port: Int) throws {
    let read = try HostPort(parsing: text)
    #expect(read == HostPort(host: host, port: UInt16(port)))
    #expect(read.description == text)
  }

  @Test(
    "An error names what is wrong with an address",
    arguments: [
      ("", HostPortError.noHost("")), (":50000", .noHost(":50000")), ("robot", .noPort("robot")),
      ("robot:", .badPort("robot:", port: "")), ("robot:0", .badPort("robot:0", port: "0")),
      ("robot:65536", .badPort("robot:65536", port: "65536")), ("robot:+5", .badPort("robot:+5", port: "+5")),
      ("::1", .bareIPv6("::1")), ("::1:50000", .bareIPv6("::1:50000")), ("[::1", .badBrackets("[::1")),
      ("[robot]:5", .badBrackets("[robot]:5")), ("[::1]5", .badBrackets("[::1]5")), ("[::1]", .noPort("[::1]")),
    ])
  func whatIsWrongIsSaid(_ text: String, error: HostPortError) {
    #expect(throws: error) { try HostPort(parsing: text) }
  }

  @Test("A port may be left out where that is allowed")
  func aPortMayBeLeftOutWhereThatIsAllowed() throws {
    #expect(try HostPort(parsing: "robot", portRequired: false) == HostPort(host: "robot", port: nil))
    #expect(try HostPort(parsing: "::1", portRequired: false) == HostPort(host: "::1", port: nil))
    #expect(try HostPort(parsing: "[::1]", portRequired: false).resolve(defaultPort: 7).first?.port == 7)
  }

  @Test("Numbers and localhost resolve")
  func numbersAndLocalhostResolve() throws {
    #expect(try HostPort(parsing: "192.0.2.1:5").resolve() == [Endpoint(IPAddress(v4: 0xc000_0201), port: 5)])
    let local = try HostPort(parsing: "localhost:5").resolve()
    #expect(local.first?.address.isLoopback == true)
  }

  @Test("A name that cannot exist is an error")
  func aNameThatCannotExistIsAnError() {
    // RFC 6761 §6.4: .invalid never resolves.
    #expect(throws: ResolutionError.self) { try HostPort(host: "no-such-host.invalid", port: 5).resolve() }
  }
}
