import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

extension Scenario {
  /// All actions of one case: the steps at their times, after impairment. Pure: the same scenario and case give the
  /// same script everywhere. With a plan, the network does only what its lines say; lines of other packets are ignored.
  public func script(for case: Case, plan: [PlanLine]? = nil) -> Script {
    let meant = recorded?.meant ?? expanded(`case`)
    let (lines, deliveries) = planned(meant, `case`, plan ?? recorded?.plan)
    var actions = meant.filter { !$0.isDatagram }
    if let pieces = `case`.pieces { actions = StreamCutter.cut(actions, into: pieces) }
    actions += deliveries
    actions.sort { $0.time < $1.time }
    let last = actions.last?.time ?? .zero
    var setup = setup
    setup.seed = `case`.seed
    return Script(
      actions: actions, meant: meant, plan: lines,
      responder: Responder(to: setup.part.role, over: setup.carrier, acknowledges), setup: setup,
      end: max(end, last.advanced(byNanoseconds: 200_000_000)))
  }

  /// The steps as single messages in order of time, with packets numbered from 1.
  private func expanded(_ case: Case) -> [Action] {
    var result: [Action] = []
    for (index, step) in steps.enumerated() {
      func add(_ offset: Int64, _ work: Action.Work) {
        let time = step.time.advanced(byNanoseconds: offset)
        result.append(Action(time: time, peer: step.peer, work: work, step: index))
      }
      switch step.work {
      case .send(let messages, let every):
        for (number, bytes) in messages.enumerated() { add(Int64(number) * every, .send(bytes, over: step.carrier)) }
      case .mutate(let mutated, let count, let every):
        var mutations = Mutations(of: mutated, seed: `case`.seed)
        for number in 0..<count { add(Int64(number) * every, .send(mutations.next(), over: step.carrier)) }
      case .open: add(0, .open)
      case .close: add(0, .close)
      case .reset: add(0, .reset)
      case .endSession: add(0, .endSession(over: step.carrier))
      case .ask(let action): add(0, .ask(action))
      }
    }
    // A stable sort keeps the order of the file for equal times.
    result = result.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    for index in result.indices where result[index].isSend { result[index].packet = index + 1 }
    return result
  }

  /// The plan for the datagrams, and the resulting deliveries.
  private func planned(_ meant: [Action], _ case: Case, _ plan: [PlanLine]?) -> ([PlanLine], [Action]) {
    let datagrams = Script.datagrams(of: meant)
    let numbers = Set(meant.lazy.filter(\.isSend).map(\.packet))
    let changer = changers[`case`.impairments]
    let lines = plan?.filter { numbers.contains($0.packet) } ?? self.plan(of: meant, `case`)
    let changes = Dictionary(lines.lazy.filter { !$0.changes.isEmpty }.map { ($0.packet, $0.changes) }) { first, _ in
      first
    }
    func packet(_ number: Int) -> (bytes: [UInt8], sentAt: Timestamp)? {
      guard let sent = datagrams[number], case .send(var bytes, _) = sent.work else { return nil }
      if let changes = changes[number], let changer, let dialect = datagramDialect {
        // The changer made these changes for this message, so it can apply them.
        try? changer.apply(changes, to: &bytes, as: dialect)
      }
      return (bytes, sent.time)
    }
    var deliveries: [Action] = []
    Network.carryOut(lines, of: packet) { delivery, bytes in
      guard let sent = datagrams[delivery.packet], case .send(_, let carrier) = sent.work else { return }
      deliveries.append(
        Action(
          time: Timestamp(nanoseconds: delivery.due), peer: sent.peer, work: .send(bytes, over: carrier),
          packet: delivery.packet, sentAt: sent.time, step: sent.step))
    }
    return (lines, deliveries)
  }

