import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// The first messages of a stream in a scenario, and the steps before them.
struct FirstMessages: Sendable {
  let scenario: Scenario
  /// The steps before the first message: they open the session.
  let beginning: Script
  let stream: JudgedStream
  /// The time at which the first message is sent.
  let time: Timestamp
  /// The sender of the messages.
  let peer: PeerName
  /// The messages, as sent.
  let messages: [[UInt8]]

  /// The first `most` datagrams of these streams in the scenario; nil where there are fewer than two.
  init?(_ scenario: Scenario, _ streams: [JudgedStream], most: Int) {
    guard scenario.setup.carrier == .udp, scenario.pieces.isEmpty, !scenario.isJudgedInEveryRun,
      let dialect = scenario.setup.part.role?.owner.dialect(over: .udp)
    else { return nil }
    var script = scenario.script(for: Case())
    // An exploration delivers messages one by one.
    guard
      script.meant.allSatisfy({ action in
        guard case .send(let bytes, .udp) = action.work else { return true }
        return dialect.firstMessage(of: bytes.span.bytes).count == bytes.count
      })
    else { return nil }
    /// The stream of a valid datagram.
    func stream(of action: Action) -> JudgedStream? {
      guard case .send(let bytes, .udp) = action.work else { return nil }
      let (kind, error) = MessageDecoder.check(bytes.span.bytes, as: dialect)
      return error == nil ? streams.first { $0.form(of: kind) != nil } : nil
    }
    guard let first = script.meant.first(where: { stream(of: $0) != nil }), let of = stream(of: first) else {
      return nil
    }
    let sent = script.meant.filter { $0.peer == first.peer && stream(of: $0) == of }.prefix(most)
    guard sent.count > 1 else { return nil }
    (self.scenario, self.stream, time, peer) = (scenario, of, first.time, first.peer)
    messages = sent.compactMap { if case .send(let bytes, _) = $0.work { bytes } else { nil } }
    let time = time
    script.actions.removeAll { $0.time >= time }
    script.meant.removeAll { $0.time >= time }
    script.end = time
    script.setup.leaves = false
    beginning = script
  }

  /// Equal keys lead to equal explorations.
  struct Key: Hashable {
    let part: String
    let stream: JudgedStream
    let code: String
    let before: [[UInt8]]
    let messages: [[UInt8]]
  }

  var key: Key {
    let before: [[UInt8]] = beginning.meant.compactMap { if case .send(let bytes, _) = $0.work { bytes } else { nil } }
    let setup = beginning.setup
    return Key(
      part: "\(setup.part) \(setup.sendsHaptics) \(setup.playsImpacts)", stream: stream, code: setup.code,
      before: before, messages: messages)
  }

  /// The messages with each interesting value in the middle one: the boundary and invalid values of the stream's own
  /// fields (semantics.md, Impairments: hostile), where the message stays valid and differs from the others.
  var changed: [(words: String, messages: [[UInt8]])] {
    guard let dialect = scenario.setup.part.role?.owner.dialect(over: .udp) else { return [] }
    let middle = messages.count / 2
    let own = messages[middle]
    let kind = MessageDecoder.check(own.span.bytes, as: dialect).kind
    let names = Set((stream.values + [stream.counter].compactMap(\.self)).map(\.name))
    var seen: Set<[UInt8]> = [own]
    return kind.hostileChanges.compactMap { row, change in
      var bytes = own
      guard let row, names.contains(row.name), let present = row.changeableBits(in: bytes.span.bytes),
        let bits = row.bits(present, after: change)
      else { return nil }
      if row.isRewritten {
        bytes = Message.rearranged(bytes, as: kind, by: row, to: bits)
      } else {
        row.write(bits: bits, into: &bytes)
      }
      if !kind.checkFields.isEmpty { bytes = Message.checksummed(bytes, as: kind) }
      guard MessageDecoder.check(bytes.span.bytes, as: dialect).error == nil, seen.insert(bytes).inserted else {
        return nil
      }
      var changed = messages
      changed[middle] = bytes
      let value = row.value(in: bytes.span.bytes).map { "\($0)" } ?? ""
      return ("\(middle + 1) with \(row.name) \(value)", changed)
    }
  }
}
