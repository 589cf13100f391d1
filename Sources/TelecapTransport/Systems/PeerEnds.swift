import CSockets
import TelecapConformance
import TelecapModels
import TelecapRecording

/// The sockets of telecap in a run, with an address for each peer of the scenario. One thread uses it.
///
/// Against a host, the peers send to it from their own ports. For a phone, the peer `host` is bound to the address to
/// which the phone sends, and the others send from other ports once its address is known.
final class PeerEnds {
  /// An event from the system.
  enum Arrival {
    /// Bytes for this peer, with the time of day.
    case bytes(PeerName, Carrier, Timestamp)
    /// The system opened a connection with this peer.
    case opened(PeerName)
    /// The system closed its connection with this peer.
    case disconnected(PeerName)
  }

  private let datagrams: DatagramSender
  private let policy: DestinationPolicy
  private let tcp: Endpoint?
  private var lanes: [PeerName: Lane] = [:]
  private var peersOfLanes: [Lane: PeerName] = [:]
  private var streams: [PeerName: StreamSender] = [:]
  private var listener: StreamListener?
  /// The last known address of a system that speaks first.
  private var system: Endpoint?
  private let listens: Bool
  /// The UDP port of a host; nil where the system speaks first.
  let systemPort: UInt16?
  /// The sent probes, with times on the monotonic clock in ns.
  private(set) var probes: [(peer: PeerName?, carrier: Carrier, time: Nanoseconds)] = []
  /// The addresses of the peers.
  private(set) var endpoints: [PeerName: Endpoint] = [:]

  /// Sockets for these peers of a system that speaks first, or of one that answers. `udp` and `tcp` are the addresses
  /// of a host, or those at which a phone is to find `host`; port 0 of our own address is a free one.
  /// - Throws: `SocketError` or `DestinationError`.
  init(speaksFirst: Bool, udp: Endpoint?, tcp: Endpoint?, peers: [PeerName], policy: DestinationPolicy) throws {
    datagrams = try DatagramSender(policy: policy)
    self.policy = policy
    self.tcp = tcp
    listens = speaksFirst
    systemPort = speaksFirst ? nil : udp?.port
    for peer in listens ? peers + ["host"] : peers where lanes[peer] == nil {
      guard let udp else { continue }
      let lane: Lane
      if listens {
        lane = try datagrams.open(at: peer == "host" ? udp : Endpoint(udp.address, port: 0))
      } else {
        lane = try datagrams.open(to: udp, from: otherAddress(for: peer))
      }
      lanes[peer] = lane
      peersOfLanes[lane] = peer
      endpoints[peer] = datagrams.flow(of: lane).source
    }
    if listens, let tcp { listener = try StreamListener(at: tcp) }
  }

  /// The address of a peer with the port of its namesake; nil for other peers. The namesake's socket is opened before.
  private func otherAddress(for peer: PeerName) -> Endpoint? {
    SamePortPeer.namesake(of: peer).flatMap { endpoints[$0] }.map { Endpoint(SecondLoopback.address, port: $0.port) }
  }

  /// The address to which a phone connects over TCP.
  var listening: Endpoint? { listener?.local }

  /// Whether the system has sent a message, or connects; waits up to 2 ms.
  var isSpokenTo: Bool { datagrams.waitForReply(milliseconds: 2) || listener?.isWaiting == true }

  /// Whether the host's UDP port is open: a closed one rejects the empty datagram that is sent there, which no host
  /// takes for a message.
  func isPortOpen() -> Bool {
    guard let (peer, lane) = lanes.min(by: { $0.key < $1.key }) else { return true }
    noteProbe(from: peer, over: .udp)
    let before = datagrams.counts.refused
    _ = datagrams.append(RawSpan(), on: lane)
    datagrams.flush()
    _ = datagrams.waitForReply(milliseconds: 2)
    _ = try? datagrams.receive { _, _ in }
    return datagrams.counts.refused == before
  }

  /// Records a probe; of several only the first and the last, since all are equal.
  func noteProbe(from peer: PeerName?, over carrier: Carrier) {
    if probes.count > 1 { probes.removeLast() }
    probes.append((peer, carrier, telecap_monotonic_ns()))
  }

  /// Sends a datagram, or the next segment of a byte stream; returns false without a destination.
  /// - Throws: `SocketError` or `DestinationError`.
  func send(_ bytes: [UInt8], from peer: PeerName, over carrier: Carrier) throws -> Bool {
    if carrier == .tcp {
      guard let stream = streams[peer] else { return false }
      try stream.send(bytes.span.bytes)
      return true
    }
    guard let lane = lanes[peer] else { return false }
    if listens {
      guard let system else { return false }
      _ = try datagrams.append(bytes.span.bytes, on: lane, to: system)
    } else {
      _ = datagrams.append(bytes.span.bytes, on: lane)
    }
    datagrams.flush()
    return true
  }

  /// Whether this peer has a connection.
  func isConnected(_ peer: PeerName) -> Bool { streams[peer] != nil }

  /// Connects this peer with a host.
  /// - Throws: `SocketError` or `DestinationError`.
  func connect(_ peer: PeerName) throws {
    guard !listens, let tcp else { return }
    let stream = try StreamSender(to: tcp, policy: policy, timeoutMilliseconds: 1_000)
    streams[peer] = stream
  }

  /// The peer's address on its connection, for a system that identifies clients by it.
  func streamEndpoint(of peer: PeerName) -> Endpoint? { streams[peer]?.flow.source }

  /// Closes or resets this peer's connection; returns false without one.
  func close(_ peer: PeerName, byReset isReset: Bool = false) -> Bool {
    guard let stream = streams.removeValue(forKey: peer) else { return false }
    if isReset { stream.resetWhenClosed() }
    return true
  }

  /// Passes on received data without waiting.
  func receive(_ body: (Arrival, RawSpan) throws -> Void) throws {
    try datagrams.receive { reply, bytes in
      guard let lane = reply.lane, let peer = peersOfLanes[lane] else { return }
      if listens { system = reply.flow.source }
      try body(.bytes(peer, .udp, reply.time), bytes)
    }
    if let stream = listener?.accept() {
      // A system that reconnects sends no more on the connection before.
      if let last = streams["host"] { try receive(from: "host", last, body) }
      streams["host"] = stream
      try body(.opened("host"), RawSpan())
    }
    for (peer, stream) in streams { try receive(from: peer, stream, body) }
  }

  private func receive(from peer: PeerName, _ stream: StreamSender, _ body: (Arrival, RawSpan) throws -> Void) throws {
    do {
      try stream.pump()
      while try stream.receive({ try body(.bytes(peer, .tcp, $0.time), $1) }) {}
      guard stream.peerEnded else { return }
    } catch is SocketError {}
    streams[peer] = nil
    try body(.disconnected(peer), RawSpan())
  }
}
