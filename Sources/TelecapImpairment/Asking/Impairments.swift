import TelecapText

/// All impairments of a recording: at most one of each kind, applied in the order of their places, after the selection
/// (semantics.md, Impairments).
public struct Impairments: Sendable {
  /// The impairments in the order of application.
  public private(set) var asked: [any Impairment] = []

  /// These impairments; the later of two of one kind.
  public init(_ asked: [any Impairment] = []) {
    for impairment in asked { put(impairment) }
  }

  /// No impairments.
  public static let none = Impairments()

  /// Whether the plan depends on the seed.
  public var isRandom: Bool { asked.contains { type(of: $0).isRandom } }

  /// Whether fields of messages are changed, which requires the protocol.
  public var changesFields: Bool { asked.contains { type(of: $0).changesFields } }

  /// Those that apply to streams.
  public var strikingStreams: Impairments { Impairments(asked.filter { type(of: $0).strikesStreams }) }

  /// The variants for streams of those that apply to streams.
  public var overStreams: Impairments { Impairments(strikingStreams.asked.map { $0.overStream as any Impairment }) }

  /// Those that have no effect on streams.
  public var idleOverStreams: Impairments { Impairments(asked.filter { !type(of: $0).strikesStreams }) }

  /// The impairment of one kind: `impairments[Loss.self]`; nil without it.
  public subscript<Kind: Impairment>(kind: Kind.Type) -> Kind? {
    get {
      for impairment in asked {
        if let match = impairment as? Kind { return match }
      }
      return nil
    }
    set {
      asked.removeAll { $0 is Kind }
      if let newValue { put(newValue) }
    }
  }

  private mutating func put(_ impairment: any Impairment) {
    let (id, place) = (type(of: impairment).id, type(of: impairment).place)
    asked.removeAll { type(of: $0).id == id }
    asked.insert(impairment, at: asked.firstIndex { type(of: $0).place > place } ?? asked.endIndex)
  }
}

extension Impairments: Hashable {
  /// Whether both contain equal impairments.
  public static func == (left: Impairments, right: Impairments) -> Bool {
    left.asked.count == right.asked.count && zip(left.asked, right.asked).allSatisfy { $0.isEqual(to: $1) }
  }

  /// Hashes the impairments.
  public func hash(into hasher: inout Hasher) {
    for impairment in asked { impairment.hash(into: &hasher) }
  }
}

extension Impairment {
  fileprivate func isEqual(to other: any Impairment) -> Bool { self == other as? Self }
}

extension Impairments: CustomStringConvertible {
  /// The options for them, in canonical form: `--loss 5% --delay 20ms --jitter 10ms --distribution normal`; empty for
  /// none. Valid on a command line.
  public var description: String {
    var words: [String] = []
    for option in asked.flatMap({ type(of: $0).options }) {
      guard let text = option.text(self) else { continue }
      words += option.isFlag ? ["--\(option.name)"] : ["--\(option.name)", text]
    }
    return words.joined(separator: " ")
  }

  /// Parses the output of `description`, in any order.
  public init(parsing text: String, of list: ImpairmentList = .all) throws(ImpairmentSyntaxError) {
    self.init()
    let options = list.optionsInOrder
    let names = options.map { "--\($0.name)" }
    let expected = names.list(or: true)
    var words = text.split(separator: " ")[...]
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        throw ImpairmentSyntaxError(String(word), "is not an option", expected: expected)
      }
      let option = names.firstIndex(of: String(word)).map { options[$0] }
      if let option, option.isFlag {
        try set(option)
        continue
      }
      guard let value = words.popFirst() else {
        throw ImpairmentSyntaxError(String(word), "has no value", expected: "a value after it")
      }
      guard let option else {
        throw ImpairmentSyntaxError(String(word), "is not an impairment", expected: expected)
      }
      try set(option, to: String(value))
    }
  }

  /// Sets the value of an option; a flag has none.
  public mutating func set(_ option: ImpairmentOption, to value: String = "") throws(ImpairmentSyntaxError) {
    try option.set(&self, value)
  }
}
