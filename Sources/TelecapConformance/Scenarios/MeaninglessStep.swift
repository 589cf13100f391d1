import TelecapRecording
import TelecapWire

/// A part of a scenario file without meaning over a transport, for example one that requests sessions in another way:
/// then the scenario does not run over it. The protocol declares the messages of a transport, and the replacement of
/// its session request.
struct MeaninglessStep {
  /// Its value in the file.
  let value: YAMLValue
  /// The reason, in words.
  let words: String

  /// The first such part; nil where there is none.
  static func first(in root: YAMLValue, over carrier: Carrier, of owner: WireProtocol) -> MeaninglessStep? {
    let ends = (root["steps"]?.list ?? []).compactMap { $0["from"] }
    if carrier != .udp, let end = ends.first(where: { SamePortPeer.namesake(of: $0.text ?? "") != nil }) {
      return MeaninglessStep(
        value: end, words: "\(end.text ?? ""): the port of another peer at another address is one of datagrams")
    }
    guard let asking = owner.asking, let instead = owner.asking(insteadOver: carrier) else { return nil }
    for answer in root["acknowledge"]?.list ?? [] where answer.flag == nil {
      if let word = answer["with"] {
        return MeaninglessStep(value: word, words: "nothing answers over \(carrier.name)")
      }
    }
    let isToHost = root["role"]?.text == owner.sideNames.host
    var linked: Set<PeerName> = []
    for step in root["steps"]?.list ?? [] {
      let peer = step["from"]?.text ?? ""
      if step["open"] != nil || step["close"] != nil || step["reset"] != nil { linked.remove(peer) }
      if let path = step["capture"] ?? step["over"] {
        return MeaninglessStep(value: path, words: "its messages are not sent over \(carrier.name)")
      }
      guard let send = step["send"], let name = send.text else { continue }
      guard name == asking.message, isToHost else {
        if owner.kind(named: name, over: carrier) != nil { continue }
        return MeaninglessStep(value: send, words: "\(carrier.name) does not carry \(name)")
      }
      if let change = change(of: step, beside: [asking.code, asking.id].compactMap(\.self)) {
        return MeaninglessStep(
          value: change, words: "over \(carrier.name), \(instead.message) replaces \(name), and has none of this")
      }
      guard linked.insert(peer).inserted else {
        return MeaninglessStep(value: send, words: "over \(carrier.name) a link asks for a session once")
      }
    }
    return nil
  }

  /// The first change of a step's message in other than these fields, or the key with which it sends several.
  private static func change(of step: YAMLValue, beside fields: [String]) -> YAMLValue? {
    if let other = step["with"]?.pairs.first(where: { !fields.contains($0.key) || $0.value.isList }) {
      return other.value
    }
    return ["set", "add", "lengths", "mutate", "count", "for"].lazy.compactMap { step[$0] }.first
  }
}
