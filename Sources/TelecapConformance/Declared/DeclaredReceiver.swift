import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct receiver of a protocol's streams, made from its declaration: it reads by the tables, applies by the rules of the
/// streams, and asks for a session where there is one to be asked for. With a fault, wrong in just one way.
struct DeclaredReceiver: DrivenPeer {
  private let owner: WireProtocol
  private let side: Side
  private let streams: [JudgedStream]
  private let fault: DeclaredFault?
  private var states: [StateKey: State] = [:]
  /// When silence turns states off, by the places of their streams, in the order in which they were applied. Some were
  /// refreshed since.
  private var silences: [Deque<(key: StateKey, off: Timestamp)>]
  private var nextAsking: Timestamp?
  private var framers: [Endpoint: MessageFramer] = [:]
  private(set) var broke: String?

  private struct StateKey: Hashable {
    var stream: Int
    var key: [UInt64]
  }

  private struct State {
    var applied: AppliedValue
    /// When silence turns it off.
    var off: Timestamp?
  }

  init(_ owner: WireProtocol, _ side: Side, _ fault: DeclaredFault?) {
    self.owner = owner
    self.side = side
    self.fault = fault
    streams = JudgedStream.declared(by: owner, received: side)
    silences = streams.map { _ in [] }
  }

  var nextWake: Timestamp? {
    var next = nextAsking
    for silence in silences {
      if let off = silence.first?.off { next = min(next ?? off, off) }
    }
    return next
  }

  /// What asks for a session is said at once, and again well before the session would end.
  mutating func start(at time: Timestamp, _ perform: Perform) { ask(at: time, perform) }
  mutating func stop(at time: Timestamp, _ perform: Perform) { nextAsking = nil }
  mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let next = nextAsking, time >= next { ask(at: time, perform) }
    for stream in streams.indices {
      while let first = silences[stream].first, time >= first.off {
        silences[stream].removeFirst()
        turnOff(first.key, at: time, perform)
      }
    }
  }

  /// Turns a state off whose time has come; it may have been refreshed.
  private mutating func turnOff(_ key: StateKey, at time: Timestamp, _ perform: Perform) {
    guard var applied = states[key]?.applied, let off = states[key]?.off, time >= off else { return }
    applied.values = StreamValues(applied.values.map { _ in 0 })
    states[key] = State(applied: applied)
    perform(.event(.applied(applied)), RawSpan())
  }

  private mutating func ask(at time: Timestamp, _ perform: Perform) {
    guard side == .client, let asking = owner.asking, let kind = owner[asking.message] else {
      return
    }
    let message = Message.right(kind)
    perform(.send(.udp, to: VirtualAddresses.host), message.bytes.span.bytes)
    nextAsking = time.advanced(byNanoseconds: (owner.session?.timeout ?? 3_000_000_000) / 3)
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framers[endpoint] = nil
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) { framers[endpoint] = nil }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    guard carrier == .tcp else { return message(bytes, as: dialect, at: time, perform) }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message { message(frame, as: dialect, at: time, perform) }
    }
    framers[endpoint] = framer
  }

  private mutating func message(_ bytes: RawSpan, as dialect: Dialect, at time: Timestamp, _ perform: Perform) {
    if fault == .crashesOnShort, bytes.byteCount < 4 {
      broke = "crashed: index out of range"
      return
    }
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    for (place, stream) in streams.enumerated() {
      // Whatever has the size of a message is one to the wrong receiver.
      let isMisread = fault == .headerUnchecked && stream.kind.layout.isSize(of: bytes)
      if error == nil ? kind == stream.kind : isMisread { apply(place, bytes, at: time, perform) }
    }
  }

  private mutating func apply(_ place: Int, _ bytes: RawSpan, at time: Timestamp, _ perform: Perform) {
    let stream = streams[place]
    var value = stream.applied(in: bytes)
    if fault != .appliesNotFinite, !value.values.isFinite { return }
    let key = StateKey(stream: place, key: value.key)
    guard isNewer(value, than: states[key]?.applied, stream) else { return }
    if fault != .noClamp { value.values = stream.clamped(value.values) }
    if fault == .confusesValues { value.values.reverse() }
    let silence = fault == .staysOn ? nil : stream.rules.silence
    let off = silence.map { time.advanced(byNanoseconds: $0) }
    states[key] = State(applied: value, off: off)
    if let off { silences[place].append((key, off)) }
    perform(.event(.applied(value)), RawSpan())
  }

  private func isNewer(_ value: AppliedValue, than before: AppliedValue?, _ stream: JudgedStream) -> Bool {
    guard let before else { return true }
    if fault == .firstValueWins { return false }
    guard let number = value.number, let newest = before.number else { return true }
    let isRight = SerialNumber.isNewer(number, than: newest, bits: stream.bits)
    switch fault {
    case .orderOfArrival: return number != newest
    case .appliesDuplicates: return isRight || number == newest
    case .wrapIsOld: return number > newest
    default: return isRight
    }
  }
}

extension Layout {
  /// Whether bytes have the size of a message of this table, by the length that is in them where its last field has one.
  fileprivate func isSize(of bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= fixedSize, let last = fields.last else { return bytes.byteCount == fixedSize }
    if last.type == .rest { return true }
    let length = last.lengthField.flatMap { self[$0]?.bits(in: bytes) } ?? 0
    return UInt64(bytes.byteCount - fixedSize) == length
  }
}

/// How a receiver of a declared protocol can be wrong.
enum DeclaredFault: String, CaseIterable, Sendable {
  /// Applies values in the order in which they come.
  case orderOfArrival = "order-of-arrival"
  /// Applies the same message again.
  case appliesDuplicates = "applies-duplicates"
  /// Takes what comes behind the largest number for old.
  case wrapIsOld = "wrap-is-old"
  /// The first value wins.
  case firstValueWins = "first-value-wins"
  /// Applies NaN and ∞.
  case appliesNotFinite = "applies-not-finite"
  /// Applies what is out of range as it is.
  case noClamp = "no-clamp"
  /// Takes one field for another.
  case confusesValues = "confuses-values"
  /// Goes on when nothing comes any more.
  case staysOn = "stays-on"
  /// Looks at no header: whatever has the size of a message is one.
  case headerUnchecked = "header-unchecked"
  /// Crashes on a message of less than four bytes.
  case crashesOnShort = "crashes-on-short"

  /// The ways in which a receiver of these streams can be wrong.
  static func possible(_ streams: [JudgedStream], of owner: WireProtocol) -> [String] {
    allCases.filter { fault in
      switch fault {
      case .orderOfArrival, .appliesDuplicates, .wrapIsOld: streams.contains { $0.order != nil }
      case .appliesNotFinite: streams.contains(where: \.hasFloats)
      case .noClamp: streams.contains { $0.rules.range != nil }
      case .confusesValues: streams.contains { $0.values.count > 1 }
      case .staysOn: streams.contains { $0.rules.silence != nil }
      case .headerUnchecked: !owner.recognisedFields.isEmpty
      case .firstValueWins, .crashesOnShort: true
      }
    }.map(\.rawValue)
  }
}
