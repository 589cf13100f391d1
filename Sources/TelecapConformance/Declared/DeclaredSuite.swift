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
        "the messages of its streams come neither over udp nor over tcp; declare one whose message does"
      }
    return "no scenario tests \(owner.name): \(reason) (see Documentation/protocol-file.md)"
  }

  /// The suite that follows from a protocol's declaration: for each side that receives or sends something declared a part,
  /// `dsu-client`, with our model of it, and the scenarios of its streams, sessions and requests. A protocol that declares none of
  /// these gets an empty suite.
  public static func declared(by owner: WireProtocol) -> Suite {
    let sides = owner.testedCarriers.flatMap { carrier in
      [Side.host, .client].map { DeclaredSide(owner, $0, over: carrier) }
    }
    let requirements = DeclaredRequirements.all(
      of: owner, sides.flatMap(\.received), sides.flatMap(\.sending).map(\.rule))
    let models = [Side.host, .client].compactMap { side in DeclaredSide.model(sides.filter { $0.side == side }) }
    var suite = Suite(owner.name, requirements: requirements, models: models)
    suite.scenarios = sides.flatMap { $0.scenarios(requirements) }
    return suite
  }
}

/// One side of a declared protocol, as it is tested.
struct DeclaredSide {
  let owner: WireProtocol
  let side: Side
  /// The transport over which it is tested.
  let carrier: Carrier
  /// The streams that it receives and that are tested.
  let received: [JudgedStream]
  /// The rules on what it sends.
  let sending: [DeclaredSending.DrivenRule]

  init(_ owner: WireProtocol, _ side: Side, over carrier: Carrier) {
    (self.owner, self.side, self.carrier) = (owner, side, carrier)
    received = JudgedStream.declared(by: owner, received: side, over: carrier)
    sending = DeclaredSending(owner: owner, side: side, carrier: carrier).rules
  }

  /// Its scenarios. Over another transport than the first one their ids end with its name, unless the requirement
  /// holds over it alone.
  fileprivate func scenarios(_ requirements: [Requirement]) -> [Scenario] {
    let streams = received.flatMap {
      DeclaredScenarios(
        owner: owner, carrier: carrier, stream: $0, requirements: requirements, judging: judging
      ).all
    }
    let all = streams + SessionScenarios(side: self, requirements: requirements).all
    if carrier == owner.testedCarriers.first { return all }
    return all.map { scenario in
      var scenario = scenario
      if scenario.requirement.carriers != [carrier] { scenario.id += ".\(carrier.name)" }
      return scenario
    }
  }

  var part: Part { Part(Role(owner, side)) }

  /// How a system that is this side is judged over its transport.
  var judging: StreamJudging { DeclaredSide.judging([self]) }

  /// How a system is judged that is one side of a protocol over any of these transports. A rule that several of them have is that of the
  /// first.
  private static func judging(_ sides: [DeclaredSide]) -> StreamJudging {
    let received = unique(sides.flatMap(\.received), by: \.rules.name)
    let sends = sides.flatMap { JudgedStream.declared(by: $0.owner, received: $0.side.other, over: $0.carrier) }
    let begun: @Sendable (DecodedLog) -> [JudgedStream] = { log in received.map { $0.begun(in: log) } }
    return StreamJudging(
      received, sends: unique(sends, by: \.rules.name),
      sending: unique(sides.flatMap(\.sending).map(\.rule), by: \.requirement.id), of: sides.first?.owner,
      adapting: received.contains { $0.adds } ? begun : nil)
  }

  private static func unique<Element>(_ all: [Element], by name: (Element) -> String) -> [Element] {
    var names: Set<String> = []
    return all.filter { names.insert(name($0)).inserted }
  }

  /// Our model of one side of a protocol, which is tested over these transports; nil where nothing of it is tested.
  fileprivate static func model(_ sides: [DeclaredSide]) -> PartModel? {
    guard let first = sides.first(where: { !$0.received.isEmpty || !$0.sending.isEmpty }) else { return nil }
    let (owner, side) = (first.owner, first.side)
    let streams = Set(sides.flatMap(\.received).map { Observable.stream($0.rules.name) })
    return PartModel(
      first.part, shows: owner.asking == nil ? streams : streams.union([.sessions]),
      faults: DeclaredFault.possible(side, of: owner), judging: judging(sides)
    ) { setup, fault in
      DeclaredPeer(
        owner, side, over: setup.carrier, to: setup.host, code: setup.code, fault.flatMap(DeclaredFault.init))
    }
  }
}
