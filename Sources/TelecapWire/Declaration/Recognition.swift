/// How a payload is known to be of a protocol, and which message it is.
public struct Recognition: Sendable {
  /// A field that always holds one of a few values, and the rule that is broken when it holds another.
  public struct Constant: Sendable {
    /// The field; its rule says its value, or each message's own table does.
    public var field: FieldRow
    /// What is found when it is wrong.
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
  /// What every payload begins with; looked at first: another protocol's payload is not read further.
  public var identity: [Constant]
  /// The field that tells messages apart; nil where their sizes do.
  public var code: FieldRow?
  /// What is found when nobody defined the code.
  public var unknownCode: Rule
  /// What else is always the same, such as a version; looked at once the message is known.
  public var constants: [Constant]
  /// A payload that is longer than its message is none. Otherwise what follows is passed over.
  public var isExact: Bool
  /// What is found when a payload is longer than its message, where that is no trailing of bytes.
  public var tooLong: Rule?
  /// What is found when a message comes over a dialect that does not carry it, though it carries the same message in
  /// another form; nil where there is no such pair.
  public var otherForm: Rule?
  /// The field that says how many bytes the message has, and how many it does not count; nil where none does.
  public var length: Length?

  /// A length in a header.
  public struct Length: Sendable {
    /// The field.
    public var field: FieldRow
    /// The bytes at the start of the message that it does not count.
    public var uncounted: Int
    /// What is found when there are fewer bytes than it says.
    public var rule: Rule

    /// The length in `field`, which counts what follows the first `uncounted` bytes.
    public init(_ field: FieldRow, uncounted: Int, _ rule: Rule) {
      self.field = field
      self.uncounted = uncounted
      self.rule = rule
    }
  }

  /// Messages that are told apart by `code`.
  public init(
    header: Int, shortest: Int? = nil, identity: [Constant] = [], code: FieldRow? = nil,
    unknownCode: Rule = .unknownType,
    constants: [Constant] = [], isExact: Bool = false, tooLong: Rule? = nil, otherForm: Rule? = nil,
    length: Length? = nil
  ) {
    self.header = header
    self.shortest = shortest ?? header
    self.identity = identity
    self.code = code
    self.unknownCode = unknownCode
    self.constants = constants
    self.isExact = isExact
    self.tooLong = tooLong
    self.otherForm = otherForm
    self.length = length
  }
}
