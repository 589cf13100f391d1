import TelecapRecording
import TelecapWire

extension Suite {
  /// The reason why no part of a protocol can be tested, and what its file has to declare for that; nil where one can.
  public static func untested(_ owner: WireProtocol) -> String? {
    guard declared(by: owner).models.isEmpty else { return nil }
    let reason =
      if owner.streams.isEmpty {
        "it declares no stream; declare one, as streams: [{name: …, message: …, order: …, values: […]}]"
      } else {
        "the messages of its streams come neither over udp nor over tcp; declare one whose message does"
      }
    return "no scenario tests \(owner.name): \(reason) (see Documentation/reference/protocol-file.md)"
  }

  /// The suite that follows from a protocol's declaration. It has a part such as `dsu-client` for each side that
  /// receives or sends something declared, with our model and the scenarios of its streams, sessions and requests. It
  /// is empty for a protocol that declares none of these.
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

/// One tested side of a declared protocol.
struct DeclaredSide {
  let owner: WireProtocol
  let side: Side
  /// The transport over which it is tested.
  let carrier: Carrier
  /// The tested streams that it receives.
  let received: [JudgedStream]
  /// The rules on what it sends.
  let sending: [DeclaredSending.DrivenRule]

  init(_ owner: WireProtocol, _ side: Side, over carrier: Carrier) {
    (self.owner, self.side, self.carrier) = (owner, side, carrier)
    received = JudgedStream.declared(by: owner, received: side, over: carrier)
    sending = DeclaredSending(owner: owner, side: side, carrier: carrier).rules
  }

  /// Its scenarios. Over any but the first transport, their ids end with the transport's name, unless the requirement
  /// exists over that transport only.
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

  /// How a system that is this side is tested over its transport.
  var judging: StreamJudging { DeclaredSide.judging([self]) }

  /// How a system that is one side of a protocol over these transports is tested. Of equal rules, that of the first
  /// transport counts.
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

  /// Our model of one side of a protocol, tested over these transports; nil where no part of it is tested.
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
