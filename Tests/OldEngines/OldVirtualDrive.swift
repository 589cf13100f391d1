@testable import TelecapConformance
import TelecapModels
import TelecapRecording

/// Carries out a script against a peer in virtual time, as fast as it goes, and writes the log.
struct OldVirtualDrive<System: DrivenPeer> {
  private var system: System
  private var log: RunLog
  private var responder: Responder
  private var names: [Endpoint: PeerName] = [:]
  private var connected: Set<PeerName> = []
  private var now = Timestamp.zero

  init(_ system: System, shows: Set<Aspect>) {
    self.system = system
    log = RunLog(shows: shows)
    responder = .silent
  }

  /// Runs the script from its start to its end.
  mutating func run(_ script: Script) -> RunLog {
    responder = script.responder
    log.entries.reserveCapacity(script.meant.count * 4)
    for peer in Set(script.meant.map(\.peer)).union(["host"]).sorted() {
      let endpoint = VirtualAddresses.endpoint(of: peer)
      names[endpoint] = peer
      log.peers[peer] = endpoint
    }
    act { system, time, perform in system.start(at: time, perform) }
    if script.setup.part == .phone, script.setup.carrier == .tcp { open("host") }
    var sent = script.meant[...]
    for action in script.actions {
      pass(to: action.time, &sent)
      carryOut(action)
    }
    pass(to: script.end, &sent)
    log.end = script.end
    return log
  }

  /// Lets time go on: the system wakes when it asked to, and what was meant to be sent is noted.
  private mutating func pass(to time: Timestamp, _ sent: inout ArraySlice<Action>) {
    while let wake = system.nextWake, wake <= time, system.broke == nil {
      note(&sent, until: wake)
      now = max(now, wake)
      act { system, time, perform in system.advance(to: time, perform) }
      // A system that asks again for a time that has passed must not stop the run.
      guard let next = system.nextWake, next > wake else { break }
    }
    note(&sent, until: time)
    now = max(now, time)
  }

  private mutating func note(_ sent: inout ArraySlice<Action>, until time: Timestamp) {
    while let next = sent.first, next.time <= time {
      sent.removeFirst()
      guard case .send(let bytes, let carrier) = next.work else { continue }
      log.note(.sent(bytes, packet: next.packet, by: next.peer, over: carrier), at: next.time)
    }
  }

  private mutating func carryOut(_ action: Action) {
    guard system.broke == nil else { return }
    switch action.work {
    case .send(let bytes, let carrier):
      if carrier == .tcp { open(action.peer) }
      deliver(bytes, action.packet, from: action.peer, over: carrier, sentAt: action.sentAt)
    case .open: open(action.peer)
    case .close:
      guard connected.remove(action.peer) != nil else { return }
      log.note(.closed(action.peer), at: now)
      let endpoint = VirtualAddresses.endpoint(of: action.peer)
      act { system, time, perform in system.closed(endpoint, at: time, perform) }
    case .ask(let user):
      log.note(.asked(user), at: now)
      var reports: [[UInt8]] = []
      act { system, time, perform in reports = system.ask(user, at: time, perform) }
      for report in reports { log.note(.replied(report, to: "host", over: nil), at: now) }
    }
  }

  private mutating func open(_ peer: PeerName) {
    guard connected.insert(peer).inserted else { return }
    log.note(.opened(peer), at: now)
    let endpoint = VirtualAddresses.endpoint(of: peer)
    act { system, time, perform in system.opened(.tcp, endpoint, at: time, perform) }
  }

  private mutating func deliver(
    _ bytes: [UInt8], _ packet: Int, from peer: PeerName, over carrier: Carrier, sentAt: Timestamp
  ) {
    log.note(.delivered(bytes, packet: packet, from: peer, over: carrier, sentAt: sentAt), at: now)
    let endpoint = VirtualAddresses.endpoint(of: peer)
    act { system, time, perform in
      system.receive(bytes.span.bytes, over: carrier, from: endpoint, at: time, perform)
    }
  }

  /// Calls the system, and carries out what it asked for; answers are delivered at once.
  private mutating func act(_ work: (inout System, Timestamp, Perform) -> Void) {
    guard system.broke == nil else { return }
    var collected: [(PeerAction, [UInt8])] = []
    work(&system, now) { action, bytes in
      var copy: [UInt8] = []
      if case .send = action { copy = bytes.withUnsafeBytes { Array($0) } }
      collected.append((action, copy))
    }
    for (action, bytes) in collected { perform(action, bytes) }
    if let reason = system.broke { log.note(.broke(reason), at: now) }
  }

  private mutating func perform(_ action: PeerAction, _ bytes: [UInt8]) {
    switch action {
    case .event(let event): log.note(.event(event), at: now)
    case .send(let carrier, let endpoint):
      let peer = names[endpoint] ?? "\(endpoint)"
      log.note(.replied(bytes, to: peer, over: carrier), at: now)
      for answer in responder.answers(to: bytes.span.bytes, over: carrier, at: now) {
        deliver(answer, 0, from: peer, over: carrier, sentAt: now)
      }
    case .disconnect(let endpoint):
      let peer = names[endpoint] ?? "\(endpoint)"
      connected.remove(peer)
      log.note(.disconnected(peer), at: now)
    }
  }
}
