import TelecapRecording

/// The general rules as one protocol states them: the same ids, with the texts and requirements of its own documents. It also
/// has the rules of this protocol alone, in groups that fit the order of reports.
public struct RuleBook: Sendable {
  /// The rules that only this protocol has about headers.
  public var headers: [Rule] = []
  public var truncated = Rule.truncated
  public var trailing = Rule.trailing
  /// The rules that only this protocol has about lengths and their consequences.
  public var lengths: [Rule] = []
  public var outOfRange = Rule.outOfRange
  public var notANumber = Rule.notANumber
  public var unknownCode = Rule.unknownCode
  /// The rules that only this protocol has about numbers.
  public var values: [Rule] = []
  public var reserved = Rule.reserved
  /// The rule that four numbers break if they are no unit quaternion; reported among `forms` if a message has one.
  public var quaternion = Rule.quaternion
  /// The rules that only this protocol has about text, several fields together and whole messages.
  public var forms: [Rule] = []
  public var transport = Rule.transport
  public var direction = Rule.direction
  public var seqGap = Rule.seqGap
  public var seqDuplicate = Rule.seqDuplicate
  public var seqReordered = Rule.seqReordered
  public var seqShared = Rule.seqShared
  public var seqNotFollowed = Rule.seqNotFollowed
  /// The rules that only this protocol has about sessions.
  public var conversations: [Rule] = []
  public var silence = Rule.silence
  public var notFollowed = Rule.notFollowed
  /// The rule about its byte streams; reported after the rules of every protocol (`Rule.ofStreams`).
  public var frameLength = Rule.frameLength
  public var streamSkipped = Rule.streamSkipped
  public var streamEnd = Rule.streamEnd
  /// The name of the client in its findings.
  public var client = "client"

  /// The general rules as they are.
  public init() {}

  /// A message shares a datagram of `size` bytes with bytes that are no message: a receiver may drop it for that, as for bytes after it.
  public func besideInvalid(_ message: RawSpan, of size: Int) -> Finding {
    Finding(trailing, 0..<message.byteCount, .lengths(needed: message.byteCount, had: size))
  }

  /// Every rule, in the order of reports.
  public var all: [Rule] {
    headers + [truncated, trailing] + lengths + [outOfRange, notANumber, unknownCode] + values + [reserved] + forms
      + [transport, direction, seqGap, seqDuplicate, seqReordered, seqShared, seqNotFollowed] + conversations + [
        silence, notFollowed,
      ]
  }

  /// The rules of several protocols and of the streams that carry them, each once, in the order of reports: a
  /// rule of a later protocol comes after the one before it in that protocol's own order.
  public static func all(of protocols: [WireProtocol]) -> [Rule] {
    var told: [Rule] = []
    for owner in protocols {
      var place = 0
      for rule in owner.rules.all {
        if let known = told.firstIndex(of: rule) {
          place = known + 1
        } else {
          told.insert(rule, at: place)
          place += 1
        }
      }
    }
    return told + Rule.ofStreams
  }
}
