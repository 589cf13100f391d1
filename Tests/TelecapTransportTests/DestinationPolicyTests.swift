import TelecapRecording
import TelecapTransport
import TelecapTestSupport
import Testing

@Suite struct DestinationPolicyTests {
  static let network: Set<IPAddress> = [IPAddress(v4: 0xc0a8_01ff)]
  let loopback = DestinationPolicy(.loopback, broadcastAddresses: network)
  let anyHost = DestinationPolicy(.anyHost, broadcastAddresses: network)

  static let table: [(String, loopback: DestinationError?, anyHost: DestinationError?)] = {
    func row(
      _ text: String, _ loopback: ((Endpoint) -> DestinationError)?, _ anyHost: ((Endpoint) -> DestinationError)?
    ) -> (String, loopback: DestinationError?, anyHost: DestinationError?) {
      guard let endpoint = Endpoint(text) else { return (text, .noHost(Endpoint(.any, port: 0)), nil) }
      return (text, loopback.map { $0(endpoint) }, anyHost.map { $0(endpoint) })
    }
    return [
      row("127.0.0.1:50000", nil, nil),
      row("127.9.9.9:1", nil, nil),
      row("[::1]:50000", nil, nil),
      row("[::ffff:127.0.0.1]:50000", nil, nil),
      row("192.168.1.7:50000", DestinationError.notLoopback, nil),
      row("[2001:db8::1]:50000", DestinationError.notLoopback, nil),
      row("192.168.1.255:50000", DestinationError.broadcast, DestinationError.broadcast),
      row("[::ffff:192.168.1.255]:50000", DestinationError.broadcast, DestinationError.broadcast),
      row("255.255.255.255:50000", DestinationError.broadcast, DestinationError.broadcast),
      row("[::ffff:255.255.255.255]:50000", DestinationError.broadcast, DestinationError.broadcast),
      row("127.255.255.255:50000", DestinationError.broadcast, DestinationError.broadcast),
      row("224.0.0.1:50000", DestinationError.multicast, DestinationError.multicast),
      row("239.255.255.255:50000", DestinationError.multicast, DestinationError.multicast),
      row("[ff02::1]:50000", DestinationError.multicast, DestinationError.multicast),
      row("[::ffff:224.0.0.1]:50000", DestinationError.multicast, DestinationError.multicast),
      row("0.0.0.0:50000", DestinationError.noHost, DestinationError.noHost),
      row("[::]:50000", DestinationError.noHost, DestinationError.noHost),
      row("127.0.0.1:0", DestinationError.noPort, DestinationError.noPort),
    ]
  }()

  @Test("The policy allows only single hosts, and only the given ones", arguments: table)
  func onlySingleHostsAndOnlyThoseAllowed(_ text: String, loopback: DestinationError?, anyHost: DestinationError?)
    throws
  {
    let endpoint = try #require(Endpoint(text))
    #expect(Self.verdict(self.loopback, endpoint) == loopback)
    #expect(Self.verdict(self.anyHost, endpoint) == anyHost)
  }

  static func verdict(_ policy: DestinationPolicy, _ endpoint: Endpoint) -> DestinationError? {
    do throws(DestinationError) {
      try policy.check(endpoint)
      return nil
    } catch {
      return error
    }
  }

  @Test("An error names what to do")
  func theErrorsSayWhatToDo() throws {
    let far = try #require(Endpoint("192.0.2.1:50000"))
    #expect(
      DestinationError.notLoopback(far).description
        == "192.0.2.1:50000 is not this machine: to send there, name it with --to 192.0.2.1:50000")
    #expect(
      DestinationError.broadcast(far).description
        == "192.0.2.1:50000 is a broadcast address: send to one host, by its own address")
  }

  @Test("No sender opens what the policy forbids")
  func noSenderOpensWhatThePolicyForbids() throws {
    let group = try #require(Endpoint("224.0.0.1:50000"))
    let sender = try DatagramSender(policy: DestinationPolicy(.anyHost))
    #expect(throws: DestinationError.multicast(group)) { try sender.open(to: group) }
    #expect(throws: DestinationError.multicast(group)) {
      try StreamSender(to: group, policy: DestinationPolicy(.anyHost))
    }
  }
}
