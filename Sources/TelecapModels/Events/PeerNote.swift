import TelecapWire

/// A kind of event beside sessions and the values of streams, such as an impact that was played or a call that was refused: the names
/// of its lines, and what a system file calls it. A class, so that an event copies a reference; each kind is made once.
public final class NoteKind: Sendable {
  /// A field of its events, in their order.
  public enum Field: Hashable, Sendable {
    /// A number under this name.
    case number(String)
    /// One of these words, by its index.
    case word(String, [String])
    /// Always the same text.
    case constant(String, String)

    /// Its name.
    public var name: String {
      switch self {
      case .number(let name), .word(let name, _), .constant(let name, _): name
      }
    }

    /// The words of which its value is one; none of a number.
    public var words: [String]? { if case .word(_, let words) = self { words } else { nil } }
  }

  /// What it is of the peer that reports it.
  public enum Role: Hashable, Sendable {
    /// What the peer did because of a message.
    case reaction
    /// The peer did not do what its user called its API for.
    case refusal
    /// Anything else.
    case remark
  }

  /// The index of the word that a message asks for; nil where it asks for none.
  public typealias Request = @Sendable (MessageKind, RawSpan) -> Int?

  /// The name of its event: `haptic-impact`.
  public let name: String
  /// What a system file calls it; nil where no system file names it.
  public let rule: String?
  /// What a system that reports it shows: `which impacts it plays`.
  public let meaning: String
  /// What it is of the peer.
  public let role: Role
  /// The fields of its events.
  public let fields: [Field]
  /// What a message asks for; nil where no message asks for such an event.
  public let request: Request?

  /// A kind of these parts.
  public init(
    _ name: String, _ fields: [Field], role: Role = .remark, rule: String? = nil, meaning: String = "",
    request: Request? = nil
  ) {
    (self.name, self.fields, self.role) = (name, fields, role)
    (self.rule, self.meaning, self.request) = (rule, meaning, request)
  }
}

extension NoteKind: Hashable {
  public static func == (left: NoteKind, right: NoteKind) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An event beside sessions and the values of streams. Its numbers are stored inline, so that it allocates nothing.
public struct PeerNote: Hashable, Sendable {
  /// What it is.
  public let kind: NoteKind
  /// `none` where there is none.
  private let first, second, third, fourth: Int
  private static let none = Int.min

  /// A note with a number, or the index of a word, for each field that is no constant; nil where the peer leaves it out.
  ///
  /// - Precondition: the kind has at most four such fields.
  public init(_ kind: NoteKind, _ first: Int? = nil, _ second: Int? = nil, _ third: Int? = nil, _ fourth: Int? = nil) {
    self.kind = kind
    (self.first, self.second) = (first ?? PeerNote.none, second ?? PeerNote.none)
    (self.third, self.fourth) = (third ?? PeerNote.none, fourth ?? PeerNote.none)
  }

  /// The word of its first field where messages ask for the note; nil otherwise.
  public var requestedWord: String? {
    guard kind.request != nil, let index = self[0] else { return nil }
    return kind.fields.first?.words?[index]
  }

  /// The number, or the index of the word, of the field with this index among those that are no constants; nil where there is none.
  public subscript(index: Int) -> Int? {
    let number =
      switch index {
      case 0: first
      case 1: second
      case 2: third
      case 3: fourth
      default: PeerNote.none
      }
    return number == PeerNote.none ? nil : number
  }
}