  /// The plan of a case's impairments for the datagrams.
  private func plan(of meant: [Action], _ case: Case) -> [PlanLine] {
    var lines: [PlanLine] = []
    var planner = Planner(`case`.impairments, seed: `case`.seed)
    var flows: [PeerName: UInt32] = [:]
    let changer = changers[`case`.impairments]
    for action in meant where action.isDatagram {
      guard case .send(let bytes, _) = action.work else { continue }
      let flow = flows[action.peer] ?? UInt32(flows.count)
      flows[action.peer] = flow
      let packet = PlannedPacket(
        number: action.packet, time: action.time.nanoseconds, flow: flow, length: bytes.count,
        isSelected: action.time >= suffersFrom && suffers(bytes))
      planner.plan(
        packet,
        changing: { wish in
          guard let changer, let dialect = datagramDialect else { return FieldChanges() }
          return changer.changes(wish, of: bytes.span.bytes, as: dialect)
        },
        decided: { _ in }, emit: { line, _ in lines.append(line) })
    }
    planner.finish { line, _ in lines.append(line) }
    return lines
  }

  /// The protocol version of its datagrams.
  private var datagramDialect: Dialect? { setup.part.role?.owner.dialect(over: setup.carrier == .ble ? .ble : .udp) }

  private func suffers(_ bytes: [UInt8]) -> Bool {
    if let payloads = setup.part.payloads { return payloads.suffers(bytes) }
    guard !suffering.isEmpty else { return true }
    guard let dialect = datagramDialect else { return true }
    var isSelected = false
    dialect.eachMessage(of: bytes.span.bytes) { message in
      isSelected = isSelected || suffering.contains(MessageDecoder.check(message, as: dialect).kind)
    }
    return isSelected
  }
}

extension Script {
  /// The datagrams by packet number.
  static func datagrams(of meant: [Action]) -> [Int: Action] {
    Dictionary(meant.lazy.filter(\.isDatagram).map { ($0.packet, $0) }) { first, _ in first }
  }
}

extension Action {
  /// Whether it sends bytes.
  var isSend: Bool {
    if case .send = work { return true }
    return false
  }

  /// Whether it is a datagram, or a value of a link, which a network may lose.
  var isDatagram: Bool {
    if case .send(_, let carrier) = work { return carrier != .tcp }
    return false
  }
}

/// Cuts TCP streams: joins what a peer sends at the same time, and cuts it every so many bytes. A stream keeps its order:
/// what follows on a connection waits for the pieces before.
enum StreamCutter {
  /// The interval between two segments, in ns, so that a real socket does not join them again.
  static let gap: Nanoseconds = 200_000

  static func cut(_ actions: [Action], into size: Int) -> [Action] {
    var result: [Action] = []
    for action in actions {
      if case .send(let bytes, .tcp) = action.work, let last = result.last, last.time == action.time,
        last.peer == action.peer, case .send(let before, .tcp) = last.work
      {
        result[result.count - 1].work = .send(before + bytes, over: .tcp)
      } else {
        result.append(action)
      }
    }
    var isFree: [PeerName: Timestamp] = [:]
    return result.flatMap { action -> [Action] in
      guard action.work.isOfStream else { return [action] }
      var late = action
      late.time = max(action.time, isFree[action.peer] ?? action.time)
      let pieces = pieces(late, size)
      if let last = pieces.last, last.time > action.time {
        isFree[action.peer] = last.time.advanced(byNanoseconds: gap)
      }
      return pieces
    }
  }

  private static func pieces(_ action: Action, _ size: Int) -> [Action] {
    guard case .send(let bytes, .tcp) = action.work, size > 0, bytes.count > size else { return [action] }
    return stride(from: 0, to: bytes.count, by: size).enumerated().map { index, start in
      var piece = action
      piece.work = .send(Array(bytes[start..<min(bytes.count, start + size)]), over: .tcp)
      piece.time = action.time.advanced(byNanoseconds: Int64(index) * gap)
      return piece
    }
  }
}

extension Action.Work {
  /// Whether it begins, ends or writes to a TCP connection.
  fileprivate var isOfStream: Bool {
    switch self {
    case .open, .close, .reset, .send(_, .tcp), .endSession(.tcp): true
    case .send, .endSession, .ask: false
    }
  }
}
