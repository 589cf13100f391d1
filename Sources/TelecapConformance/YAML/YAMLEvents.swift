internal import CYAML
import TelecapText

/// The events of libyaml for a text, in order.
struct YAMLEvents: ~Copyable {
  /// A part of the text, with the position at which it begins, from 1.
  struct Event {
    enum Kind {
      case scalar(String, isQuoted: Bool)
      case alias(String)
      case list, listEnd
      case mapping, mappingEnd
      case document, documentEnd
      case textEnd
    }

    let kind: Kind
    /// The name by which an alias repeats it (`&name`).
    var anchor: String?
    /// Its explicit type (`!!str`, `!name`).
    var tag: String?
    let line: Int
    let column: Int
  }

  private let file: String
  /// The parser reads from memory that it does not own, and stores its own address: neither may move.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// The events of a text.
  init(_ text: String, file: String) {
    self.file = file
    bytes = .allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    let isReady = yaml_parser_initialize(parser) == 1
    precondition(isReady, "not enough memory")
    // Without this a byte order mark could make the text UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  /// The next part of the text.
  /// - Throws: `YAMLFileError` at a syntax error.
  mutating func next() throws(YAMLFileError) -> Event {
    while true {
      var raw = yaml_event_t()
      guard yaml_parser_parse(parser, &raw) == 1 else { throw problem() }
      defer { yaml_event_delete(&raw) }
      if raw.type != YAML_STREAM_START_EVENT { return YAMLEvents.event(raw) }
    }
  }

  private static func event(_ raw: yaml_event_t) -> Event {
    func event(
      _ kind: Event.Kind, anchor: UnsafeMutablePointer<UInt8>? = nil, tag: UnsafeMutablePointer<UInt8>? = nil
    ) -> Event {
      Event(
        kind: kind, anchor: anchor.map { String(cString: $0) }, tag: tag.map { String(cString: $0) },
        line: raw.start_mark.line + 1, column: raw.start_mark.column + 1)
    }
    switch raw.type {
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      // The scalar may contain NUL, so use its length.
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let isQuoted = [YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE].contains(scalar.style)
      return event(.scalar(text, isQuoted: isQuoted), anchor: scalar.anchor, tag: scalar.tag)
    case YAML_ALIAS_EVENT: return event(.alias(String(cString: raw.data.alias.anchor)))
    case YAML_SEQUENCE_START_EVENT:
      return event(.list, anchor: raw.data.sequence_start.anchor, tag: raw.data.sequence_start.tag)
    case YAML_SEQUENCE_END_EVENT: return event(.listEnd)
    case YAML_MAPPING_START_EVENT:
      return event(.mapping, anchor: raw.data.mapping_start.anchor, tag: raw.data.mapping_start.tag)
    case YAML_MAPPING_END_EVENT: return event(.mappingEnd)
    case YAML_DOCUMENT_START_EVENT: return event(.document)
    case YAML_DOCUMENT_END_EVENT: return event(.documentEnd)
    default: return event(.textEnd)
    }
  }

  /// The error of libyaml as a `YAMLFileError`, in our words where these are known. libyaml has no message when it is
  /// out of memory; some systems build it with their own nesting limit.
  private func problem() -> YAMLFileError {
    let said = parser.pointee.problem.map { String(cString: $0) } ?? "there is not enough memory for it"
    switch parser.pointee.error {
    case YAML_READER_ERROR: return unreadable(said)
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      let place = YAMLEvents.place(parser.pointee.problem_mark)
      if said.hasPrefix("Maximum nesting level") { return error("nested too deep", at: place) }
      let syntax = YAMLSyntax(String(decoding: UnsafeBufferPointer(bytes), as: UTF8.self))
      let problem = syntax.problem(said, at: place, since: YAMLEvents.place(parser.pointee.context_mark))
      return error(problem.words, at: problem.place)
    default: return error(said, at: YAMLSyntax.Place(line: 1, column: 1))
    }
  }

  /// The error for an invalid character, whose position libyaml counts in bytes.
  private func unreadable(_ said: String) -> YAMLFileError {
    let count = min(Int(parser.pointee.problem_offset), bytes.count)
    let before = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
    let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let place = YAMLSyntax.Place(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
    guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: parser.pointee.problem_value)) else {
      return error(said, at: place)
    }
    let isZero = scalar.value == 0
    return error(
      "the file contains the control character U+\(scalar.number): "
        + (isZero ? "where it is UTF-16, save it as UTF-8" : "remove it"), at: place)
  }

  private func error(_ problem: String, at place: YAMLSyntax.Place) -> YAMLFileError {
    YAMLFileError(file: file, line: place.line, column: place.column, problem)
  }

  private static func place(_ mark: yaml_mark_t) -> YAMLSyntax.Place {
    YAMLSyntax.Place(line: mark.line + 1, column: mark.column + 1)
  }
}
