import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// A script as a stimulus: what is meant to be sent and what the network makes of it, together in order of time. Peers
/// have made-up addresses.
struct ScriptStimulus: Stimulus {
  private let script: Script
  private var meant = 0
  private var action = 0

  init(_ script: Script) { self.script = script }

  mutating func next(_ body: (LoopStep, RawSpan, Timestamp) throws -> Void) rethrows -> Bool {
    let due = action < script.actions.count ? script.actions[action].time : script.end
    if meant < script.meant.count, script.meant[meant].time <= due {
      let sent = script.meant[meant]
      meant += 1
      guard case .send(let bytes, let carrier) = sent.work else { return true }
      try body(
        .sent(packet: sent.packet, by: ScriptStimulus.end(of: sent), over: carrier), bytes.span.bytes, sent.time)
      return true
    }
    guard action < script.actions.count else { return false }
    let next = script.actions[action]
    let peer = ScriptStimulus.end(of: next)
    switch next.work {
    case .send(let bytes, let carrier):
      try body(
        .deliver(packet: next.packet, from: peer, over: carrier, sentAt: next.sentAt), bytes.span.bytes, next.time)
    case .open:
      let carrier = script.setup.carrier
      try body(.open(peer, over: carrier.isConnected ? carrier : .tcp), RawSpan(), next.time)
    // In virtual time a connection is gone however it ended.
    case .close, .reset: try body(.close(peer), RawSpan(), next.time)
    // What these come to is known only when they are due.
    case .endSession, .ask: try body(.ask(action), RawSpan(), next.time)
    }
    action += 1
    return true
  }

  fileprivate static func end(of action: Action) -> Endpoint { VirtualAddresses.endpoint(of: action.peer) }
}

extension Script {
  /// Carries it out against a peer in virtual time, as fast as it goes; what happened.
  func run(against system: some DrivenPeer, shows: Set<Aspect>) -> RunLog {
    var loop = carriedOut(by: system, reading: RunLogCollector(self, shows: shows))
    guard setup.leaves else { return loop.reader.log }
    loop.stop(at: end)
    var log = loop.reader.log
    log.left = end
    return log
  }

  /// Carries it out against a peer in virtual time up to its end, and leaves the run there.
  func carriedOut<System: DrivenPeer, Reader: LogReader>(
    by system: System, reading reader: Reader
  ) -> Loop<System, Reader, Responder> {
    var loop = Loop(system, reader, side: responder)
    loop.start()
    // Who speaks first connects by itself; where one system speaks over several carriers, with the first that goes over TCP.
    if let role = setup.part.role, role.side == .client, !role.owner.mixesCarriers, setup.carrier.isConnected {
      loop.open(VirtualAddresses.host, over: setup.carrier, at: .zero)
    }
    var stimulus = ScriptStimulus(self)
    while stimulus.next({ loop.take($0, $1, at: $2, of: self) }) {}
    loop.pass(to: end)
    return loop
  }
}

extension Loop where Receiver: DrivenPeer, Side == Responder {
  /// Carries out a step of a script: a peer whose connection or link is not up opens it before it sends over it.
  fileprivate mutating func take(_ step: LoopStep, _ bytes: RawSpan, at time: Timestamp, of script: Script) {
    switch step {
    case .open(let peer, _): if !isConnected(peer) { take(step, bytes, at: time) }
    case .ask(let number):
      switch script.actions[number].work {
      case .ask(let action):
        ask(number, of: VirtualAddresses.host, at: time) { system, time, perform in
          system.ask(action, at: time, perform)
        }
      case .endSession(let carrier):
        pass(to: time)
        guard let closing = side.closing else { return }
        let peer = ScriptStimulus.end(of: script.actions[number])
        deliver(closing.span.bytes, over: carrier, from: peer, at: time, packet: 0)
      default: return
      }
    case .deliver(_, let peer, let carrier, _) where carrier.isConnected:
      if !isConnected(peer) { open(peer, over: carrier, at: time) }
      take(step, bytes, at: time)
    default: take(step, bytes, at: time)
    }
  }
}
