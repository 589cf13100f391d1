import TelecapWire

/// A kind of event that concerns neither sessions nor values of streams, such as a played impact or a rejected call:
/// the names in its lines, and its name in system files. A class, so that an event copies only a reference; each kind
/// is created once.
public final class NoteKind: Sendable {
  /// A field of its events.
  public enum Field: Hashable, Sendable {
    /// A number under this name.
    case number(String)
    /// One of these words, by its index.
    case word(String, [String])
    /// A constant text.
    case constant(String, String)

    /// The name of the field.
    public var name: String {
      switch self {
      case .number(let name), .word(let name, _), .constant(let name, _): name
      }
    }

    /// The possible words; nil for a number.
    public var words: [String]? { if case .word(_, let words) = self { words } else { nil } }
  }

  /// The relation of the event to the peer that reports it.
  public enum Role: Hashable, Sendable {
    /// A reaction of the peer to a message.
    case reaction
    /// The peer rejected a call of its API.
    case refusal
    /// Any other event.
    case remark
  }

  /// The index of the word that a message requests; nil if it requests none.
  public typealias Request = @Sendable (MessageKind, RawSpan) -> Int?

  /// The name of its event: `haptic-impact`.
  public let name: String
  /// The name in system files; nil if they do not name it.
  public let rule: String?
  /// The observable that it shows: `which impacts it plays`.
  public let meaning: String
  /// The relation of the event to the peer.
  public let role: Role
  /// The fields of its events.
  public let fields: [Field]
  /// The request of a message; nil if no message requests such an event.
  public let request: Request?

  /// A kind with these parts.
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

/// An event that concerns neither sessions nor values of streams. Its numbers are stored inline, so that it allocates
/// nothing.
public struct PeerNote: Hashable, Sendable {
  /// The kind.
  public let kind: NoteKind
  /// The numbers; `none` for an absent one.
  private let first, second, third, fourth: Int
  private static let none = Int.min

  /// A note with a number, or the index of a word, for each field that is not a constant; nil for one that the peer
  /// does not report.
  ///
  /// - Precondition: the kind has at most four such fields.
  public init(_ kind: NoteKind, _ first: Int? = nil, _ second: Int? = nil, _ third: Int? = nil, _ fourth: Int? = nil) {
    self.kind = kind
    (self.first, self.second) = (first ?? PeerNote.none, second ?? PeerNote.none)
    (self.third, self.fourth) = (third ?? PeerNote.none, fourth ?? PeerNote.none)
  }

  /// The word of its first field if messages request the note; otherwise nil.
  public var requestedWord: String? {
    guard kind.request != nil, let index = self[0] else { return nil }
    return kind.fields.first?.words?[index]
  }

  /// The number, or the index of the word, of the field with this index among those that are not constants; nil if
  /// there is none.
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
