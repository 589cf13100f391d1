import TelecapLoop
import TelecapModels
import TelecapRecording

/// Keeps what happens in a script's run in virtual time, with the names that the script gives its peers.
struct RunLogCollector: LogReader, Sendable {
  /// What happened so far.
  private(set) var log: RunLog
  private let actions: [Action]
  private let names: [Endpoint: PeerName]

  /// The log of a script that has not begun.
  init(_ script: Script, shows: Set<Aspect>) {
    log = RunLog(shows: shows)
    log.entries.reserveCapacity(script.meant.count * 4)
    log.end = script.end
    actions = script.actions
    var names: [Endpoint: PeerName] = [:]
    for peer in Set(script.meant.map(\.peer)).union(["host"]).sorted() {
      let endpoint = VirtualAddresses.endpoint(of: peer)
      names[endpoint] = peer
      log.peers.put(peer, at: endpoint)
    }
    self.names = names
  }

  mutating func read(_ entry: LogEntry, _ bytes: RawSpan, at time: Timestamp) {
    func copy() -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    func name(_ end: Endpoint) -> PeerName { names[end] ?? "\(end)" }
    let what: RunLog.What
    switch entry {
    case .sent(let packet, let peer, let carrier): what = .sent(copy(), packet: packet, by: name(peer), over: carrier)
    case .delivered(let packet, let peer, let carrier, let sentAt):
      what = .delivered(copy(), packet: packet, from: name(peer), over: carrier, sentAt: sentAt ?? time)
    case .opened(let peer): what = .opened(name(peer))
    case .closed(let peer): what = .closed(name(peer))
    case .disconnected(let peer): what = .disconnected(name(peer))
    // Nobody is there to get it.
    case .replied(let peer, _) where names[peer] == nil: what = .output("(\(bytes.byteCount) bytes sent to \(peer))")
    case .replied(let peer, let carrier): what = .replied(copy(), to: name(peer), over: carrier)
    case .asked(let number):
      guard case .ask(let action) = actions[number].work else { return }
      what = .asked(action)
    case .event(let event): what = .event(event)
    case .output: what = .output(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    case .broke(let reason): what = .broke(reason)
    }
    log.note(what, at: time)
  }
}
