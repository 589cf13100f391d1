/// How a payload is known to be of a protocol, and which message it is.
public struct Recognition: Sendable {
  /// A field that always holds one of a few values, and the rule that is broken when it holds another.
  public struct Constant: Sendable {
    /// The field; its rule says its value, or each message's own table does.
    public var field: FieldRow
    /// The rule that a wrong value breaks.
    public var rule: Rule

    /// A field and the rule that it stands for.
    public init(_ field: FieldRow, _ rule: Rule) {
      self.field = field
      self.rule = rule
    }
  }

  /// The bytes by which a message is known: what is shorter is none.
  public var header: Int
  /// The bytes of the shortest message.
  public var shortest: Int
  /// The constants at the start of every payload, checked first: another protocol's payload is not read further.
  public var identity: [Constant]
  /// The field that identifies messages; nil if a text or their sizes do.
  public var code: FieldRow?
  /// The field whose text identifies messages (`TypeText`); nil where none does.
  public var typeText: FieldRow?
  /// The rule that an undefined code breaks.
  public var unknownCode: Rule
  /// The other constants, such as a version; checked after the message is known.
  public var constants: [Constant]
  /// Whether a payload that is longer than its message is invalid. Otherwise the bytes after the message are ignored.
  public var isExact: Bool
  /// The rule that a payload longer than its message breaks, if that is not the rule for trailing bytes.
  public var tooLong: Rule?
  /// The rule that a message breaks if its protocol version does not carry it, but carries the same message in
  /// another form; nil without such a pair.
  public var otherForm: Rule?
  /// The field that says how many bytes the message has, and how many it does not count; nil where none does.
  public var length: Length?

  /// A length in a header.
  public struct Length: Sendable {
    /// The field.
    public var field: FieldRow
    /// The bytes at the start of the message that it does not count.
    public var uncounted: Int
    /// The bytes of a word, for a length that counts words.
    public var step: Int
    /// The rule that a message with fewer bytes than its length breaks.
    public var rule: Rule

    /// The length in `field`, which counts what follows the first `uncounted` bytes, in words of `step` bytes.
    public init(_ field: FieldRow, uncounted: Int, step: Int = 1, _ rule: Rule) {
      self.field = field
      self.uncounted = uncounted
      self.step = step
      self.rule = rule
    }

    /// The number that a message of so many bytes has: a last word that is not whole counts.
    func number(ofBytes count: Int) -> UInt64 { UInt64(max(0, count - uncounted + step - 1) / step) }
  }

  /// Messages that `code`, a text or their sizes discriminate.
  public init(
    header: Int, shortest: Int? = nil, identity: [Constant] = [], code: FieldRow? = nil, typeText: FieldRow? = nil,
    unknownCode: Rule = .unknownType,
    constants: [Constant] = [], isExact: Bool = false, tooLong: Rule? = nil, otherForm: Rule? = nil,
    length: Length? = nil
  ) {
    self.header = header
    self.shortest = shortest ?? header
    self.identity = identity
    self.code = code
    self.typeText = typeText
    self.unknownCode = unknownCode
    self.constants = constants
    self.isExact = isExact
    self.tooLong = tooLong
    self.otherForm = otherForm
    self.length = length
  }
}
