import CSockets
import TelecapRecording
import TelecapTransport

/// A plain UDP socket on loopback, as a peer for tests. Each wait has an end.
final class UDPPeer {
  struct Failed: Error {}
  let descriptor: Int32
  let endpoint: Endpoint

  /// Bound to a port that the system chooses.
  init() throws {
    var local = telecap_endpoint(high: 0, low: 0x7f00_0001, port: 0, family: 4)
    descriptor = telecap_udp_open(4, &local, nil)
    guard descriptor >= 0, telecap_local_endpoint(descriptor, &local) == 0 else { throw Failed() }
    endpoint = Endpoint(.loopback, port: local.port)
  }

  deinit { close(descriptor) }

  /// The next datagram and who sent it.
  func receive() throws -> (bytes: [UInt8], from: Endpoint) {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, 5_000) == 1, let inbox = telecap_inbox_create(1) else { throw Failed() }
    defer { telecap_inbox_destroy(inbox) }
    guard telecap_inbox_receive(inbox, descriptor, nil) == 1 else { throw Failed() }
    let got = telecap_inbox_get(inbox, 0)
    let from = Endpoint(IPAddress(v4: UInt32(truncatingIfNeeded: got.from.low)), port: got.from.port)
    return (Array(UnsafeRawBufferPointer(start: got.bytes, count: got.length)), from)
  }

  /// Sends one datagram.
  func send(_ bytes: [UInt8], to: Endpoint) throws {
    var raw = telecap_endpoint(high: 0, low: to.address.low, port: to.port, family: 4)
    guard let batch = telecap_batch_create(1, 65_536) else { throw Failed() }
    defer { telecap_batch_destroy(batch) }
    guard telecap_batch_append(batch, bytes, bytes.count, &raw) == 1, telecap_batch_send(batch, descriptor, 0, 1) == 1
    else { throw Failed() }
  }
}

/// A port on loopback that was free a moment ago and that nobody listens on.
func closedPort() throws -> Endpoint { try UDPPeer().endpoint }

extension DatagramSender {
  /// For literals: a span cannot stand in an expectation.
  func append(_ bytes: [UInt8], on lane: Lane) -> Bool { append(bytes.span.bytes, on: lane) }
}

extension StreamSender {
  /// For literals.
  func send(_ bytes: [UInt8]) throws { try send(bytes.span.bytes) }
}
