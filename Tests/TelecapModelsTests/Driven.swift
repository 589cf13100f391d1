import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire

/// A peer driven by a clock in the test's hand, with all that it asked for.
struct Driven<P: Peer> {
  var peer: P
  var now = Timestamp.zero
  /// The payloads sent since the last `drain`, with their destinations.
  var sent: [(bytes: [UInt8], carrier: Carrier, to: Endpoint)] = []
  var events: [PeerEvent] = []
  var disconnected: [Endpoint] = []

  init(_ peer: P) { self.peer = peer }

  mutating func act(_ work: (inout P, Timestamp, Perform) -> Void) {
    var sent = sent
    var events = events
    var disconnected = disconnected
    work(&peer, now) { action, bytes in
      switch action {
      case .send(let carrier, let to): sent.append((bytes.array, carrier, to))
      case .event(let event): events.append(event)
      case .disconnect(let endpoint): disconnected.append(endpoint)
      }
    }
    self.sent = sent
    self.events = events
    self.disconnected = disconnected
  }

  mutating func start() { act { $0.start(at: $1, $2) } }
  mutating func stop() { act { $0.stop(at: $1, $2) } }

  mutating func receive(_ bytes: [UInt8], over carrier: Carrier = .udp, from: Endpoint) {
    act { $0.receive(bytes.span.bytes, over: carrier, from: from, at: $1, $2) }
  }

  mutating func receive(_ message: Message, over carrier: Carrier = .udp, from: Endpoint) {
    receive(message.bytes, over: carrier, from: from)
  }

  /// Lets time pass to `time`, waking the peer whenever it asked to be.
  mutating func run(to time: Timestamp) {
    while let wake = peer.nextWake, wake <= time {
      now = max(now, wake)
      act { $0.advance(to: $1, $2) }
    }
    now = time
  }

  mutating func run(for nanoseconds: Int64) { run(to: now.advanced(byNanoseconds: nanoseconds)) }

  /// Returns the sent payloads as messages, and forgets them.
  mutating func drain(_ dialect: Dialect = .teleUDP) -> [Message] {
    defer { sent = [] }
    return sent.compactMap { Message(decoding: $0.bytes, as: dialect) }
  }

  mutating func drainEvents() -> [PeerEvent] {
    defer { events = [] }
    return events
  }
}

let hostEnd = Endpoint(.loopback, port: 50_000)
let phoneEnd = Endpoint(.loopback, port: 40_000)
let otherEnd = Endpoint(.loopback, port: 40_001)
let second: Int64 = 1_000_000_000
