import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// Messages of each kind lost, duplicated, delayed, or for the wrong peer, on the way in and out; and events.
enum FlowMutants {
  /// Those of an end of a wire.
  static func all(of wire: Wire) -> [Sketch] {
    wire.received.flatMap { incoming($0, wire) } + wire.sent.flatMap { outgoing($0, wire) }
  }

  static func incoming(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let chosen = Flow.all.filter { makesDifference($0, twice: kind) }
    var all = flows("in/\(kind.name)", wire, isOf(kind, wire), chosen) {
      Mutation(receives: Flow.packets($0, $1, ActionBinding.receive))
    }
    all += Trigger.all(of: wire).map { lostAfter($0, kind, wire) }
    return all
  }

  private static func outgoing(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let chosen = wire.carrier == nil ? Flow.all.filter(\.isPrompt) : Flow.all
    var all = flows("out/\(kind.name)", wire, isOf(kind, wire), chosen) {
      Mutation(sends: Flow.packets($0, $1, ActionBinding.send))
    }
    if wire.carrier != nil { all.append(toStranger(kind, wire)) }
    return all
  }

  /// Whether it is wrong to take a message of this kind twice: not where the latest is the state, and a second time not where
  /// its number or its session says that it was there already.
  private static func makesDifference(_ flow: Flow, twice kind: MessageKind) -> Bool {
    guard flow.kind == .repeated, !kind.asks else { return true }
    let streams = kind.owner.streams.filter { $0.message == kind.name || $0.also.contains(kind.name) }
    if streams.contains(where: { $0.merge == .sum }) { return true }
    return !flow.isPrompt && streams.contains { $0.merge == .latest && $0.order == .received }
  }

  private static func isOf(_ kind: MessageKind, _ wire: Wire) -> @Sendable (Packet) -> Bool {
    { $0.kind == kind && $0.carrier == wire.carrier }
  }

  private static func flows(
    _ place: String, _ wire: Wire, _ isOf: @escaping @Sendable (Packet) -> Bool, _ all: [Flow],
    _ making: (@escaping @Sendable (Packet) -> Bool, Flow) -> Mutation
  ) -> [Sketch] {
    all.map { Sketch("\(place)/\($0.name)", $0.kind, making(isOf, $0)) }
  }

  /// The next message of a kind is lost after each thing that happens.
  private static func lostAfter(_ trigger: Trigger, _ kind: MessageKind, _ wire: Wire) -> Sketch {
    let isOf = isOf(kind, wire)
    return Sketch(
      "in/\(kind.name)/lost-after-\(trigger.name)", .lost,
      Mutation(
        receives: { packet, memory in
          guard isOf(packet), memory.isArmed else { return [.receive(packet)] }
          memory.isArmed = false
          return []
        },
        shows: { event, memory in
          if trigger.matches(event) { memory.isArmed = true }
          return [.show(event)]
        }))
  }

  private static func toStranger(_ kind: MessageKind, _ wire: Wire) -> Sketch {
    let isOf = isOf(kind, wire)
    return Sketch.sending("\(kind.name)/to-another", .stranger) { packet, memory in
      guard isOf(packet) else { return packet }
      var packet = packet
      packet.end = memory.stranger(to: packet.end)
      return packet
    }
  }
}

/// How a flow of messages or of effects goes wrong.
struct Flow: Sendable {
  /// Its name in those of mutants.
  let name: String
  let kind: Operator
  /// The deliveries of the message of this number, from 1: the delay of each copy.
  let times: @Sendable (Int) -> [Int64]

  /// Nothing comes later than it should.
  var isPrompt: Bool { kind != .late && name != "again-late" }

  static let all: [Flow] = [
    Flow(name: "all-lost", kind: .lost) { _ in [] }, Flow(name: "first-lost", kind: .lost) { $0 == 1 ? [] : [0] },
    Flow(name: "second-lost", kind: .lost) { $0 == 2 ? [] : [0] },
    Flow(name: "one-in-2-lost", kind: .lost) { $0 % 2 == 0 ? [] : [0] },
    Flow(name: "one-in-3-lost", kind: .lost) { $0 % 3 == 0 ? [] : [0] },
    Flow(name: "one-in-10-lost", kind: .lost) { $0 % 10 == 0 ? [] : [0] },
    Flow(name: "all-but-first-lost", kind: .lost) { $0 == 1 ? [0] : [] },
    Flow(name: "twice", kind: .repeated) { _ in [0, 0] },
    Flow(name: "one-in-10-twice", kind: .repeated) { $0 % 10 == 0 ? [0, 0] : [0] },
    Flow(name: "again-late", kind: .repeated) { _ in [0, aMoment] },
    Flow(name: "late", kind: .late) { _ in [aMoment] },
    Flow(name: "first-late", kind: .late) { $0 == 1 ? [aMoment] : [0] },
    Flow(name: "one-in-3-late", kind: .late) { $0 % 3 == 0 ? [aMoment] : [0] },
    Flow(name: "one-in-10-late", kind: .late) { $0 % 10 == 0 ? [aMoment] : [0] },
    Flow(name: "seconds-late", kind: .late) { _ in [1_200_000_000] },
  ]

  /// A change of the packets that are meant.
  static func packets(
    _ isMeant: @escaping @Sendable (Packet) -> Bool, _ flow: Flow,
    _ deed: @escaping @Sendable (Packet, Int64) -> ActionBinding
  ) -> @Sendable (Packet, inout Memory) -> [ActionBinding] {
    { packet, memory in
      guard isMeant(packet) else { return [deed(packet, 0)] }
      memory.count += 1
      return flow.times(memory.count).map { deed(packet, $0) }
    }
  }
}
