import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

extension Script {
  /// Runs it against a peer in virtual time at full speed, and returns the log.
  func run(against system: some DrivenPeer, shows: Set<Observable>) -> RunLog {
    var loop = carriedOut(by: system, reading: RunLog(of: self, shows: shows))
    guard setup.leaves else { return loop.reader }
    loop.stop(at: end)
    loop.reader.left = end
    return loop.reader
  }

  /// Runs it against a peer in virtual time up to its end, without stopping the run.
  func carriedOut<System: DrivenPeer, Reader: LogReader>(
    by system: System, reading reader: Reader
  ) -> Loop<System, Reader, Responder> {
    var loop = Loop(system, reader, side: responder)
    loop.start()
    // The side that speaks first connects by itself; a system with several transports connects with its first message
    // over TCP.
    if let role = setup.part.role, role.side == .client, !role.owner.mixesCarriers, setup.carrier.isConnected {
      loop.open(VirtualAddresses.host, over: setup.carrier, at: .zero)
    }
    var sent = 0
    for action in actions {
      loop.send(meant, from: &sent, until: action.time)
      loop.carryOut(action, over: setup.carrier)
    }
    loop.send(meant, from: &sent, until: end)
    loop.pass(to: end)
    return loop
  }
}

extension Loop where Receiver: DrivenPeer, Side == Responder {
  /// Sends the packets of our side from an index on that are due by a time.
  fileprivate mutating func send(_ meant: [Action], from index: inout Int, until time: Timestamp) {
    while index < meant.count, meant[index].time <= time {
      let action = meant[index]
      index += 1
      guard case .send(let bytes, let carrier) = action.work else { continue }
      sent(bytes.span.bytes, packet: action.packet, by: action.end, over: carrier, at: action.time)
    }
  }

  /// Performs an action of a script. A peer without a connection or link opens it before it sends.
  fileprivate mutating func carryOut(_ action: Action, over usual: Carrier) {
    let (time, peer) = (action.time, action.end)
    switch action.work {
    case .send(let bytes, let carrier):
      if carrier.isConnected { connect(peer, over: carrier, at: time) }
      deliver(bytes.span.bytes, over: carrier, from: peer, at: time, sentAt: action.sentAt, packet: action.packet)
    case .open: connect(peer, over: usual.isConnected ? usual : .tcp, at: time)
    // In virtual time a close and a reset are the same.
    case .close, .reset: close(peer, at: time)
    case .endSession(let carrier):
      pass(to: time)
      guard let closing = side.closing else { return }
      deliver(closing.span.bytes, over: carrier, from: peer, at: time, packet: 0)
    case .ask(let action):
      ask(action, of: VirtualAddresses.host, at: time) { system, time, perform in
        system.ask(action, at: time, perform)
      }
    }
  }

  private mutating func connect(_ peer: Endpoint, over carrier: Carrier, at time: Timestamp) {
    if !isConnected(peer) { open(peer, over: carrier, at: time) }
  }
}

extension Action {
  /// The documentation address of its peer in virtual time.
  fileprivate var end: Endpoint { VirtualAddresses.endpoint(of: peer) }
}
