import Foundation
import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire

/// Wrong systems of protocols that files declare: DSU, and one that no suite was tuned for. Their models, like their suites, follow
/// from the declaration alone.
enum DeclaredMutants {
  /// The suite of each.
  static let suites: [Suite] = owners.map { Suite.declared(by: $0) }

  /// Both sides of each.
  static let wires: [Wire] = zip(owners, suites).flatMap { owner, suite in
    suite.models.compactMap { model in
      guard let carrier = owner.testedCarriers.first, let dialect = owner.dialect(over: carrier) else { return nil }
      return Wire(model: model, carrier: carrier, dialect: dialect, isDeclared: true)
    }
  }

  private static let owners: [WireProtocol] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func read(_ path: String, _ change: (String) -> String = { $0 }) -> WireProtocol {
      do {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return try ProtocolFile.read(change(text), file: path)
      } catch { preconditionFailure("\(error)") }
    }
    return [
      read("Scenarios/protocols/dsu.yaml"), read("Tests/Mutants/drone.yaml"),
      read("Scenarios/protocols/tele.yaml", renamed),
    ]
  }()

  /// TELE's file under another name: what follows from the declaration alone is tested, and not TELE's own suite.
  private static func renamed(_ text: String) -> String {
    text.replacing("protocol: tele", with: "protocol: teleop").replacing("id: tele-", with: "id: teleop-")
      .replacing("sides: {client: phone, host: host}", with: "").replacing("1C8FD138", with: "1C8FD139")
  }

  /// Those of one side.
  static func all(of wire: Wire) -> [Sketch] {
    // Bytes after a message are no fault of a declared sender.
    let fields = FieldMutants.all(of: wire).filter {
      !$0.name.hasSuffix("/byte-long") && !$0.name.hasSuffix("/twice-as-long")
    }
    return fields + ConditionMutants.header(wire) + wire.received.flatMap { FlowMutants.incoming($0, wire) }
      + wire.sent.flatMap { outgoing($0, wire) } + wire.model.judging.streams.flatMap(shown)
  }

  /// Messages that are lost or repeated where a rule of the declaration forbids it.
  private static func outgoing(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let owner = wire.dialect.owner
    let streams = owner.streams.filter { $0.message == kind.name }
    let flows = Flow.all.filter { flow in
      switch flow.name {
      case "all-lost": streams.isEmpty
      case "all-but-first-lost": kind.asks || streams.contains { $0.interval != nil }
      case "twice", "one-in-10-twice", "again-late":
        streams.contains { !$0.isInOrderOfArrival }
      default: false
      }
    }
    return flows.map { flow in
      Sketch(
        "out/\(kind.name)/\(flow.name)", flow.kind,
        Mutation(sends: Flow.packets({ $0.kind == kind && $0.carrier == wire.carrier }, flow, ActionBinding.send)))
    }
  }

  // MARK: - What is shown

  private static func shown(_ stream: JudgedStream) -> [Sketch] {
    flows(stream) + values(stream) + numbers(stream)
  }

  /// Values that are shown late, again or not at all.
  private static func flows(_ stream: JudgedStream) -> [Sketch] {
    // A state may be shown again.
    let isState = stream.rules.merge != .event && (stream.rules.order == .received || stream.adds)
    return Flow.all.filter { !isState || $0.kind != .repeated || !$0.isPrompt }.map { flow in
      Sketch(
        "shown/\(stream.rules.name)/\(flow.name)", flow.kind,
        Mutation(shows: { event, memory in
          guard case .applied(let value) = event, value.stream == stream.rules.name else { return [.show(event)] }
          memory.count += 1
          return flow.times(memory.count).map { .show(event, after: $0) }
        }))
    }
  }

  /// Each value by itself, shown wrongly.
  private static func values(_ stream: JudgedStream) -> [Sketch] {
    stream.rules.values.enumerated().flatMap { place, name -> [Sketch] in
      let spot = "\(stream.rules.name).\(name)"
      var changes: [Sketch] = [
        changing(stream, "\(spot)/negated", .scaled) { value, _ in value.values[place] = -value.values[place] },
        changing(stream, "\(spot)/doubled", .scaled) { value, _ in value.values[place] *= 2 },
        changing(stream, "\(spot)/halved", .scaled) { value, _ in value.values[place] /= 2 },
        changing(stream, "\(spot)/plus-1", .step) { value, _ in value.values[place] += 1 },
        changing(stream, "\(spot)/ignored", .ignored) { value, _ in value.values[place] = 0 },
        changing(stream, "\(spot)/previous", .late) { value, memory in
          let own = value.values[place]
          value.values[place] = memory.values.first ?? own
          memory.values = [own]
        },
        changing(stream, "\(spot)/first-kept", .ignored) { value, memory in
          if memory.values.isEmpty { memory.values = [value.values[place]] }
          value.values[place] = memory.values[0]
        },
        changing(stream, "\(spot)/largest-kept", .bound) { value, memory in
          memory.values = [max(value.values[place], memory.values.first ?? -.infinity)]
          value.values[place] = memory.values[0]
        },
      ]
      if stream.rules.values.count > 1 {
        let other = (place + 1) % stream.rules.values.count
        changes.append(
          changing(stream, "\(spot)/taken-from-\(stream.rules.values[other])", .swapped) { value, _ in
            value.values[place] = value.values[other]
          })
      }
      return changes
    }
  }

  /// The number and the fields of the key, shown wrongly.
  private static func numbers(_ stream: JudgedStream) -> [Sketch] {
    var all: [Sketch] = stream.rules.key.enumerated().map { place, name in
      changing(stream, "\(stream.rules.name).\(name)/plus-step", .step) { value, _ in value.key[place] &+= 1 }
    }
    if case .sequence(let name) = stream.rules.order, !stream.rules.isInOrderOfArrival, !stream.adds {
      all += [
        changing(stream, "\(stream.rules.name).\(name)/plus-step", .step) { value, _ in
          value.number = value.number.map { $0 &+ 1 }
        },
        changing(stream, "\(stream.rules.name).\(name)/first-kept", .ignored) { value, memory in
          memory.number = memory.number ?? value.number
          value.number = memory.number
        },
      ]
    }
    return all
  }

  private static func changing(
    _ stream: JudgedStream, _ name: String, _ kind: Operator,
    _ change: @escaping @Sendable (inout AppliedValue, inout Memory) -> Void
  ) -> Sketch {
    Sketch.showing(name, kind) { event, memory in
      guard case .applied(var value) = event, value.stream == stream.rules.name else { return [event] }
      change(&value, &memory)
      return [.applied(value)]
    }
  }
}
