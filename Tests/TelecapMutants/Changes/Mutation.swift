import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapWire

/// A message on its way into a peer or out of it, without a frame around it.
struct Packet: Sendable, Equatable {
  /// Its bytes.
  var bytes: [UInt8]
  /// The transport; nil for a HID report.
  var carrier: Carrier?
  /// The sender or the receiver of it.
  var end: Endpoint
  /// Which message its header says that it is.
  var kind: MessageKind
  /// A receiver may use it.
  var isValid: Bool

  init(_ bytes: [UInt8], _ carrier: Carrier?, _ end: Endpoint, of owner: WireProtocol) {
    (self.bytes, self.carrier, self.end) = (bytes, carrier, end)
    let dialect = carrier.flatMap(owner.dialect(over:)) ?? owner.dialects.last
    guard let dialect else { preconditionFailure("\(owner.name) has no dialect") }
    let (kind, error) = MessageDecoder.check(bytes.span.bytes, as: dialect)
    (self.kind, isValid) = (kind, error == nil)
  }

  /// The same with other bytes, whose checksum is made anew where there is one; it is still taken for what it was.
  func with(_ bytes: [UInt8]) -> Packet {
    guard bytes != self.bytes else { return self }
    var other = self
    let sealed = ([kind] + kind.owner.messages).first { !$0.checkFields.isEmpty }
    other.bytes = sealed.map { Message.checksummed(bytes, as: $0) } ?? bytes
    return other
  }
}

/// One thing that a mutant does.
struct ActionBinding: Sendable {
  enum What: Sendable {
    /// The right model receives this.
    case receive(Packet)
    /// It receives this, which nobody sent: what it would answer is not sent.
    case hush(Packet)
    case send(Packet)
    case show(PeerEvent)
    /// The right model learns that its link with this end is over, and has it anew.
    case part(Endpoint)
  }

  let what: What
  /// How much later, in ns.
  var after: Int64 = 0
  /// Whether it is still to be done when its time comes.
  var condition: (@Sendable (Memory) -> Bool)?

  static func receive(_ packet: Packet, after: Int64 = 0) -> ActionBinding {
    ActionBinding(what: .receive(packet), after: after)
  }
  static func hush(_ packet: Packet) -> ActionBinding { ActionBinding(what: .hush(packet)) }
  static func send(_ packet: Packet, after: Int64 = 0) -> ActionBinding {
    ActionBinding(what: .send(packet), after: after)
  }
  static func part(_ end: Endpoint) -> ActionBinding { ActionBinding(what: .part(end)) }
  static func show(_ event: PeerEvent, after: Int64 = 0) -> ActionBinding {
    ActionBinding(what: .show(event), after: after)
  }
}

/// The state of a mutant while it runs.
struct Memory: Sendable {
  // The state of the run.

  /// Now.
  var time = Timestamp.zero
  /// How it was set up.
  let setup: Setup
  /// The client of the session, and its id.
  var client: Endpoint?
  var sessionID: UInt32 = 0
  /// All that sent anything, in the order in which they first did.
  var peers: [Endpoint] = []

  // The mutant's own.

  var count = 0
  var isArmed = false
  var number: UInt64?
  var bytes: [UInt8]?
  var event: PeerEvent?
  /// The last numbers that were received or shown.
  var values: [Double] = []
  /// How it broke.
  var broke: String?

  init(_ setup: Setup) { self.setup = setup }

  /// Somebody who is not `end`.
  func stranger(to end: Endpoint) -> Endpoint {
    peers.last { $0 != end } ?? Endpoint(IPAddress(v4: 0xcb00_7101), port: 4_242)
  }
}

/// One change of a right model. A nil member changes nothing.
struct Mutation: Sendable {
  /// In place of receiving a message.
  var receives: (@Sendable (Packet, inout Memory) -> [ActionBinding])?
  /// In place of sending one.
  var sends: (@Sendable (Packet, inout Memory) -> [ActionBinding])?
  /// In place of showing an event.
  var shows: (@Sendable (PeerEvent, inout Memory) -> [ActionBinding])?
  /// How bytes of a stream are split into pieces for the right model; the second argument buffers the rest.
  var reads: (@Sendable ([UInt8], inout [UInt8]) -> [[UInt8]])?
  /// A stream that a connection begins with is not begun afresh.
  var keepsStream = false
  /// The actions of the user's API in place of an action.
  var asks: (@Sendable (MouseAction, inout Memory) -> [MouseAction])?
  /// Another set-up.
  var setup: (@Sendable (inout Setup) -> Void)?
}
