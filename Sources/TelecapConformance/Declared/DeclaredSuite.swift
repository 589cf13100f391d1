import TelecapRecording
import TelecapWire

extension Suite {
  /// Why nothing of a protocol is tested, and what its file has to declare for that; nil where something is.
  public static func untested(_ owner: WireProtocol) -> String? {
    guard declared(by: owner).models.isEmpty else { return nil }
    let reason =
      if owner.streams.isEmpty {
        "it declares no stream; declare one, as streams: [{name: …, message: …, order: …, values: […]}]"
      } else {
        "the messages of its streams do not come over \((owner.testedCarrier ?? .udp).name); declare one whose message does"
      }
    return "no scenario tests \(owner.name): \(reason) (see Documentation/protocol-file.md)"
  }

  /// The suite that follows from a protocol's declaration: for each side that receives or sends something declared a part,
  /// `dsu-client`, with our model of it, and the scenarios of its streams, sessions and requests. A protocol that declares none of
  /// these gets an empty suite.
  public static func declared(by owner: WireProtocol) -> Suite {
    let sides = [Side.host, .client].map { DeclaredSide(owner, $0) }
    let requirements = DeclaredRequirements.all(
      of: owner, sides.flatMap(\.received), sides.flatMap(\.sending).map(\.rule))
    var suite = Suite(owner.name, requirements: requirements, models: sides.compactMap(\.model))
    suite.scenarios = sides.flatMap { side in
      side.received.flatMap {
        DeclaredScenarios(owner: owner, stream: $0, requirements: requirements, judging: side.judging).all
      } + SessionScenarios(side: side, requirements: requirements).all
    }
    return suite
  }
}

/// One side of a declared protocol, as it is tested.
struct DeclaredSide {
  let owner: WireProtocol
  let side: Side
  /// The streams that it receives and that are tested.
  let received: [JudgedStream]
  /// The rules on what it sends.
  let sending: [DeclaredSending.DrivenRule]

  init(_ owner: WireProtocol, _ side: Side) {
    (self.owner, self.side) = (owner, side)
    received = JudgedStream.declared(by: owner, received: side)
    sending = DeclaredSending(owner: owner, side: side).rules
  }

  var part: Part { Part(Role(owner, side)) }

  /// How a system that is this side is judged.
  var judging: StreamJudging {
    let begun: @Sendable (DecodedLog) -> [JudgedStream] = { [received] log in received.map { $0.begun(in: log) } }
    return StreamJudging(
      received, sends: JudgedStream.declared(by: owner, received: side.other), sending: sending.map(\.rule),
      of: owner, adapting: received.contains { $0.adds } ? begun : nil)
  }

  /// Our model of it; nil where nothing of it is tested.
  fileprivate var model: PartModel? {
    guard !received.isEmpty || !sending.isEmpty else { return nil }
    let streams = Set(received.map { Aspect.stream($0.rules.name) })
    return PartModel(
      part, shows: owner.asking == nil ? streams : streams.union([.sessions]),
      faults: DeclaredFault.possible(side, of: owner), judging: judging
    ) {
      [owner, side] setup, fault in
      DeclaredPeer(
        owner, side, over: setup.carrier, to: setup.host, code: setup.code, fault.flatMap(DeclaredFault.init))
    }
  }
}
