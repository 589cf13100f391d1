import TelecapRecording

/// The general rules as one protocol states them: the same ids, with the texts and requirements of its own documents. Beside
/// them stand the rules of this protocol alone, each group where it is best told.
public struct RuleBook: Sendable {
  /// What only this protocol's headers can break.
  public var headers: [Rule] = []
  public var truncated = Rule.truncated
  public var trailing = Rule.trailing
  /// What only this protocol says of lengths, and of what follows from them.
  public var lengths: [Rule] = []
  public var outOfRange = Rule.outOfRange
  public var notANumber = Rule.notANumber
  public var unknownCode = Rule.unknownCode
  /// What only this protocol says of numbers.
  public var values: [Rule] = []
  public var reserved = Rule.reserved
  /// What is found when four numbers are no unit quaternion; told among `forms` where a message has one.
  public var quaternion = Rule.quaternion
  /// What only this protocol says of text, of several fields together and of whole messages.
  public var forms: [Rule] = []
  public var transport = Rule.transport
  public var direction = Rule.direction
  public var seqGap = Rule.seqGap
  public var seqDuplicate = Rule.seqDuplicate
  public var seqReordered = Rule.seqReordered
  public var seqShared = Rule.seqShared
  public var seqNotFollowed = Rule.seqNotFollowed
  /// What only this protocol says of conversations.
  public var conversations: [Rule] = []
  public var silence = Rule.silence
  public var notFollowed = Rule.notFollowed
  /// What is found about its byte streams; told after the rules of every protocol (`Rule.ofStreams`).
  public var frameLength = Rule.frameLength
  public var streamSkipped = Rule.streamSkipped
  public var streamEnd = Rule.streamEnd
  /// What its findings call the side that is no host.
  public var client = "client"

  /// The general rules as they are.
  public init() {}

  /// Every rule, in the order in which they are best told.
  public var all: [Rule] {
    headers + [truncated, trailing] + lengths + [outOfRange, notANumber, unknownCode] + values + [reserved] + forms
      + [transport, direction, seqGap, seqDuplicate, seqReordered, seqShared, seqNotFollowed] + conversations + [
        silence, notFollowed,
      ]
  }

  /// The rules of several protocols and of the streams that carry them, each once, in the order in which they are told: a
  /// rule of a later protocol stands behind the one before it in that protocol's own order.
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
