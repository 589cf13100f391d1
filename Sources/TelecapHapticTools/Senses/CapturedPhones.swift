import TelecapFiles
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapText
import TelecapTransport
import TelecapWire

/// The phones of a recording, each of which stands for a person: senders of POSE and receivers of HAPTIC, with their
/// sessions.
///
/// Over UDP a phone is identified by its address and port; over TCP and Bluetooth by its address, because each
/// connection has its own port or handle.
struct CapturedPhones {
  /// A session message of a phone: a request, or a teardown.
  enum Word: Hashable {
    case hello(session: UInt32)
    case bye
  }

  /// One phone.
  struct Phone {
    /// Its address, with its port over UDP.
    let name: String
    /// Its address alone.
    let address: String
    /// Whether it sent POSE or received HAPTIC.
    var takesPart = false
    /// Its session messages, in order of time.
    var words: [(time: Timestamp, word: Word)] = []
  }

  /// The phones in the order of their first packets.
  private(set) var phones: [Phone] = []
  /// The duration of the part of the recording that was read.
  private(set) var length: Nanoseconds?

  /// Finds the phones of `recording`.
  ///
  /// - Throws: any error of reading.
  init(_ recording: Recording) throws {
    for role in [Role.phone, .host] {
      let source = try ReplaySource(recording, as: role.name)
      try take(source)
    }
  }

  private mutating func take(_ source: ReplaySource) throws {
    var units: [Int: Phone] = [:]
    var starts: [Int: [(time: Timestamp, word: Word)]] = [:]
    // The last session that each flow requested.
    var asked: [Int: UInt32] = [:]
    let reading = try source.read { unit, _, bytes in
      var phone = units[unit.flow] ?? Phone(name: "", address: "")
      defer { units[unit.flow] = phone }
      guard unit.carrier != .tcp else { return phone.takesPart = true }
      guard let dialect = source.role.owner.dialect(over: unit.carrier) else { return }
      let (kind, error) = MessageDecoder.check(bytes, as: dialect)
      guard error == nil else { return }
      switch kind {
      case .haptic, .pose: phone.takesPart = true
      case .hello where source.role == .phone:
        let id = Hello.fields.sessionID.value(in: bytes) ?? 0
        asked[unit.flow] = id
        starts[unit.flow, default: []].append((unit.time, .hello(session: id)))
      // Ignore the BYE of another session.
      case .bye where source.role == .phone:
        guard asked[unit.flow].map({ kind.closes(UInt64($0), in: bytes) }) ?? true else { break }
        starts[unit.flow, default: []].append((unit.time, .bye))
      default: break
      }
    }
    let start = reading.start ?? .zero
    if let end = reading.end { length = min(length ?? .max, max(0, end.nanoseconds(since: start))) }
    for (flow, unit) in units.sorted(by: { $0.key < $1.key }) where !source.ports.isBroadcast(reading.flows[flow]) {
      let end = CapturedPhones.end(of: reading.flows[flow], source.role)
      let name = CapturedPhones.name(of: end, over: reading.flows[flow].carrier)
      let index = phones.firstIndex { $0.name == name } ?? phones.count
      if index == phones.count { phones.append(Phone(name: name, address: end.address.description)) }
      phones[index].takesPart = phones[index].takesPart || unit.takesPart
      for (time, word) in starts[flow] ?? [] {
        phones[index].words.append((Timestamp(nanoseconds: max(0, time.nanoseconds(since: start))), word))
      }
    }
  }

  /// The phone's endpoint of a flow.
  private static func end(of flow: Flow, _ sender: Role) -> Endpoint {
    sender.side == .client ? flow.source : flow.destination
  }

  private static func name(of end: Endpoint, over carrier: Carrier) -> String {
    carrier == .udp ? end.description : end.address.description
  }

  /// The phone that takes part; if there are several, the requested one.
  ///
  /// - Parameter asked: its address, or its address and port.
  /// - Throws: `PhoneProblem` if there are several and none was requested, or the requested one does not exist.
  func chosen(_ asked: String?, in recording: String) throws(PhoneProblem) -> ChosenPhone {
    let playing = phones.filter(\.takesPart)
    let names = playing.map(\.name)
    if let asked {
      let chosen = phones.filter { $0.name == asked || $0.address == asked }
      guard !chosen.isEmpty else { throw .noPhone(recording: recording, asked: asked, among: names) }
      return ChosenPhone(chosen, named: asked, leftOut: names.filter { !chosen.map(\.name).contains($0) })
    }
    guard playing.count <= 1 else { throw .several(recording: recording, phones: names) }
    return ChosenPhone(playing.isEmpty ? phones : playing, named: names.first, leftOut: [])
  }

  /// Whether a flow of `sender` is that of a phone with one of these names.
  static func isFlow(_ flow: Flow, from sender: Role, of names: Set<String>) -> Bool {
    names.contains(name(of: end(of: flow, sender), over: flow.carrier))
  }
}

/// The phone that is followed.
struct ChosenPhone {
  /// Its name; nil if the recording has no phone.
  let name: String?
  /// Other phones that take part, which are ignored.
  let leftOut: [String]
  private let names: Set<String>
  private let words: [(time: Timestamp, word: CapturedPhones.Word)]

  fileprivate init(_ phones: [CapturedPhones.Phone], named name: String?, leftOut: [String]) {
    (self.name, self.leftOut) = (name, leftOut)
    names = Set(phones.map(\.name))
    let all = phones.flatMap(\.words)
    words = all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// Selects the flows of `sender` that belong to it.
  func flows(from sender: Role) -> @Sendable (Flow) -> Bool {
    { [names] in CapturedPhones.isFlow($0, from: sender, of: names) }
  }

  /// The sessions that it requested, each with the time of its first HELLO.
  var sessions: [(time: Timestamp, id: UInt32)] {
    var sessions: [(time: Timestamp, id: UInt32)] = []
    for case (let time, .hello(let id)) in words where sessions.last?.id != id { sessions.append((time, id)) }
    return sessions
  }

  /// The times at which it was present: until its BYE, and from its next HELLO on. Packets in between do not reach it.
  /// The last one has no end without a BYE.
  var stays: [(from: Timestamp, until: Timestamp?)] {
    var stays: [(from: Timestamp, until: Timestamp?)] = []
    var from: Timestamp? = .zero
    for (time, word) in words {
      switch word {
      case .hello: from = from ?? time
      case .bye:
        if let begin = from { stays.append((begin, time)) }
        from = nil
      }
    }
    if let from { stays.append((from, nil)) }
    return stays
  }
}

/// The phone to follow in a recording is ambiguous or missing.
public enum PhoneProblem: Advising, BadInput, Hashable, Sendable, CustomStringConvertible {
  /// Several phones take part.
  case several(recording: String, phones: [String])
  /// The requested phone does not exist.
  case noPhone(recording: String, asked: String, among: [String])

  /// The problem.
  public var description: String {
    switch self {
    case .several(let recording, let phones):
      "\(recording): \(phones.count) phones take part, each another person: \(phones.list(or: false))"
    case .noPhone(let recording, let asked, let phones):
      phones.isEmpty
        ? "\(recording): no phone is at \(asked)"
        : "\(recording): no phone is at \(asked); there \(phones.count == 1 ? "is" : "are") \(phones.list(or: false))"
    }
  }
  /// The advice.
  public var advice: String {
    switch self {
    case .several(_, let phones): "choose one: --phone \(Escaping.shell(phones[0]))"
    case .noPhone(_, _, let phones): phones.isEmpty ? "" : "give --phone an address, or an address and port"
    }
  }
}
