import TelecapText

/// Makes the tree of values of a text. It keeps open lists and mappings in its own stack, so that deep nesting cannot
/// overflow the machine's.
struct YAMLComposer {
  /// The maximum content of a file with expanded aliases: few lines of aliases to aliases could otherwise fill the
  /// memory.
  struct Room {
    var values: Int
    var bytes: Int
  }

  /// A list or mapping without its end.
  private struct Open {
    let start: YAMLEvents.Event
    /// The remaining content when it began.
    let room: Room
    /// Its values so far; for a mapping, each key followed by its value.
    var values: [YAMLValue] = []
  }

  /// The value of an alias, and its size.
  private struct Named {
    let value: YAMLValue
    let size: Room
  }

  /// The maximum nesting of lists and mappings.
  private static let deepest = 1_000

  private let file: String
  private let most: Room
  private let allowsTags: Bool
  private var room: Room
  private var open: [Open] = []
  private var named: [String: Named] = [:]
  private var root: YAMLValue?

  /// The value of a text.
  ///
  /// - Parameter allowsTags: whether tags (`!name`) are ignored; otherwise they are errors, because they have no effect.
  /// - Throws: `YAMLFileError` at the first error.
  static func compose(
    _ text: String, file: String, most: Room, allowsTags: Bool = false
  ) throws(YAMLFileError) -> YAMLValue {
    var events = YAMLEvents(text, file: file)
    var composer = YAMLComposer(file: file, most: most, allowsTags: allowsTags)
    while true {
      let event = try events.next()
      if case .textEnd = event.kind { break }
      try composer.take(event)
    }
    guard let root = composer.root else {
      throw YAMLFileError(file: file, line: 1, column: 1, "the file is empty")
    }
    return root
  }

  private init(file: String, most: Room, allowsTags: Bool) {
    (self.file, self.most, self.allowsTags, room) = (file, most, allowsTags, most)
  }

  private mutating func take(_ event: YAMLEvents.Event) throws(YAMLFileError) {
    if let tag = event.tag, !allowsTags { throw error(YAMLComposer.tagged(tag, event.kind), event) }
    switch event.kind {
    case .document: if root != nil { throw error("a file is one document: remove \"---\"", event) }
    case .documentEnd, .textEnd: break
    case .scalar(let text, let isQuoted):
      let before = room
      try use(Room(values: 1, bytes: text.utf8.count), event)
      try put(.scalar(text, isQuoted: isQuoted), event, before)
    case .alias(let name):
      guard let found = named[name] else { throw error(YAMLComposer.noAnchor(name), event) }
      try use(found.size, event)
      try put(found.value, event)
    case .list, .mapping: try begin(event)
    case .listEnd:
      let list = open.removeLast()
      try put(.list(list.values), list.start, list.room)
    case .mappingEnd:
      let mapping = open.removeLast()
      try put(.mapping(pairs(mapping.values)), mapping.start, mapping.room)
    }
  }

  private mutating func begin(_ event: YAMLEvents.Event) throws(YAMLFileError) {
    guard open.count < YAMLComposer.deepest else { throw error("nested too deep", event) }
    // Its name is undefined within it: a value that contains itself is infinite.
    if let anchor = event.anchor { named[anchor] = nil }
    open.append(Open(start: event, room: room))
    try use(Room(values: 1, bytes: 0), event)
  }

  /// Adds a value that began with `start`, when this much content remained.
  private mutating func put(
    _ content: YAMLValue.Content, _ start: YAMLEvents.Event, _ before: Room
  ) throws(YAMLFileError) {
    let value = YAMLValue(content, file: file, line: start.line, column: start.column)
    if let anchor = start.anchor {
      named[anchor] = Named(
        value: value, size: Room(values: before.values - room.values, bytes: before.bytes - room.bytes))
    }
    try put(value, start)
  }

  private mutating func put(_ value: YAMLValue, _ start: YAMLEvents.Event) throws(YAMLFileError) {
    guard let last = open.indices.last else { return root = value }
    if case .mapping = open[last].start.kind, open[last].values.count.isMultiple(of: 2), value.text == nil {
      throw error("a key that is a list or a mapping; write it out as a word", start)
    }
    open[last].values.append(value)
  }

  private mutating func use(_ size: Room, _ event: YAMLEvents.Event) throws(YAMLFileError) {
    room.values -= size.values
    room.bytes -= size.bytes
    guard room.values >= 0 else { throw error("the file contains more than \(most.values) values", event) }
    guard room.bytes >= 0 else {
      throw error("with its aliases written out the file contains more than \(most.bytes) bytes of text", event)
    }
  }

  /// Alternating keys and values as pairs.
  private func pairs(_ values: [YAMLValue]) throws(YAMLFileError) -> [(key: YAMLValue, value: YAMLValue)] {
    let pairs = stride(from: 0, to: values.count, by: 2).map { (key: values[$0], value: values[$0 + 1]) }
    var seen: [String: YAMLValue] = [:]
    for (key, _) in pairs {
      if let first = seen.updateValue(key, forKey: key.text ?? "") {
        throw key.error(
          "the key \"\(key.text ?? "")\" is there already, at line \(first.line), column \(first.column): remove one")
      }
    }
    return pairs
  }

  private static func noAnchor(_ name: String) -> String {
    "there is no anchor \"&\(name)\" before it; a text that begins with * is in quotes: '*\(name)'"
  }

  /// The error for a tag. A text that begins with ! is one without quotes, and so is `!important`.
  private static func tagged(_ tag: String, _ kind: YAMLEvents.Event.Kind) -> String {
    let standard = "tag:yaml.org,2002:"
    let name = tag.hasPrefix(standard) ? "!!\(tag.dropFirst(standard.count))" : tag
    guard case .scalar(let text, let isQuoted) = kind, !isQuoted else {
      return "the tag \(name) has no effect: remove it"
    }
    let meant = name == "!!str" ? text : "\(name)\(text.isEmpty ? "" : " \(text)")"
    return "the tag \(name) has no effect: remove it; if it is text, write \(Escaping.yamlQuoted(meant))"
  }

  private func error(_ problem: String, _ event: YAMLEvents.Event) -> YAMLFileError {
    YAMLFileError(file: file, line: event.line, column: event.column, problem)
  }
}
