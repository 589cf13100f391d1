import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// A payload of a capture, with its time since the first packet and its transport.
public struct CapturedPayload: Sendable {
  /// Nanoseconds since the capture's first packet.
  public var time: Nanoseconds
  /// The transport.
  public var carrier: Carrier
  /// The bytes.
  public var bytes: [UInt8]

  /// A payload with these values.
  public init(time: Int64, carrier: Carrier, bytes: [UInt8]) {
    self.time = time
    self.carrier = carrier
    self.bytes = bytes
  }
}

/// Reads the payloads that one part sent in the capture at a path; throws an error that describes the problem.
public typealias CaptureLoader = @Sendable (_ path: String, _ sender: Role) throws -> [CapturedPayload]

/// Reads the impairments of a network profile; throws an error if it is missing or invalid.
public typealias NetworkLoader = @Sendable (_ name: String) throws -> Impairments

/// Decodes the steps of a scenario.
struct StepDecoder {
  /// The words for the answers of systems of these suites.
  static func answers(_ suites: [Suite]) -> [String] { answerWords(suites) + ["nothing", "disconnect"] }

  /// The words for the content of these suites' answers.
  static func answerWords(_ suites: [Suite]) -> [String] {
    suites.protocols.flatMap(\.answerWords).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  let setup: Setup
  let suites: Suites
  let captures: CaptureLoader?
  private var time: Nanoseconds = 0
  /// The number of messages of the steps so far, without captures.
  private var messages = 0

  init(_ setup: Setup, _ suites: Suites, captures: CaptureLoader?) {
    self.setup = setup
    self.suites = suites
    self.captures = captures
  }

  /// Decodes the next step; one that replays a capture becomes a step for each of its payloads.
  mutating func read(_ value: YAMLValue) throws(YAMLFileError) -> [Step] {
    time = value["at"]?.time ?? time
    let peer = value["from"]?.text ?? (setup.part.side == .host ? "a" : "host")
    if SamePortPeer.namesake(of: peer) != nil, setup.part.side != .host {
      throw value.error("\(peer): who has the port of another peer speaks to a host")
    }
    if let path = value["capture"] {
      let heeded = ["at", "from", "capture", "as"]
      if let (key, place) = value.pairs.first(where: { !heeded.contains($0.key) }) {
        throw place.error("\"\(key)\" has no effect on a capture")
      }
      return try capture(path, value, peer)
    }
    if let sender = value["as"] { throw sender.error("\"as\" requires \"capture\"") }
    let pace = try StepPace(value)
    let (work, carrier) = try self.work(value, peer, pace)
    let step = Step(
      time: Timestamp(nanoseconds: time), peer: peer, work: work, carrier: carrier,
      answers: isUnanswered ? [] : try answers(value), line: value.line)
    messages = try StepPace.held(Int64(messages + step.work.count(pace)), value)
    return repeated(step, pace)
  }

  /// A step that opens or closes a connection, repeated as often as it says. Steps that send count messages instead.
  private func repeated(_ step: Step, _ pace: StepPace) -> [Step] {
    switch step.work {
    case .open, .close, .reset: break
    default: return [step]
    }
    return (0..<pace.count).map { index in
      var next = step
      next.time = step.time.advanced(byNanoseconds: Int64(index) * pace.every)
      return next
    }
  }

  /// Whether session requests get no answer: later messages show their effect.
  private var isUnanswered: Bool { setup.part.role?.owner.asking(insteadOver: setup.carrier) != nil }

  private func answers(_ value: YAMLValue) throws(YAMLFileError) -> [Step.Answer] {
    var answers: [Step.Answer] = []
    let words = setup.part.role?.owner.answerWords ?? []
    for name in value["answer"]?.list ?? [] {
      switch name.text ?? "" {
      case "nothing": answers.append(.nothing)
      case "disconnect": answers.append(.disconnect)
      case let word where words.contains(word): answers.append(.message(word))
      default: throw name.error("a \(setup.part) answers \((words + ["nothing", "disconnect"]).list(or: true))")
      }
    }
    return answers
  }

  private func work(
    _ value: YAMLValue, _ peer: PeerName, _ pace: StepPace
  ) throws(YAMLFileError) -> (Step.Work, Carrier) {
    let own = suites.all.flatMap(\.stepKeys)
    let works = ["send", "hex"] + own.map(\.key.name) + StepDecoder.links + ["ask"]
    let count = works.count { value[$0] != nil }
    guard count == 1 else {
      throw value.error("a step has one of \(works.joined(separator: ", ")) and capture, found \(count)")
    }
    if let keep = value["keep"], value["mutate"] == nil { throw keep.error("\"keep\" requires \"mutate\"") }
    try refuseIdle(value)
    let named = value["over"]?.text.flatMap(Carrier.init(named:))
    let usual = named ?? setup.carrier
    for name in StepDecoder.links {
      guard let link = value[name] else { continue }
      if link.flag == false { throw link.error("\"\(name)\": false does nothing: leave the step out") }
      return (try self.link(name, link, over: usual), usual)
    }
    for key in own {
      if let work = value[key.key.name] { return (try key.read(work)(Timestamp(nanoseconds: time)), usual) }
    }
    if let ask = value["ask"] { return (.ask(try action(ask)), usual) }
    guard let send = value["send"] else {
      let listed = value["hex"]?.list.compactMap(\.bytes) ?? []
      guard !listed.isEmpty else { throw value.error("\"hex\" is an empty list") }
      let messages = (0..<pace.count).map { listed[$0 % listed.count] }
      return (try sending(try edited(messages, value), .none, value, pace.every), usual)
    }
    guard let builder = MessageBuilder(setup, suites) else {
      throw send.error("a \(setup.part) has no transport: nothing can be sent to it")
    }
    let (kind, carrier) = try builder.kind(send, over: named)
    let messages = try builder.messages(
      kind, with: value["with"], count: pace.count, of: peer, every: pace.every, at: send)
    let framing = carrier == .tcp ? kind.owner.dialect(over: .tcp)?.framing ?? .none : .none
    return (try sending(try edited(messages, value), framing, value, pace.every), carrier)
  }

  /// Steps on a connection, a link or its session.
  private static let links = ["open", "close", "reset", "end-session"]

  private func link(
    _ name: String, _ value: YAMLValue, over carrier: Carrier
  ) throws(YAMLFileError) -> Step.Work {
    switch name {
    case "open": .open
    case "close": .close
    case "reset": .reset
    default: try endSession(value, over: carrier)
    }
  }

  private func endSession(_ value: YAMLValue, over carrier: Carrier) throws(YAMLFileError) -> Step.Work {
    guard setup.part.side == .client, let owner = setup.part.role?.owner else {
      throw value.error("a \(setup.part) asks for no session that could be ended")
    }
    guard owner.closing(0, over: carrier) != nil else {
      throw value.error("nothing ends a session of \(owner.name) over \(carrier.name)")
    }
    return .endSession
  }

  /// Rejects keys that have no effect on the step.
  private func refuseIdle(_ value: YAMLValue) throws(YAMLFileError) {
    let edits = ["with", "set", "add", "lengths", "mutate"]
    let (work, idle): (String, [String]) =
      if value["send"] != nil {
        ("send", [])
      } else if value["hex"] != nil {
        ("hex", ["with"])
      } else if let link = ["open", "close", "reset"].first(where: { value[$0] != nil }) {
        (link, edits)
      } else {
        (
          value["end-session"] == nil ? "what is asked" : "the end of a session",
          edits + ["count", "for", "rate", "every", "over"]
        )
      }
    if let key = idle.first(where: { value[$0] != nil }), let place = value[key] {
      throw place.error("\"\(key)\" has no effect on \(work)")
    }
  }

  /// These messages with their frames, or mutations of them.
  private func sending(
    _ messages: [[UInt8]], _ framing: Framing, _ value: YAMLValue, _ every: Nanoseconds
  ) throws(YAMLFileError) -> Step.Work {
    guard let mutations = value["mutate"] else { return .send(messages.map(framing.framed), every: every) }
    // Mutations that keep their beginning must be readable, so add the frame afterwards.
    let kept = Int(clamping: max(0, value["keep"]?.integer ?? 0))
    let mutated =
      kept > 0
      ? Step.Mutated(messages: messages, framing: framing, kept: kept)
      : Step.Mutated(messages: messages.map(framing.framed))
    return .mutate(mutated, count: try StepPace.count("mutate", mutations), every: every)
  }

  private func edited(_ messages: [[UInt8]], _ value: YAMLValue) throws(YAMLFileError) -> [[UInt8]] {
    var result = messages
    for (key, byte) in value["set"]?.pairs ?? [] {
      guard let offset = Int(key), let number = byte.integer, let new = UInt8(exactly: number) else {
        throw byte.error("\"set\" names offsets and the byte, 0…255, to put there")
      }
      guard result.contains(where: { $0.indices.contains(offset) }) else {
        throw byte.error("\"set\": no message has a byte at \(offset)")
      }
      for index in result.indices where offset >= 0 && offset < result[index].count { result[index][offset] = new }
    }
    if let more = value["add"]?.bytes { result = result.map { $0 + more } }
    guard let lengths = value["lengths"] else { return result }
    let chosen = lengths.isList ? lengths.list.compactMap(\.integer).map { Int(clamping: $0) } : nil
    func cuts(_ message: [UInt8]) -> [Int] {
      (chosen ?? Array(0..<message.count)).filter { $0 >= 0 && $0 < message.count }
    }
    if let lost = chosen?.first(where: { length in !result.contains { $0.indices.contains(length) } }) {
      throw lengths.error("\"lengths\": no message is longer than \(lost)")
    }
    _ = try StepPace.held(result.reduce(0) { $0 + Int64(cuts($1).count) }, lengths)
    return result.flatMap { message in cuts(message).map { Array(message.prefix($0)) } }
  }

  private func action(_ ask: YAMLValue) throws(YAMLFileError) -> any UserAction {
    guard ask.pairs.count == 1, let (name, value) = ask.pairs.first,
      let key = StepDecoder.actionKeys(suites.all).first(where: { $0.key.name == name })
    else {
      throw ask.error("ask is one thing, found \(ask.pairs.count)")
    }
    return try key.read(value)
  }

  /// The keys for actions of a user.
  static func actionKeys(_ suites: [Suite]) -> [ScenarioKey<any UserAction>] { suites.flatMap(\.actionKeys) }

  private func capture(_ path: YAMLValue, _ value: YAMLValue, _ peer: PeerName) throws(YAMLFileError) -> [Step] {
    guard let captures else { throw path.error("captures cannot be read here") }
    guard let sender = value["as"]?.text.flatMap({ suites.part($0)?.role }) ?? setup.part.role?.receiver else {
      throw path.error("a \(setup.part) has no transport: no capture can be sent to it")
    }
    let payloads: [CapturedPayload]
    do {
      payloads = try captures(path.text ?? "", sender)
    } catch {
      throw path.error("the capture \"\(path.text ?? "")\": \(error)")
    }
    var last: Nanoseconds = 0
    for payload in payloads {
      guard payload.time - last <= Script.longestStandstill else {
        throw path.error(
          "the capture \"\(path.text ?? "")\" has a pause of more than \(Script.longestStandstill / 86_400_000_000_000) days: "
            + "a time in it is damaged, or it is to be cut with telecap export --where")
      }
      last = max(last, payload.time)
    }
    let begin = time
    return payloads.map { payload in
      Step(
        time: Timestamp(nanoseconds: begin).advanced(byNanoseconds: payload.time), peer: peer,
        work: .send([payload.bytes], every: 0), carrier: payload.carrier, answers: [], line: value.line)
    }
  }
}
