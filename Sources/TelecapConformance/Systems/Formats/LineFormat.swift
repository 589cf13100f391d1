import TelecapRecording

/// How a program writes what it shows, where that is not a line for each event.
public enum LineFormat: String, Sendable, CaseIterable {
  /// Each line stands for itself: it holds JSON objects, or is text.
  case lines
  /// A JSON object may go over several lines.
  case jsonBlocks = "json-blocks"
  /// Several lines of YAML make an event; lines of `---` stand between them.
  case yamlBlocks = "yaml-blocks"
  /// The JSON object of a line stands behind text, such as a time and a name.
  case jsonBehindText = "json-behind-text"

  /// What it says, as the meaning of its word in a system file.
  var meaning: String {
    switch self {
    case .lines: "each line for itself"
    case .jsonBlocks: "a JSON object may go over several lines"
    case .yamlBlocks: "blocks of YAML with lines of --- between them"
    case .jsonBehindText: "a JSON object stands behind text on its line"
    }
  }
}

/// A line that was printed, or what several of them make together.
public struct PrintedText: Hashable, Sendable {
  /// The text, without an end of line.
  public var text: [UInt8]
  /// When it was read, in ns; of several lines the last.
  public var time: Nanoseconds

  /// A line.
  public init(_ text: [UInt8], at time: Nanoseconds) { (self.text, self.time) = (text, time) }
}

/// Makes of the lines of one output what each event is read from: one line, whatever the program writes it as.
public struct FormattedLines: Sendable {
  private let format: LineFormat
  private var joiner = LineJoiner()
  private var blocks = YAMLJoiner()

  /// Of a program that writes like this, of which nothing was read yet.
  public init(_ format: LineFormat) { self.format = format }

  /// Takes the next line; returns what is whole by now.
  public mutating func add(_ line: PrintedText) -> [PrintedText] {
    switch format {
    case .lines: [line]
    case .jsonBlocks: joiner.add(line)
    case .yamlBlocks: blocks.add(line)
    case .jsonBehindText: [PrintedText(PrintedLine.withoutLead(line.text), at: line.time)]
    }
  }

  /// What is still open and will not go on: all where the program has ended, otherwise what nothing more may follow.
  public mutating func finish(isLast: Bool) -> [PrintedText] {
    (isLast ? joiner.finish() : []) + (isLast || blocks.leads ? blocks.finish() : [])
  }
}

extension LineFormat {
  /// All lines of a program as they are read in this format, in order of time.
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
