import TelecapRecording

/// How sessions of a protocol begin, continue and end in its messages.
public struct SessionRules: Sendable {
  /// How one begins.
  public var opening: Opening
  /// The message that ends a session, and the field that names it; only the session's own name ends it.
  public var closing: (message: String, id: String?)?
  /// After so many ns without a sign of life from either side a session over UDP is over; nil where silence means nothing.
  public var timeout: Nanoseconds?
  /// The client's messages that keep its session alive; empty where each of its messages does.
  public var keepalive: Set<String>
  /// Messages that belong to no session, such as a host's beacons.
  public var outside: Set<String>
  /// Messages that mean nothing outside a session, and what is found when they come.
  public var needed: [String: Rule]

  /// How a session begins.
  public enum Opening: Sendable {
    /// With the first message of a flow.
    case anyMessage
    /// With the answer to a message that asks for it.
    case answer(Asking)
  }

  /// A message that asks for a session, and its answer.
  public struct Asking: Sendable {
    /// The message that asks.
    public var message: String
    /// The field that names the session; nil where nothing does.
    public var id: String?
    /// The field with the code that its sender needs; nil if none is needed.
    public var code: String?
    /// The messages that answer.
    public var answers: Set<String>
    /// The field of an answer, and the value in it, that accepts; nil where every answer does.
    public var accepts: (field: String, value: UInt64)?
    /// The values of that field by which an answer rejects.
    public var rejects: Rejections
    /// The number of clients that hold a session at a time; nil where nothing limits it.
    public var clients: Int?
    /// The rule that an unanswered request breaks; nil if no answer is required.
    public var unanswered: Rule?
    /// The request for a session over transports that do not carry `message`; nil without one.
    public var instead: Instead?

    /// `message` asks, `answers` answer.
    public init(
      _ message: String, id: String? = nil, code: String? = nil, answers: Set<String>,
      accepts: (field: String, value: UInt64)? = nil, rejects: Rejections = Rejections(), clients: Int? = nil,
      unanswered: Rule? = nil, instead: Instead? = nil
    ) {
      self.message = message
      self.id = id
      self.code = code
      self.answers = answers
      self.accepts = accepts
      self.rejects = rejects
      self.clients = clients
      self.unanswered = unanswered
      self.instead = instead
    }
  }

  /// The values by which an answer rejects a request for a session; nil where none is declared for a reason.
  public struct Rejections: Hashable, Sendable {
    /// The code of its sender is wrong.
    public var code: UInt64?
    /// Other clients hold all the sessions that there are.
    public var busy: UInt64?

    /// Answers that reject by these values.
    public init(code: UInt64? = nil, busy: UInt64? = nil) { (self.code, self.busy) = (code, busy) }
  }

  /// How a session is asked for where what asks elsewhere is not carried: nothing answers, and signs of life show that it is
  /// there. The link names and holds it.
  public struct Instead: Sendable {
    /// The message that asks.
    public var message: String
    /// The message that the host sends during a session.
    public var life: String
    /// How often, in ns.
    public var every: Nanoseconds

    /// `message` asks; `life` comes `every` so many ns.
    public init(_ message: String, life: String, every: Nanoseconds) {
      (self.message, self.life, self.every) = (message, life, every)
    }
  }

  /// Sessions that open like this.
  public init(
    _ opening: Opening, closing: (message: String, id: String?)? = nil, timeout: Nanoseconds? = nil,
    keepalive: Set<String> = [], outside: Set<String> = [], needed: [String: Rule] = [:]
  ) {
    self.opening = opening
    self.closing = closing
    self.timeout = timeout
    self.keepalive = keepalive
    self.outside = outside
    self.needed = needed
  }
}

/// The part that a message plays in sessions, made from `SessionRules` once. A class, so that asking for it copies nothing.
final class SessionPart: Sendable {
  /// It opens a session whatever it says.
  let opensAlways: Bool
  let asks: Bool
  let answers: Bool
  let closes: Bool
  let isOutside: Bool
  /// Over a link it shows that there is a session.
  let isLifeOfLink: Bool
  /// The transport over which the other side may send it too.
  let returnsOver: Carrier?
  /// The name of the session that it is about.
  let id: FieldRow?
  /// The field and value by which an answer accepts.
  let accepts: (field: FieldRow, value: UInt64)?
  /// The rule that it breaks outside a session.
  let needed: Rule?
  /// The numberings of its streams, each once.
  let numberings: [Numbering]
  /// The same for the packet path.
  let numbered: [Numbered]
  let isNumbered: Bool
  /// The location of the number of messages that have one, and no key.
  let onlyOrder: FieldPlace?
  /// The fields of all keys.
  let keys: [FieldPlace]
  /// How long a silence ends the session that it belongs to, ns.
  let timeout: Nanoseconds?

  /// The location of a number, and its key among `keys`.
  struct Numbered: Sendable {
    let order: FieldPlace
    let numbers: NumberOrder
    let key: Range<Int>
  }

  /// The part of `rules` about the message of this table.
  init(of layout: Layout, _ rules: SessionRules?, _ streams: [StreamRules]) {
    var asking: SessionRules.Asking?
    if case .answer(let found)? = rules?.opening { asking = found }
    if case .anyMessage? = rules?.opening { opensAlways = true } else { opensAlways = false }
    asks = asking?.message == layout.name
    answers = asking?.answers.contains(layout.name) ?? false
    closes = rules?.closing?.message == layout.name
    isLifeOfLink = asking?.instead?.life == layout.name
    isOutside = rules?.outside.contains(layout.name) ?? false
    returnsOver = layout.returnsOver
    needed = rules?.needed[layout.name]
    numberings = Numbering.all(of: layout, streams)
    isNumbered = !numberings.isEmpty
    var keys: [FieldPlace] = []
    numbered = numberings.map { numbering in
      keys += numbering.key.map { FieldPlace($0) }
      return Numbered(
        order: FieldPlace(numbering.order), numbers: numbering.numbers,
        key: keys.count - numbering.key.count..<keys.count)
    }
    self.keys = keys
    onlyOrder = numbered.count == 1 && keys.isEmpty ? numbered[0].order : nil
    timeout = rules?.timeout
    id = (closes ? rules?.closing?.id : asks ? asking?.id : nil).flatMap { layout[$0] }
    accepts = answers ? asking?.accepts.flatMap { accepts in layout[accepts.field].map { ($0, accepts.value) } } : nil
  }
}
