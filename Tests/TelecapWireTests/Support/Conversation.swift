import TelecapRecording
import TelecapTele
@testable import TelecapWire
import TelecapTestSupport
import Testing

/// A phone and a host as a tracker sees them: each line of a story is one message at one time, in seconds.
struct Conversation {
  static let phone = Endpoint(IPAddress(v4: 0xc000_020a), port: 40_000)
  static let secondPhone = Endpoint(IPAddress(v4: 0xc000_020b), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)

  var tracker = SessionTracker()
  var carrier = Carrier.udp
  private var packet = 0

  init(over carrier: Carrier = .udp, tracker: SessionTracker = SessionTracker()) {
    (self.carrier, self.tracker) = (carrier, tracker)
  }

  /// The tracker's result for one message: the id of its session (0: none), and the findings.
  struct Answer: Equatable {
    var session: Int
    var findings: [Finding]
  }

  @discardableResult
  mutating func phone(
    _ message: Message, at seconds: Double, from phone: Endpoint = Conversation.phone,
    direction: Direction = .clientToServer, isValid: Bool = true
  ) -> Answer {
    receive(message, seconds, Flow(carrier, from: phone, to: Conversation.host), direction, isValid)
  }

  @discardableResult
  mutating func host(
    _ message: Message, at seconds: Double, to phone: Endpoint = Conversation.phone,
    direction: Direction = .serverToClient, isValid: Bool = true
  ) -> Answer {
    receive(message, seconds, Flow(carrier, from: Conversation.host, to: phone), direction, isValid)
  }

  /// The findings at the end of the capture, each with the packet that it is about.
  mutating func finish(at seconds: Double) -> [(finding: Finding, packet: Int)] {
    var found: [(Finding, Int)] = []
    tracker.finish(at: Timestamp(seconds: seconds)) { found.append(($0, $1.packet)) }
    return found
  }

  private mutating func receive(
    _ message: Message, _ seconds: Double, _ flow: Flow, _ direction: Direction, _ isValid: Bool
  ) -> Answer {
    packet += 1
    var findings: [Finding] = []
    let session = tracker.receive(
      message.kind, message.bytes.span.bytes,
      in: Datagram(packet: packet, time: Timestamp(seconds: seconds), flow: flow), going: direction, isValid: isValid,
      findings: &findings)
    return Answer(session: session, findings: findings)
  }
}

extension Message {
  static func hello(_ id: UInt32) -> Message {
    var message = Message(keeping: hex("54454c450101000000004142433132330000"), as: .teleUDP)
    message.edit(as: Hello.self) { $0[Hello.fields.sessionID] = id }
    return message
  }

  /// A pose that stands still.
  static func pose(_ seq: UInt16) -> Message {
    var message = Message(keeping: hex("54454c450301" + String(repeating: "00", count: 40)), as: .teleUDP)
    message.edit(as: Pose.self) {
      $0[Pose.fields.seq] = seq
      $0[Pose.fields.qw] = 1
    }
    return message
  }

  static func haptic(_ intensity: Float) -> Message {
    var message = Message(keeping: hex("54454c450701000000000000"), as: .teleUDP)
    message.edit(as: Haptic.self) { $0[Haptic.fields.intensity] = intensity }
    return message
  }

  /// The value of a field, and a failure where the message has another table or ends too early.
  func value<Value: WireValue, Table: MessageTable>(
    _ field: Field<Value, Table>, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Value? {
    #expect(Table.kinds.contains(kind), "\(kind) has another table", sourceLocation: sourceLocation)
    return field.value(in: bytes.span.bytes)
  }

  /// Changes fields of the message, which must have this table.
  mutating func edit<Table: MessageTable>(as table: Table.Type, _ change: (inout Typed<Table>) -> Void) {
    guard var typed = Typed<Table>(self) else {
      Issue.record("\(kind) has another table than \(table)")
      return
    }
    change(&typed)
    self = typed.message
  }
}
