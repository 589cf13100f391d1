import CSockets
import TelecapRecording
import TelecapWire

/// The sockets of a replay: one for each sender of datagrams, one for each byte stream.
final class ReplaySockets: ReplayTransport {
  let datagrams: DatagramSender
  private let policy: DestinationPolicy
  private let routes: [ReplayRoute]
  /// The socket of each route; nil for byte streams.
  private let lanes: [Lane?]
  private var streams: [Int: StreamSender] = [:]
  private(set) var streamBytes = 0
  private(set) var streamCount = 0
  private(set) var streamErrors: [SocketError] = []
  /// The routes whose requested local port was in use.
  private(set) var unboundRoutes: [ReplayRoute] = []
  /// The time from before the first packet of the run to after the last, on the monotonic clock; nil before the first.
  private(set) var span: ClosedRange<Nanoseconds>?

  private let observer: any ReplayObserver
  private let watcher: (any ReplayObserver)?
  /// The teardowns of flows, by flow number; empty where a replay that ends early sends none.
  private var teardowns: [Teardown?]
  private var streamTeardowns: [Int: (flow: Int, owed: Teardown)] = [:]
  private let newTeardowns: [Teardown?]

  /// - Parameter teardowns: the teardown of each route in its initial state, for a replay that ends early; empty for
  ///   none.
  init(
    _ routes: [ReplayRoute], _ policy: DestinationPolicy, _ observer: any ReplayObserver, teardowns: [Teardown?] = []
  ) throws {
    self.policy = policy
    (self.teardowns, newTeardowns) = (teardowns, teardowns)
    self.observer = observer
    watcher = observer.watchesPackets ? observer : nil
    self.routes = routes
    let datagrams = try DatagramSender(policy: policy)
    var lanes: [Lane?] = []
    var opened: [Int: Lane] = [:]
    for route in routes {
      try policy.check(route.destination)
      if route.carrier == .udp, opened[route.lane] == nil {
        let (lane, isBound) = try Self.open(route, datagrams)
        opened[route.lane] = lane
        if !isBound { unboundRoutes.append(route) }
      }
      lanes.append(route.carrier == .udp ? opened[route.lane] : nil)
    }
    self.datagrams = datagrams
    self.lanes = lanes
  }

  /// Opens a socket; returns whether it has the requested local port. A port in use by another program is no reason not
  /// to send.
  private static func open(_ route: ReplayRoute, _ datagrams: DatagramSender) throws -> (Lane, isBound: Bool) {
    guard let local = route.local else { return (try datagrams.open(to: route.destination), true) }
    do {
      return (try datagrams.open(to: route.destination, from: local), true)
    } catch is SocketError {
      return (try datagrams.open(to: route.destination), false)
    }
  }

  /// Starts a run.
  func begin() {
    span = nil
    for index in teardowns.indices { teardowns[index]?.restart() }
  }

  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws { try watcher?.planned(packet, bytes) }

  func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool {
    guard packet.flow < lanes.count, let lane = lanes[packet.flow] else { throw ReplayError.unknownFlow(packet.number) }
    guard datagrams.append(bytes, on: lane) else { return false }
    if packet.flow < teardowns.count { teardowns[packet.flow]?.sent(bytes) }
    try watcher?.loaded(packet, datagrams.flow(of: lane), bytes)
    return true
  }

  func flush(at time: Nanoseconds) throws {
    let start = span?.lowerBound ?? telecap_monotonic_ns()
    datagrams.flush()
    try note(from: start, at: time)
  }

  /// Records a packet that was just sent.
  private func note(from start: Nanoseconds, at time: Nanoseconds) throws {
    span = start...max(start, telecap_monotonic_ns())
    try watcher?.sent(at: time)
  }

  func send(
    _ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan, at time: Int64
  ) throws {
    let start = span?.lowerBound ?? telecap_monotonic_ns()
    try send(packet, pieces, bytes)
    try note(from: start, at: time)
  }

  private func send(_ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan) throws {
    var start = 0
    for piece in pieces {
      guard piece.flow < routes.count else { throw ReplayError.unknownFlow(packet.number) }
      switch piece.kind {
      case .open:
        streams[piece.stream] = try StreamSender(to: routes[piece.flow].destination, policy: policy)
        streamCount += 1
        if piece.flow < newTeardowns.count, let new = newTeardowns[piece.flow] {
          streamTeardowns[piece.stream] = (piece.flow, new)
        }
      case .send(let count):
        let part = bytes.extracting(start..<start + count)
        start += count
        guard let stream = streams[piece.stream] else { continue }
        do throws(SocketError) {
          try stream.send(part)
        } catch {
          lose(piece.stream, error)
          continue
        }
        streamBytes += count
        streamTeardowns[piece.stream]?.owed.sent(part)
        try watcher?.loaded(packet, stream.flow, part)
      case .close:
        // Its sender ended it: no more can be sent on it, and it needs no teardown.
        streams[piece.stream]?.endSending()
        streamTeardowns[piece.stream] = nil
      }
    }
  }

