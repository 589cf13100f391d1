import TelecapFiles
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapText
import TelecapTransport
import TelecapWire

/// The phones of a recording, each a person who holds it: who sent POSE or was sent HAPTIC, and when each came and went.
///
/// Over UDP a phone is its address and port; over TCP and Bluetooth it is its address, since each connection has a port, or a handle, of
/// its own.
struct CapturedPhones {
  /// What a phone said of a session: that it wants one, or that it leaves.
  enum Word: Hashable {
    case hello(session: UInt32)
    case bye
  }

  /// One phone.
  struct Phone {
    /// Where it is.
    let name: String
    /// Its address alone.
    let address: String
    /// It sent POSE, or was sent HAPTIC.
    var takesPart = false
    /// What it said of its sessions, in order of time.
    var words: [(time: Timestamp, word: Word)] = []
  }

  /// In the order in which they were met.
  private(set) var phones: [Phone] = []
  /// How long the recording is, as far as it was read.
  private(set) var length: Nanoseconds?

  /// Those of `recording`.
  ///
  /// - Throws: what reading throws.
  init(_ recording: Recording) throws {
    for role in [Role.phone, .host] {
      let source = try ReplaySource(recording, as: role.name)
      try take(source)
    }
  }

  private mutating func take(_ source: ReplaySource) throws {
    var units: [Int: Phone] = [:]
    var starts: [Int: [(time: Timestamp, word: Word)]] = [:]
    // The session that each flow asked for last.
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
      // That of another session changes nothing.
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

  /// The phone's end of a flow.
  private static func end(of flow: Flow, _ sender: Role) -> Endpoint {
    sender.side == .client ? flow.source : flow.destination
  }

  private static func name(of end: Endpoint, over carrier: Carrier) -> String {
    carrier == .udp ? end.description : end.address.description
  }

  /// The one that takes part; of several the one that is asked for.
  ///
  /// - Parameter asked: its address, or its address and port.
  /// - Throws: `PhoneProblem` where there are several and none of them is asked for, or none is there.
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

  /// Whether a flow of what `sender` sends is that of one of the phones of these names.
  static func isFlow(_ flow: Flow, from sender: Role, of names: Set<String>) -> Bool {
    names.contains(name(of: end(of: flow, sender), over: flow.carrier))
  }
}

/// The phone that is followed: one person.
struct ChosenPhone {
  /// What it is called; nil where the recording tells of no phone.
  let name: String?
  /// Phones that take part too, and are left out.
  let leftOut: [String]
  private let names: Set<String>
  private let words: [(time: Timestamp, word: CapturedPhones.Word)]

  fileprivate init(_ phones: [CapturedPhones.Phone], named name: String?, leftOut: [String]) {
    (self.name, self.leftOut) = (name, leftOut)
    names = Set(phones.map(\.name))
    let all = phones.flatMap(\.words)
    words = all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// Which flows of what `sender` sends are its own.
  func flows(from sender: Role) -> @Sendable (Flow) -> Bool {
    { [names] in CapturedPhones.isFlow($0, from: sender, of: names) }
  }

  /// The sessions that it asked for: each with the time of its first HELLO.
  var sessions: [(time: Timestamp, id: UInt32)] {
    var sessions: [(time: Timestamp, id: UInt32)] = []
    for case (let time, .hello(let id)) in words where sessions.last?.id != id { sessions.append((time, id)) }
    return sessions
  }

  /// From when to when it was there: until its BYE, and from its next HELLO on. What comes between does not reach it. The last has
  /// no end where it did not leave.
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

/// It is not clear whom a recording is to be felt and heard by.
public enum PhoneProblem: Advising, BadInput, Hashable, Sendable, CustomStringConvertible {
  /// These take part in it.
  case several(recording: String, phones: [String])
  /// None is where it is asked for.
  case noPhone(recording: String, asked: String, among: [String])

  /// What is wrong.
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
  /// What to do about it.
  public var advice: String {
    switch self {
    case .several(_, let phones): "choose one: --phone \(Escaping.shell(phones[0]))"
    case .noPhone(_, _, let phones): phones.isEmpty ? "" : "give --phone an address, or an address and port"
    }
  }
}
