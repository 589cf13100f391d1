import TelecapRecording
import TelecapWire

extension Suite {
  /// Why nothing of a protocol is tested, and what its file has to declare for that; nil where something is.
  public static func untested(_ owner: WireProtocol) -> String? {
    let sides: [Side] = [.host, .client]
    guard sides.allSatisfy({ JudgedStream.declared(by: owner, received: $0).isEmpty }) else { return nil }
    let reason =
      if owner.streams.isEmpty {
        "it declares no stream; declare one, as streams: [{name: …, message: …, order: …, values: […]}]"
      } else if owner.dialect(over: .udp) == nil {
        "its streams come over TCP, and those over UDP are tested; declare a carrier over udp"
      } else if owner.streams.allSatisfy({ $0.merge != .latest }) {
        "no stream of it has the latest value as its state; declare one without \"merge\", or with merge: latest"
      } else {
        "the messages of its streams do not come over UDP; declare one whose message does"
      }
    return "no scenario tests \(owner.name): \(reason) (see Documentation/protocol-file.md)"
  }

  /// The suite that follows from a protocol's declaration: for each side that receives a stream a part, `dsu-client`, with
  /// our model of it, and the scenarios of the stream. A protocol that declares no stream gets an empty suite.
  public static func declared(by owner: WireProtocol) -> Suite {
    let sides: [Side] = [.host, .client]
    let streams = sides.flatMap { JudgedStream.declared(by: owner, received: $0) }
    let requirements = DeclaredRequirements.all(of: owner, streams)
    let judging = Dictionary(
      uniqueKeysWithValues: sides.map { side in
        (side, StreamJudging(streams.filter { $0.receiver == side }, sends: streams.filter { $0.receiver != side }))
      })
    let models = sides.compactMap { side -> PartModel? in
      let own = streams.filter { $0.receiver == side }
      guard !own.isEmpty else { return nil }
      return PartModel(
        Part(Role(owner, side)), shows: [.tellings], faults: DeclaredFault.possible(own, of: owner),
        judging: judging[side] ?? StreamJudging()
      ) { DeclaredReceiver(owner, side, $0.flatMap(DeclaredFault.init)) }
    }
    var suite = Suite(owner.name, requirements: requirements, models: models)
    suite.scenarios = streams.flatMap { stream in
      DeclaredScenarios(
        owner: owner, stream: stream, requirements: requirements, judging: judging[stream.receiver] ?? StreamJudging()
      ).all
    }
    return suite
  }
}
