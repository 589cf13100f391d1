import TelecapText

extension SystemFile {
  /// The variables of a file's command, `with` and environment: values that are known when the program is started.
  public enum Variable: String, Sendable, CaseIterable {
    /// The port of its UDP address.
    case udp = "UDP"
    /// The port of its TCP address.
    case tcp = "TCP"
    /// The port at which it receives requests for actions.
    case http = "HTTP"
    /// The port of telecap that receives its events.
    case events = "EVENTS"
    /// The code of the run.
    case code = "CODE"
    /// The path of telecap.
    case telecap = "TELECAP"
    /// The file with the input of a device.
    case stimulus = "STIMULUS"
  }

  /// Whether its command or its environment uses this variable.
  public func names(_ variable: Variable) -> Bool {
    (command + arguments.values.joined() + environment.values).contains { text in
      SystemFile.pieces(of: text).contains { if case .name(variable.rawValue) = $0 { true } else { false } }
    }
  }

  /// `text` with values in place of `$NAME` and `${NAME}`; `$$NAME` becomes `$NAME`, for a shell, and a dollar before
  /// anything but a name stays. A name without a value is removed: the decoder rejected unknown ones.
  public static func expand(_ text: String, _ values: [Variable: String]) -> String {
    expand(text, named: Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
  }

  /// The same with values by their names.
  static func expand(_ text: String, named values: [String: String]) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .name(let name): values[name] ?? ""
      }
    }.joined()
  }

  /// The problem with a name in `text`, where `known` names can have a value; nil without one.
  static func problem(withNamesIn text: String, known: [String]) -> String? {
    for case .name(let name) in pieces(of: text) where !known.contains(name) {
      let names = known.map { "$\($0)" }.list(or: false)
      let lacks = Variable(rawValue: name).map { " here: \($0.lack)" } ?? ""
      let start = known.first { name.hasPrefix($0) }
      let advice = start.map { "; write ${\($0)} where more letters follow" } ?? ""
      return "there is no $\(name)\(lacks); there are \(names)\(advice); $$\(name) is $\(name) itself"
    }
    return nil
  }

  private enum Piece {
    case text(String)
    case name(String)
  }

  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      pieces.append(.text(String(rest[..<dollar])))
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "$", let next = rest.dropFirst().first, next == "{" || isOfName(next) {
        let itself = rest.prefix { $0 == "$" || $0 == "{" || isOfName($0) }
        pieces.append(.text(String(itself)))
        rest = rest.dropFirst(itself.count)
      } else if rest.first == "{", let end = rest.firstIndex(of: "}") {
        pieces.append(.name(String(rest[..<end].dropFirst())))
        rest = rest[rest.index(after: end)...]
      } else {
        let name = rest.prefix(while: isOfName)
        pieces.append(name.first.map { !$0.isNumber } ?? false ? .name(String(name)) : .text("$" + name))
        rest = rest.dropFirst(name.count)
      }
    }
    return pieces + [.text(String(rest))]
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }
}

extension SystemFile.Variable {
  /// The reason why it may have no value.
  fileprivate var lack: String {
    switch self {
    case .udp: "\"addresses\" has no \"udp\""
    case .tcp: "\"addresses\" has no \"tcp\""
    case .http: "\"addresses\" has no \"http\""
    case .events: "\"from\" has no \"udp\""
    case .stimulus: "only a device gets its stimuli from a file"
    case .code, .telecap: "it always has a value"
    }
  }
}
