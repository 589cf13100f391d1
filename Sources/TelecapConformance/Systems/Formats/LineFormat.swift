import TelecapRecording

/// The format of a program's output, if it is not one line for each event.
public enum LineFormat: String, Sendable, CaseIterable {
  /// Each line is separate: JSON objects, or text.
  case lines
  /// A JSON object may go over several lines.
  case jsonBlocks = "json-blocks"
  /// Several lines of YAML are an event, separated by lines of `---`.
  case yamlBlocks = "yaml-blocks"
  /// Text, such as a time and a name, precedes the JSON object of a line.
  case jsonBehindText = "json-behind-text"

  /// Its description in the documentation of a system file.
  var meaning: String {
    switch self {
    case .lines: "each line for itself"
    case .jsonBlocks: "a JSON object may go over several lines"
    case .yamlBlocks: "blocks of YAML with lines of --- between them"
    case .jsonBehindText: "a JSON object follows text on its line"
    }
  }
}

/// A line of output, or several lines of one event.
public struct PrintedText: Hashable, Sendable {
  /// The text, without an end of line.
  public var text: [UInt8]
  /// The time at which it was read, in ns; of several lines the last.
  public var time: Nanoseconds

  /// A line.
  public init(_ text: [UInt8], at time: Nanoseconds) { (self.text, self.time) = (text, time) }
}

/// Joins the lines of one source of output, so that each event is one line in any format.
public struct FormattedLines: Sendable {
  private let format: LineFormat
  private var joiner = LineJoiner()
  private var blocks = YAMLJoiner()

  /// A reader for this format.
  public init(_ format: LineFormat) { self.format = format }

  /// Adds the next line; returns the complete ones.
  public mutating func add(_ line: PrintedText) -> [PrintedText] {
    switch format {
    case .lines: [line]
    case .jsonBlocks: joiner.add(line)
    case .yamlBlocks: blocks.add(line)
    case .jsonBehindText: [PrintedText(PrintedLine.withoutLead(line.text), at: line.time)]
    }
  }

  /// Returns the open lines that are complete: all after the exit of the program, otherwise those that need no end.
  public mutating func finish(isLast: Bool) -> [PrintedText] {
    (isLast ? joiner.finish() : []) + (isLast || blocks.leads ? blocks.finish() : [])
  }
}

extension LineFormat {
  /// Reads all lines of a program in this format, in order of time.
  public func read(_ lines: [SeenLine]) -> [SeenLine] {
    guard self != .lines else { return lines }
    var readers: [SystemFile.Source: FormattedLines] = [:]
    var whole: [SeenLine] = []
    func take(_ texts: [PrintedText], _ source: SystemFile.Source) {
      whole += texts.map { SeenLine(String(decoding: $0.text, as: UTF8.self), at: $0.time, from: source) }
    }
    for line in lines {
      take(
        readers[line.source, default: FormattedLines(self)].add(PrintedText(Array(line.text.utf8), at: line.time)),
        line.source)
    }
    for source in readers.keys.sorted(by: { $0.words < $1.words }) {
      take(readers[source]?.finish(isLast: true) ?? [], source)
    }
    return whole.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}
