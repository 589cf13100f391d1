import TelecapModels
import TelecapText

/// An action of a system's user that a system file can bind.
public struct UserDeed: Sendable {
  /// The name of its action, which is the file's key.
  public let name: String
  /// The variables for its numbers: `$X`.
  public let values: [String]
  /// The action, as a sentence.
  public let meaning: String

  /// An action with these values.
  public init(_ name: String, values: [String] = [], _ meaning: String) {
    (self.name, self.values, self.meaning) = (name, values, meaning)
  }
}

/// How to make a program perform an action of its user.
public enum ActionBinding: Hashable, Sendable {
  /// A line on its standard input.
  case line(String)
  /// A command and its arguments, started without a shell. Its name with a slash is relative to the system file.
  case run([String])
  /// An HTTP request: POST to this URL of the loopback address, with this body.
  case post(String, body: String)

  /// A short description, for a person to find it in the file.
  public var words: String {
    switch self {
    case .line(let line): "the line \"\(line)\""
    case .run(let command): "run: \(command.joined(separator: " "))"
    case .post(let url, _): "post: \(url)"
    }
  }

  /// All texts in it that may contain a `$NAME`.
  var texts: [String] {
    switch self {
    case .line(let line): [line]
    case .run(let command): command
    case .post(let url, let body): [url, body]
    }
  }

  /// The binding with values in place of names.
  func expanded(_ values: [String: String]) -> ActionBinding {
    func text(_ text: String) -> String { SystemFile.expand(text, named: values) }
    switch self {
    case .line(let line): return .line(text(line))
    case .run(let command): return .run(command.map(text))
    case .post(let url, let body):
      // A + in a URL is a space, and a number such as 1e+20 has one.
      let safe = values.mapValues { $0.replacing("+", with: "%2B") }
      return .post(SystemFile.expand(url, named: safe), body: text(body))
    }
  }
}

extension SystemFile {
  /// The binding for a user's action, with the action's numbers and these values inserted; nil where there is none.
  public func deed(for action: any UserAction, _ values: [Variable: String]) -> ActionBinding? {
    let known = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    return actionBindings[action.name]?.expanded(known.merging(action.values) { $1 })
  }

  /// Whether actions are sent to its standard input.
  public var isTold: Bool {
    actionBindings.values.contains {
      if case .line = $0 { true } else { false }
    }
  }

  /// The shape of a binding other than a line in a system file.
  static let deedShape = YAMLShape(
    "deed",
    [
      YAMLKey(
        "run", .list(.text),
        "A command and its arguments, started without a shell; a path with a slash is relative to this file."),
      YAMLKey("post", .text, "http://127.0.0.1:PORT/PATH, to which an HTTP POST request is sent."),
      YAMLKey("body", .text, "The body of that request."),
    ])

  /// The binding in the value of an action's key.
  static func deed(_ value: YAMLValue, named key: String) throws(YAMLFileError) -> ActionBinding {
    if let text = value.text {
      if text.contains(where: \.isNewline) { throw value.error("\"\(key)\" is one line") }
      return .line(text)
    }
    if let run = value["run"] {
      if let more = value["post"] ?? value["body"] { throw more.error("\"\(key)\" has \"run\": leave this out") }
      let command = run.list.map { $0.text ?? "" }
      guard command.first?.isEmpty == false else { throw run.error("\"run\" names no program") }
      return .run(command)
    }
    guard let post = value["post"] else {
      throw value.error("\"\(key)\" is a line, or has \"run\" or \"post\"")
    }
    let url = post.text ?? ""
    guard LoopbackURL(url) != nil else {
      throw post.error("expected http://127.0.0.1:PORT/PATH, found \"\(url)\"")
    }
    return .post(url, body: value["body"]?.text ?? "")
  }
}

/// An HTTP URL of this machine: `http://127.0.0.1:8080/move?x=1`.
public struct LoopbackURL: Hashable, Sendable {
  /// The host and the port: `127.0.0.1:8080`.
  public let place: String
  /// The path and query: `/move?x=1`.
  public let target: String

  /// Nil where `text` is no such URL. The port may be a `$NAME`.
  public init?(_ text: String) {
    guard text.hasPrefix("http://"), !text.contains(where: { $0.isWhitespace || $0.isNewline }) else { return nil }
    let rest = text.dropFirst(7)
    let place = rest.prefix { $0 != "/" && $0 != "?" }
    guard let colon = place.lastIndex(of: ":"), ["127.0.0.1", "localhost", "[::1]"].contains(place[..<colon]),
      place.index(after: colon) < place.endIndex
    else { return nil }
    let target = rest.dropFirst(place.count)
    self.place = String(place)
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
  }
}