  /// Records the loss of a byte stream whose peer has closed it. The replay continues.
  private func lose(_ number: Int, _ error: SocketError) {
    streamErrors.append(error)
    streams[number] = nil
    streamTeardowns[number] = nil
  }

  /// The result of a teardown.
  struct TornDown {
    /// The messages that were sent.
    var sent: [Message] = []
    /// The messages that could not be sent, with reasons.
    var problems: [String] = []
    /// The first error of the observer, which does not stop the teardown.
    var error: (any Error)?
  }

  /// Sends the teardown of each sender of a run that ends early, and discards loaded packets. Byte streams get 500 ms
  /// for it.
  ///
  /// The observer is called after a message was sent, so its errors do not prevent the teardown of other flows.
  func tearDown() -> TornDown {
    var result = TornDown()
    let isUnsure = datagrams.discard() > 0
    for (flow, teardown) in teardowns.enumerated() {
      guard let teardown, let lane = lanes[flow] else { continue }
      let sentFlow = datagrams.flow(of: lane)
      if teardown.dropped > 0 {
        result.problems.append("\(sentFlow.destination): only \(Teardown.maxStates) streams were followed")
      }
      let owed = teardown.owed(isUnsure: isUnsure).filter { message in
        if datagrams.append(message.bytes.span.bytes, on: lane) { return true }
        datagrams.flush()
        return datagrams.append(message.bytes.span.bytes, on: lane)
      }
      datagrams.flush()
      report(owed, of: teardown, on: sentFlow, &result)
    }
    for (number, (flow, teardown)) in streamTeardowns.sorted(by: { $0.key < $1.key }) {
      guard let stream = streams[number] else { continue }
      let owed = teardown.owed()
      if owed.isEmpty { continue }
      let destination = routes[flow].destination
      if teardown.isWithinMessage {
        result.problems.append("tcp \(destination) ended within a message")
        continue
      }
      do throws(SocketError) {
        for message in owed { try stream.send(teardown.framed(message).span.bytes) }
        if try stream.sendBacklog(withinNanoseconds: 500_000_000) {
          report(owed, of: teardown, on: stream.flow, &result)
        } else {
          result.problems.append("tcp \(destination) took nothing for 500 ms")
        }
      } catch {
        result.problems.append("\(error)")
      }
    }
    (teardowns, streamTeardowns) = (newTeardowns, [:])
    return result
  }

  private func report(_ sent: [Message], of teardown: Teardown, on flow: Flow, _ result: inout TornDown) {
    result.sent += sent
    for message in sent {
      do {
        try observer.toreDown(flow, teardown.framed(message).span.bytes)
      } catch {
        result.error = result.error ?? error
      }
    }
  }

  func idle(packets: Int) throws {
    try receive()
    try observer.idle(packets: packets)
  }

  private func receive() throws {
    try datagrams.receive { try observer.replied($0, $1) }
    for (number, stream) in streams {
      do {
        try stream.pump()
        try stream.receive { try observer.replied($0, $1) }
      } catch let error as SocketError {
        lose(number, error)
      }
    }
  }

  /// Ends all byte streams and waits for their peers to end theirs, at most for this time.
  func finishStreams(withinNanoseconds limit: Nanoseconds, stop: StopFlag) throws {
    for stream in streams.values { stream.endSending() }
    for (_, stream) in streams.sorted(by: { $0.key < $1.key }) {
      do {
        let isDone = try stream.finish(withinNanoseconds: limit, stop: stop) { try observer.replied($0, $1) }
        if !isDone, !stop.isRaised, stream.backlogBytes > 0 {
          throw SocketError(.send, stream.flow.destination, code: ETIMEDOUT)
        }
      } catch let error as SocketError {
        streamErrors.append(error)
      }
    }
    streams.removeAll()
    streamTeardowns.removeAll()
  }
}

/// The reason why a replay is impossible.
public enum ReplayError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The packet of this number belongs to a flow without a route.
  case unknownFlow(Int)

  /// The error message.
  public var description: String {
    switch self {
    case .unknownFlow(let packet):
      "packet \(packet) belongs to a flow that was not there before: the recording has changed"
    }
  }
}
