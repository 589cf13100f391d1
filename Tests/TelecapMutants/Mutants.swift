import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapWire

/// All mutants.
public enum Mutants {
  /// All, in the order of roles, transports and places. Each name occurs once.
  public static let all: [Mutant] = made.filter { Unreachable.why($0.name) == nil }

  /// Those whose change no run can reach: they are not tested.
  public static let unreachable: [Mutant] = made.filter { Unreachable.why($0.name) != nil }

  /// The right models that mutants are made of, each once.
  public static let models: [PartModel] =
    (Wire.all + DeclaredMutants.wires).map(\.model).reduce(into: []) { all, model in
      if !all.contains(where: { $0.part == model.part }) { all.append(model) }
    }
    + MutableDevice.all.map(\.model)

  private static let made: [Mutant] =
    Wire.all.flatMap { wire -> [Mutant] in
      lists.flatMap { list -> [Sketch] in list(wire) }.map { named($0, wire) }
    } + DeclaredMutants.wires.flatMap { wire in DeclaredMutants.all(of: wire).map { named($0, wire) } }
    + MutableDevice.all.flatMap { device in DeviceMutants.all(of: device).map { named($0, device.model) } }

  /// The scenarios of the protocols that files declare.
  public static var declaredScenarios: [Scenario] { DeclaredMutants.suites.flatMap(\.scenarios) }

  private static let lists: [@Sendable (Wire) -> [Sketch]] = [
    FieldMutants.all, ConditionMutants.all, FlowMutants.all, OrderMutants.all, SessionMutants.all, FramingMutants.all,
    MouseMutants.all, shown,
  ]

  /// The mutant that has no change: the right model, inside all that is put around one.
  public static func unchanged(_ right: PartModel) -> Mutant {
    Mutant(name: "\(right.part)/unchanged", kind: .ignored, requirements: [], carrier: nil, right: right) {
      (setup, reach) throws(WireError) in
      guard right.part.role == nil else { return MutatedPeer(try right.model(setup), plain, setup, reach) }
      return try MutatedDevice(right, plainDevice, setup, reach)
    }
  }

  /// Every hook is there and changes nothing.
  private static let plain = Mutation(
    receives: { packet, _ in [.receive(packet)] }, sends: { packet, _ in [.send(packet)] },
    shows: { event, _ in [.show(event)] }, asks: { action, _ in [action] })
  private static let plainDevice = DeviceMutation(
    asks: { action, _ in [action] }, shows: { event, _ in [DelayedEvent(event)] })

  /// A mouse host shows the same whatever carries its packets.
  @Sendable private static func shown(_ wire: Wire) -> [Sketch] {
    let isSecond = wire.model.part.role?.owner.mixesCarriers == true && wire.carrier != .udp
    return isSecond ? [] : ShownMutants.all(of: wire)
  }

  private static func named(_ sketch: Sketch, _ wire: Wire) -> Mutant {
    let name = "\(wire.name)/\(sketch.name)"
    return Mutant(
      name: name, kind: sketch.kind, requirements: PlaceRequirements.of(name), carrier: wire.carrier, right: wire.model
    ) { (setup, reach) throws(WireError) in
      var setup = setup
      sketch.mutation.setup?(&setup)
      return MutatedPeer(try wire.model.model(setup), sketch.mutation, setup, reach)
    }
  }

  private static func named(_ sketch: DeviceSketch, _ model: PartModel) -> Mutant {
    let name = "\(model.part)/\(sketch.name)"
    return Mutant(
      name: name, kind: sketch.kind, requirements: PlaceRequirements.of(name), carrier: nil, right: model
    ) { (setup, reach) throws(WireError) in try MutatedDevice(model, sketch.mutation, setup, reach) }
  }
}
