import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

/// How what listens is made known, and to whom.
@Suite(.real("sockets")) struct DiscoveryTests {
  private static let home = BroadcastNetwork(own: IPAddress(v4: 0xc000_0201), broadcast: IPAddress(v4: 0xc000_02ff))
  private static let work = BroadcastNetwork(own: IPAddress(v4: 0x0a00_0005), broadcast: IPAddress(v4: 0x0a00_ffff))

  @Test("Beacons go to the network of the relay's address, and those of loopback stay on this machine")
  func targets() throws {
    let networks = [DiscoveryTests.home, DiscoveryTests.work]
    func of(_ address: IPAddress) throws -> [IPAddress] { try BeaconTargets.of(address, in: networks) }
    #expect(try of(DiscoveryTests.home.own) == [DiscoveryTests.home.broadcast])
    #expect(try of(.any) == [DiscoveryTests.work.broadcast, DiscoveryTests.home.broadcast])
    #expect(try of(.loopback) == [BeaconTargets.thisMachine])
    #expect(BeaconTargets.thisMachine.isLoopback)
    let other = IPAddress(v4: 0xc000_0301)
    #expect(throws: BeaconProblem.noBroadcast(other)) { try of(other) }
    let v6 = IPAddress(v6High: 0, low: 1)
    #expect(throws: BeaconProblem.notIPv4(v6)) { try of(v6) }
    #expect(throws: BeaconProblem.noBroadcast(.any)) { try BeaconTargets.of(.any, in: []) }
  }

  @Test("Two addresses in one network send one beacon")
  func sameNetwork() throws {
    var second = DiscoveryTests.home
    second.own = IPAddress(v4: 0xc000_0202)
    #expect(try BeaconTargets.of(.any, in: [DiscoveryTests.home, second]) == [DiscoveryTests.home.broadcast])
  }

  @Test("The broadcast addresses for beacons are those that the policy rejects for other packets")
  func networks() {
    let networks = BroadcastNetwork.ofThisMachine()
    #expect(Set(networks.map(\.own)).isSubset(of: IPAddress.ofThisMachine()))
    #expect(DestinationPolicy(.anyHost).broadcastAddresses == Set(networks.map(\.broadcast)))
  }

  @Test("Beacons to a port where another relay listens are rejected")
  func disturbs() throws {
    let ports = Ports([Tele.wire])
    func disturbs(_ specs: String...) throws -> Bool {
      Advertisement.disturbs(try specs.map { try RelaySpec(parsing: $0) }, ports)
    }
    #expect(try disturbs("tcp:5000=h:1", "udp:50001=h:1"))
    #expect(try !disturbs("tcp:5000=h:1", "udp:50002=h:1"))
    #expect(try !disturbs("udp:50001=h:1", "udp:50002=h:1"))
  }

  @Test("Beacons of a relay's own host and transport lead to the relay; those of others and of relays do not")
  func leads() throws {
    let (lan, other) = (IPAddress(v4: 0xc0a8_0105), IPAddress(v4: 0xc0a8_0109))
    func route(_ carrier: Carrier, _ listen: Endpoint, _ target: Endpoint) -> Relay.Route {
      let spec = RelaySpec(carrier, listen: listen, target: HostPort(host: "robot", port: target.port))
      return Relay.Route(spec: spec, listen: listen, target: target, recorded: target)
    }
    func leads(_ route: Relay.Route, _ address: IPAddress, _ port: UInt16, by way: Found.Way = .beacon) -> Bool {
      let found = Found(way: way, name: "a", carrier: .tcp, place: HostPort(host: "\(address)", port: port))
      return !BeaconLeads([route], own: [lan, .loopback]).routes(of: found).isEmpty
    }
    let near = route(.tcp, Endpoint(.loopback, port: 50_011), Endpoint(.loopback, port: 50_010))
    // The host may be known by the address that it sends from.
    #expect(leads(near, .loopback, 50_010) && leads(near, lan, 50_010))
    #expect(!leads(near, other, 50_010) && !leads(near, .loopback, 50_009) && !leads(near, .loopback, 50_011))
    #expect(!leads(near, .loopback, 50_010, by: .multicastDNS))
    // If both sides have the same port, the relay's own beacons come back to it.
    let same = route(.tcp, Endpoint(lan, port: 50_000), Endpoint(.loopback, port: 50_000))
    #expect(leads(same, .loopback, 50_000) && !leads(same, lan, 50_000))
    let far = route(.tcp, Endpoint(.any, port: 50_011), Endpoint(other, port: 50_000))
    #expect(leads(far, other, 50_000) && !leads(far, lan, 50_000) && !leads(far, lan, 50_011))
    #expect(!leads(route(.udp, Endpoint(.any, port: 50_011), Endpoint(other, port: 50_000)), other, 50_000))
  }

  @Test("The programs for mDNS get type, port and properties, and their confirmation is recognised")
  func programs() {
    let (all, one) = (Endpoint(.any, port: 50_010), Endpoint(DiscoveryTests.home.own, port: 50_010))
    let properties = ["v=1", "port=50010", "name=robot"]
    let avahi = ["robot", "_televoodoo._udp", "50010"] + properties
    #expect(MulticastDNS.avahi.announcing("robot", all) == [["avahi-publish", "-s"] + avahi])
    #expect(
      MulticastDNS.avahi.announcing("robot", one) == [
        ["avahi-publish", "-a", "--no-reverse", "robot-50010.local", "192.0.2.1"],
        ["avahi-publish", "-s", "--host=robot-50010.local"] + avahi,
      ])
    #expect(MulticastDNS.avahi.isEstablished("Established under name 'robot'"))
    #expect(!MulticastDNS.avahi.isEstablished("Failed to create client object: Daemon not running"))
    let zone = ["robot", "_televoodoo._udp", "local", "50010"]
    #expect(MulticastDNS.dnsSD.announcing("robot", all) == [["dns-sd", "-R"] + zone + properties])
    #expect(
      MulticastDNS.dnsSD.announcing("robot", one)
        == [["dns-sd", "-P"] + zone + ["robot-50010.local", "192.0.2.1"] + properties])
    #expect(
      MulticastDNS.dnsSD.isEstablished(
        "10:13:20.310  Got a reply for service robot._televoodoo._udp.local.: Name now registered and active"))
  }

  /// The services in a program's lines; other lines are left out.
  private func found(_ program: MulticastDNS, _ lines: [String]) -> [Found] {
    var reader = program.lines
    return lines.compactMap { reader.read($0) }
  }

  @Test("The output of avahi-browse is parsed: services that are resolved, with any name")
  func avahi() {
    let found = found(
      .avahi,
      [
        "+;veth0;IPv4;robot;_televoodoo._udp;local",
        #"=;veth0;IPv4;robot;_televoodoo._udp;local;vm.local;192.0.2.1;50010;"name=robot" "port=50010" "v=1""#,
        #"=;veth0;IPv6;Lab\032\0592\.1;_televoodoo._udp;local;vm.local;fe80::1;50011;"#,
        "-;veth0;IPv4;robot;_televoodoo._udp;local", "=;veth0;IPv4;robot;_televoodoo._udp;local;vm.local;x;99999;", "",
      ])
    #expect(
      found == [
        Found(
          way: .multicastDNS, name: "robot", carrier: .udp, place: HostPort(host: "192.0.2.1", port: 50_010), version: 1
        ),
        Found(way: .multicastDNS, name: "Lab ;2.1", carrier: .udp, place: HostPort(host: "fe80::1", port: 50_011)),
      ])
  }

  @Test("The output of dns-sd -Z is parsed: a service's host, port and properties")
  func zone() {
    let found = found(
      .dnsSD,
      [
        "Browsing for _televoodoo._udp.local",
        "; To direct clients to browse a different domain, substitute that domain",
        "_televoodoo._udp                                PTR     my\\032robot._televoodoo._udp",
        "my\\032robot._televoodoo._udp                    SRV     0 0 50010 mac.local. ; Replace with unicast FQDN",
        #"my\032robot._televoodoo._udp                    TXT     "v=1" "port=50010" "name=robot""#,
        #"other._televoodoo._udp                         TXT     "v=1""#,
      ])
    #expect(
      found == [
        Found(
          way: .multicastDNS, name: "my robot", carrier: .udp, place: HostPort(host: "mac.local", port: 50_010),
          version: 1)
      ])
  }

  @Test("A beacon is read with its name and port, and other bytes are none")
  func reading() throws {
    func read(_ bytes: [UInt8]) -> BeaconReading? { BeaconReading(bytes.span.bytes) }
    let bytes = try Message.beacon(tcpPort: 50_010, name: "voodooX7").bytes
    let reading = try #require(read(bytes))
    #expect(reading.name == "voodooX7" && reading.tcpPort == 50_010 && reading.version == 1)
    for count in 0..<bytes.count { #expect(read(Array(bytes[..<count])) == nil) }
    #expect(read(Bytes.ack) == nil)
  }
}
