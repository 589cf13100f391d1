import CSockets
import TelecapConformance
import TelecapModels
import TelecapRecording

/// Our ends of a run over real sockets: for each peer of the scenario an address of its own. Used by one thread.
///
/// Against a host they send to it from ports of their own; for a phone the peer `host` is bound where the phone sends to,
/// and the others send to it from elsewhere once it has been heard.
final class PeerEnds {
  /// What came from the system.
  enum Arrival {
    /// Bytes for this peer, and when by the time of day.
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
  /// Where the system was heard from last, when it speaks first.
  private var system: Endpoint?
  private let listens: Bool
  /// The port at which a host takes datagrams; nil where the system speaks first.
  let systemPort: UInt16?
  /// When which probes were sent, on the monotonic clock in ns.
  private(set) var probes: [(peer: PeerName?, carrier: Carrier, time: Nanoseconds)] = []
  /// Where our ends are.
  private(set) var endpoints: [PeerName: Endpoint] = [:]

  /// Ends for these peers of a system that speaks first, or of one that is spoken to. `udp` and `tcp` are where a host is, or where a phone is to find `host`; of an address of ours
  /// port 0 is a free one.
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

  /// Where a peer at another address is, which has the port of its namesake; nil for the others, of whom it comes behind.
  private func otherAddress(for peer: PeerName) -> Endpoint? {
    SamePortPeer.namesake(of: peer).flatMap { endpoints[$0] }.map { Endpoint(SecondLoopback.address, port: $0.port) }
  }

  /// Where a phone is to connect to over TCP.
  var listening: Endpoint? { listener?.local }

  /// Whether the system has sent something, or connects; waits up to 2 ms.
  var isSpokenTo: Bool { datagrams.waitForReply(milliseconds: 2) || listener?.isWaiting == true }

  /// Whether the host's UDP port is open: a closed one refuses the empty datagram that is sent there, which is no message
  /// to anybody.
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

  /// Keeps that a probe is sent; of many only the first and the last, since each says the same.
  func noteProbe(from peer: PeerName?, over carrier: Carrier) {
    if probes.count > 1 { probes.removeLast() }
    probes.append((peer, carrier, telecap_monotonic_ns()))
  }

  /// Sends a datagram, or the next piece of a stream; false where there is nobody to send it to.
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

  /// The peer's end of its connection, for a system that names clients by it.
  func streamEndpoint(of peer: PeerName) -> Endpoint? { streams[peer]?.flow.source }

  /// Closes this peer's connection, in order or by a reset; false where there is none.
  func close(_ peer: PeerName, byReset isReset: Bool = false) -> Bool {
    guard let stream = streams.removeValue(forKey: peer) else { return false }
    if isReset { stream.resetWhenClosed() }
    return true
  }

  /// Hands over what has come, without waiting.
  func receive(_ body: (Arrival, RawSpan) throws -> Void) throws {
    try datagrams.receive { reply, bytes in
      guard let lane = reply.lane, let peer = peersOfLanes[lane] else { return }
      if listens { system = reply.flow.source }
      try body(.bytes(peer, .udp, reply.time), bytes)
    }
    if let stream = listener?.accept() {
      // A system that reconnects has said its last word over the connection before.
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
