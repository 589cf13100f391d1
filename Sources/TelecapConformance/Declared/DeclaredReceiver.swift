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
  private var nextAsking: Timestamp?
  private var framers: [Endpoint: MessageFramer] = [:]
  private(set) var broke: String?

  private struct StateKey: Hashable, Comparable {
    var stream: String
    var key: [UInt64]

    static func < (left: StateKey, right: StateKey) -> Bool {
      left.stream == right.stream ? left.key.lexicographicallyPrecedes(right.key) : left.stream < right.stream
    }
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
  }

  var nextWake: Timestamp? { (states.values.compactMap(\.off) + [nextAsking].compactMap(\.self)).min() }

  /// What asks for a session is said at once, and again well before the session would end.
  mutating func start(at time: Timestamp, _ perform: Perform) { ask(at: time, perform) }
  mutating func stop(at time: Timestamp, _ perform: Perform) { nextAsking = nil }
  mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let next = nextAsking, time >= next { ask(at: time, perform) }
    for (key, state) in states.sorted(by: { $0.key < $1.key }) {
      guard let off = state.off, time >= off else { continue }
      var applied = state.applied
      applied.values = StreamValues(applied.values.map { _ in 0 })
      states[key] = State(applied: applied)
      perform(.event(.applied(applied)), RawSpan())
    }
  }

  private mutating func ask(at time: Timestamp, _ perform: Perform) {
    guard side == .client, case .answer(let asking)? = owner.session?.opening, let kind = owner[asking.message] else {
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
    for stream in streams {
      // Whatever has the size of a message is one to the wrong receiver.
      let isMisread = fault == .headerUnchecked && bytes.byteCount == stream.kind.layout.fixedSize
      if error == nil ? kind == stream.kind : isMisread { apply(stream, bytes, at: time, perform) }
    }
  }

  private mutating func apply(_ stream: JudgedStream, _ bytes: RawSpan, at time: Timestamp, _ perform: Perform) {
    var value = stream.applied(in: bytes)
    if fault != .appliesNotFinite, !value.values.isFinite { return }
    let key = StateKey(stream: stream.rules.name, key: value.key)
    guard isNewer(value, than: states[key]?.applied, stream) else { return }
    if fault != .noClamp { value.values = stream.clamped(value.values) }
    if fault == .confusesValues { value.values.reverse() }
    let silence = fault == .staysOn ? nil : stream.rules.silence
    states[key] = State(applied: value, off: silence.map { time.advanced(byNanoseconds: $0) })
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
