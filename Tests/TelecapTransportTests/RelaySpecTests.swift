import TelecapProtocols
import TelecapRecording
import TelecapTransport
import Testing

@Suite struct RelaySpecTests {
  @Test(
    "A relay specification is parsed",
    arguments: [
      ("udp:50000=robot:50001", Carrier.udp, "127.0.0.1:50000", "robot:50001"),
      ("tcp:0.0.0.0:50000=192.0.2.1:5", .tcp, "0.0.0.0:50000", "192.0.2.1:5"),
      ("udp:[::1]:50000=[2001:db8::1]:5", .udp, "[::1]:50000", "[2001:db8::1]:5"),
    ])
  func aRelayIsRead(_ text: String, carrier: Carrier, listen: String, target: String) throws {
    let spec = try RelaySpec(parsing: text)
    #expect(spec.carrier == carrier)
    #expect(spec.listen == Endpoint(listen))
    #expect(spec.target == (try HostPort(parsing: target)))
    #expect(spec.description == "\(carrier.name):\(listen)=\(target)")
    #expect(try RelaySpec(parsing: spec.description) == spec)
  }

  @Test(
    "An error names what is wrong with a relay and what to write",
    arguments: [
      (
        "udp:50000",
        "relay 'udp:50000' does not say where to pass packets on to: write udp:50000=HOST:PORT or tcp:50000=HOST:PORT"
      ),
      (
        "ble:1=a:2",
        "relay 'ble:1=a:2': 'ble' is neither udp nor tcp: write udp:50000=HOST:PORT or tcp:50000=HOST:PORT"
      ),
      (
        "udp=a:2",
        "relay 'udp=a:2' does not say which port to listen on: write udp:50000=HOST:PORT or tcp:50000=HOST:PORT"
      ),
      ("udp:x=a:2", "relay 'udp:x=a:2': 'x' is not a port: a port is 1 to 65535"),
      ("udp:70000=a:2", "relay 'udp:70000=a:2': '70000' is not a port: a port is 1 to 65535"),
      (
        "udp:robot:5=a:2",
        "relay 'udp:robot:5=a:2': 'robot' is not an address of this machine: write one as 192.0.2.1 or [::1]"
      ),
      ("udp:5=a", "relay: 'a' names no port: write a:PORT"),
      ("udp:5=a:x", "relay: 'x' in 'a:x' is not a port: a port is 1 to 65535"),
    ])
  func whatIsWrongIsSaid(_ text: String, sentence: String) {
    do throws(RelaySpecError) {
      let spec = try RelaySpec(parsing: text)
      Issue.record("read as \(spec)")
    } catch {
      #expect(error.description == sentence)
    }
  }

  @Test("Flows are recorded under the port that identifies the protocol")
  func flowsAreRecordedUnderThePortThatTellsTheProtocol() throws {
    let spec = try RelaySpec(parsing: "udp:50000=192.0.2.1:6000")
    let target = try #require(Endpoint("192.0.2.1:6000"))
    #expect(spec.recordedServer(target, ports: .standard) == Endpoint("192.0.2.1:50000"))
    let plain = try RelaySpec(parsing: "udp:6000=192.0.2.1:50000")
    let known = try #require(Endpoint("192.0.2.1:50000"))
    #expect(plain.recordedServer(known, ports: .standard) == known)
    let neither = try RelaySpec(parsing: "udp:6000=192.0.2.1:6001")
    let unknown = try #require(Endpoint("192.0.2.1:6001"))
    #expect(neither.recordedServer(unknown, ports: .standard) == unknown)
  }
}
