import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

/// A role on one transport, for which mutants are made.
struct Wire: Sendable {
  let model: PartModel
  /// Nil for HID reports.
  let carrier: Carrier?
  let dialect: Dialect
  /// A file declares its protocol: of the messages that it sends only numbers and identifiers are tested.
  var isDeclared = false

  /// `host/udp`.
  var name: String { "\(model.part)/\(carrier?.name ?? dialect.name)" }

  /// The messages that it receives and goes by.
  var received: [MessageKind] {
    kinds(isClient ? .serverToClient : .clientToServer).filter { kind in
      kind == life || kind.layout.fields.contains { isUsed($0, of: kind) }
    }
  }
  /// The message that asks for a session where the usual one is not carried.
  var code: MessageKind? { instead.flatMap { dialect.owner[$0.message] } }
  /// By what a session lives there.
  var life: MessageKind? { instead.flatMap { dialect.owner[$0.life] } }
  private var instead: SessionRules.Instead? { carrier.flatMap(dialect.owner.asking(insteadOver:)) }
  /// The messages that it sends.
  var sent: [MessageKind] {
    // A message that only a user causes, and no scenario has a user, is not sent.
    kinds(isClient ? .clientToServer : .serverToClient).filter { !(isClient && $0 == .cmd) && !isOptional($0) }
  }

  /// Whether nothing makes a peer of a declared protocol send a message.
  private func isOptional(_ kind: MessageKind) -> Bool {
    let owner = dialect.owner
    guard isDeclared, !kind.asks, !kind.answers, owner.session?.closing?.message != kind.name else { return false }
    return !owner.streams.contains { $0.message == kind.name }
      && !owner.requests.contains { $0.answers.contains(kind.name) }
  }

  /// Whether this field of sent messages is tested: a value of a stream is not, since no right value is known.
  func isJudged(_ row: FieldRow, of kind: MessageKind) -> Bool {
    guard isDeclared else { return true }
    let owner = dialect.owner
    let streams = owner.streams.filter { $0.message == kind.name }
    return isUsed(row, of: kind) && !streams.contains { $0.values.contains(row.name) || $0.key.contains(row.name) }
  }

  /// Whether a receiver goes by this field: a session, or a stream.
  func isUsed(_ row: FieldRow, of kind: MessageKind) -> Bool {
    let owner = dialect.owner
    var names: Set<String> = []
    if kind.asks || kind.answers, let asking = owner.asking {
      names.formUnion([asking.id, asking.code, asking.accepts?.field].compactMap(\.self))
    }
    if kind == code { names.formUnion([owner.asking?.code].compactMap(\.self)) }
    if let closing = owner.session?.closing, closing.message == kind.name {
      names.formUnion([closing.id].compactMap(\.self))
    }
    for stream in owner.streams where stream.message == kind.name || stream.also.contains(kind.name) {
      names.formUnion(stream.values + stream.key)
      if case .sequence(let name) = stream.order { names.insert(name) }
    }
    // A scroll that moves nothing else is shown by nobody yet, and read all the same.
    return names.contains(row.name) || owner === Mouse.wire
  }

  private var isClient: Bool { model.part.role?.side == .client }

  private func kinds(_ direction: Direction) -> [MessageKind] {
    dialect.owner.messages.filter { kind in
      kind.layoutDirection == direction && kind.layout.dialects.contains(dialect.name) && kind != .beacon
        && kind != .mouseHIDShort && (carrier == nil || kind.layout.usually == nil || kind.layout.usually == carrier)
    }
  }

  static let all: [Wire] = [
    Wire(model: .host, carrier: .udp, dialect: .teleUDP), Wire(model: .host, carrier: .tcp, dialect: .teleTCP),
    Wire(model: .phone, carrier: .udp, dialect: .teleUDP), Wire(model: .phone, carrier: .tcp, dialect: .teleTCP),
    Wire(model: .host, carrier: .ble, dialect: .teleBLE), Wire(model: .phone, carrier: .ble, dialect: .teleBLE),
    Wire(model: .mouseHost, carrier: .udp, dialect: .mouse), Wire(model: .mouseHost, carrier: .tcp, dialect: .mouse),
    Wire(model: .mouse, carrier: .udp, dialect: .mouse), Wire(model: .mouse, carrier: .tcp, dialect: .mouse),
    Wire(model: .mouse, carrier: nil, dialect: .mouseHID),
  ]
}

/// A mutant before it is named in full and given its requirements.
struct Sketch: Sendable {
  /// way/place/change.
  let name: String
  let kind: Operator
  var mutation: Mutation

  init(_ name: String, _ kind: Operator, _ mutation: Mutation) {
    (self.name, self.kind, self.mutation) = (name, kind, mutation)
  }

  /// One that takes messages for others; nil loses one.
  static func receiving(
    _ place: String, _ kind: Operator, _ change: @escaping @Sendable (Packet, inout Memory) -> Packet?
  ) -> Sketch {
    Sketch(
      "in/\(place)", kind,
      Mutation(receives: { packet, memory in change(packet, &memory).map { [.receive($0)] } ?? [] }))
  }

  /// One that sends other messages; nil loses one.
  static func sending(
    _ place: String, _ kind: Operator, _ change: @escaping @Sendable (Packet, inout Memory) -> Packet?
  ) -> Sketch {
    Sketch(
      "out/\(place)", kind, Mutation(sends: { packet, memory in change(packet, &memory).map { [.send($0)] } ?? [] }))
  }

  /// One that shows other events.
  static func showing(
    _ place: String, _ kind: Operator, _ change: @escaping @Sendable (PeerEvent, inout Memory) -> [PeerEvent]
  ) -> Sketch {
    Sketch("shown/\(place)", kind, Mutation(shows: { event, memory in change(event, &memory).map { .show($0) } }))
  }
}

/// Later than the settle time, in ns.
let aMoment: Int64 = 80_000_000
